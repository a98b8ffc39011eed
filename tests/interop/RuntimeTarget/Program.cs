// SPDX-License-Identifier: MIT
// Does the same in rounds, on any runtime, until it is killed. Says "ready" after the first round.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

static class Rounds
{
	static double Burn(double x)
	{
		for (int i = 0; i < 2_000_000; i++)
			x = x * 0.999999 + 0.25;
		return x;
	}

	static double BurnFor(int milliseconds)
	{
		var clock = Stopwatch.StartNew();
		double x = 1;

		while (clock.ElapsedMilliseconds < milliseconds)
			x = Burn(x);
		return x;
	}

	static void Throw()
	{
		try
		{
			throw new InvalidOperationException("on purpose");
		}
		catch (InvalidOperationException)
		{
		}
	}

	// Another thread waits for the lock for 2 ms.
	static void Contend(object gate)
	{
		var other = new Thread(() => { lock (gate) { } });

		lock (gate)
		{
			other.Start();
			while ((other.ThreadState & System.Threading.ThreadState.WaitSleepJoin) == 0)
				Thread.Yield();
			Thread.Sleep(2);
		}
		other.Join();
	}

	static void Allocate()
	{
		var kept = new List<object>();

		for (int i = 0; i < 2_000; i++)
			kept.Add(new byte[1_000]);
		GC.Collect(0);
		GC.KeepAlive(kept);
	}

	// More blocked work items than the pool has threads, so that it starves and adds some.
	static Task Starve()
	{
		return Task.WhenAll(Enumerable.Range(0, 6 * Environment.ProcessorCount)
			.Select(_ => Task.Run(() => Thread.Sleep(100))));
	}

	static async Task Main()
	{
		var gate = new object();
#if WEB
		var site = await Site.Start();
#endif
		Task starving = Starve();

		for (int round = 1; ; round++)
		{
			BurnFor(30);
			Allocate();
			Throw();
			Contend(gate);
			await Task.Delay(5);
#if WEB
			if (round % 2 == 0)
				await site.Visit();
#endif
			if (starving.IsCompleted)
				starving = Starve();
			if (round == 1)
				Console.WriteLine("ready");
		}
	}
}
