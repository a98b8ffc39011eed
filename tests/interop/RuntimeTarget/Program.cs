// SPDX-License-Identifier: MIT
// Does the same in rounds, on any runtime, until it is killed; with "starve", its thread pool
// starves as well. Says "ready" once everything was done once. "flood FILE" is another program.
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

	static readonly object gate = new object();
	static readonly AutoResetEvent invited = new AutoResetEvent(false);
	static readonly AutoResetEvent done = new AutoResetEvent(false);

	// One thread for all rounds: .NET Core 3.1 may never end a session after a thread ended in it.
	static void Compete()
	{
		while (invited.WaitOne())
		{
			lock (gate) { }
			done.Set();
		}
	}

	// The other thread waits for the lock for some milliseconds.
	static void Contend()
	{
		lock (gate)
		{
			invited.Set();
			Thread.Sleep(5);
		}
		done.WaitOne();
	}

	static void Allocate()
	{
		var kept = new List<object>();

		for (int i = 0; i < 2_000; i++)
			kept.Add(new byte[1_000]);
		GC.Collect(0);
		GC.KeepAlive(kept);
	}

	static volatile bool awaited;

	// What runs on the thread pool, beside the main thread.
	static async Task Await()
	{
#if WEB
		Site site = await Site.Start();
#endif
		while (true)
		{
			await Task.Delay(10);
#if WEB
			await site.Visit();
#endif
			awaited = true;
		}
	}

	// More blocked work items than the pool ever has threads, for so long that it starves and adds
	// some, on a busy machine too.
	static void Starve()
	{
		awaited = true;
		Task.WaitAll(Enumerable.Range(0, 500).Select(_ => Task.Run(() => Thread.Sleep(60_000))).ToArray());
	}

	static void Main(string[] args)
	{
		if (args.Length > 0 && args[0] == "flood")
		{
			Flood.Run(args[1]);
			return;
		}

		Task awaiting = args.Length > 0 ? Task.Run(Starve) : Await();
		bool said = false;

		new Thread(Compete) { IsBackground = true }.Start();
		while (!awaiting.IsFaulted)
		{
			BurnFor(30);
			Allocate();
			Throw();
			Contend();
			if (awaited && !said)
				Console.WriteLine("ready");
			said |= awaited;
		}
		awaiting.Wait();
	}
}
