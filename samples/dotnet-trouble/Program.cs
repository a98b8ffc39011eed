// SPDX-License-Identifier: MIT
// trouble KIND [SECONDS] - has one kind of trouble for that many seconds (2): see Kinds.
using System.Diagnostics;
using System.Linq.Expressions;

namespace Trouble;

static class Program
{
	static readonly Dictionary<string, Action<TimeSpan>> Kinds = new()
	{
		["starve"] = Starve,
		["block"] = Block,
		["locks"] = Locks,
		["deadlock"] = Deadlock,
		["garbage"] = Garbage,
		["collect"] = Collect,
		["throw"] = Throw,
		["compile"] = Compile,
		["native"] = Processor.Native,
		["saturate"] = Processor.Saturate,
		["errors"] = time => Shop.Serve(time, ["/orders", "/basket", "/pay"]).Wait(),
		["slow"] = time => Shop.Serve(time, ["/orders", "/basket", "/orders", "/basket", "/report"]).Wait(),
		["search"] = Busy.Search,
		["leak"] = Memory.Leak,
		["plugins"] = Memory.Plugins,
		["livelock"] = Waiting.Livelock,
		["queue"] = Waiting.Queue,
		["calls"] = Waiting.Calls,
		["start"] = Waiting.Start,
	};

	static int Main(string[] args)
	{
		double seconds = 2;

		if (args.Length is < 1 or > 2 || !Kinds.TryGetValue(args[0], out Action<TimeSpan>? run) ||
			(args.Length == 2 && !double.TryParse(args[1], out seconds)))
		{
			Console.Error.WriteLine($"usage: trouble {string.Join('|', Kinds.Keys)} [SECONDS]");
			return 2;
		}
		run(TimeSpan.FromSeconds(seconds));
		return 0;
	}

	// Work that sleeps takes all threads of the pool, and the rest of the work waits.
	static void Starve(TimeSpan time)
	{
		using var done = new CountdownEvent(8);

		ThreadPool.SetMinThreads(2, 2);
		for (int i = 0; i < done.InitialCount; i++)
			ThreadPool.QueueUserWorkItem(_ =>
			{
				Thread.Sleep(time);
				done.Signal();
			});
		done.Wait();
	}

	// Pool threads wait for tasks that other pool threads would have to run.
	static void Block(TimeSpan time)
	{
		var clock = Stopwatch.StartNew();

		while (clock.Elapsed < time)
		{
			Task[] requests = new Task[8];

			for (int i = 0; i < requests.Length; i++)
				requests[i] = Task.Run(() => Answer().Wait());
			Task.WaitAll(requests);
		}

		static async Task Answer()
		{
			await Task.Delay(40);
			await Task.Yield();
		}
	}

	// Four threads, and one lock that each of them holds for a while.
	static void Locks(TimeSpan time)
	{
		var ledger = new object();
		var clock = Stopwatch.StartNew();
		Thread[] threads = new Thread[4];

		for (int i = 0; i < threads.Length; i++)
			(threads[i] = new Thread(Book)).Start();
		foreach (Thread thread in threads)
			thread.Join();

		void Book()
		{
			while (clock.Elapsed < time)
			{
				lock (ledger)
					Thread.Sleep(3);
				Thread.Sleep(1);
			}
		}
	}

	// Two threads that each hold the lock the other one waits for. They never end, so the program leaves them behind.
	static void Deadlock(TimeSpan time)
	{
		object orders = new(), stock = new();
		using var both = new Barrier(2);

		foreach ((object first, object second) in new[] { (orders, stock), (stock, orders) })
			new Thread(() => Transfer(first, second)) { IsBackground = true }.Start();
		Thread.Sleep(time);

		void Transfer(object first, object second)
		{
			lock (first)
			{
				both.SignalAndWait();
				lock (second)
					Console.WriteLine("transferred");
			}
		}
	}

	// Many objects that survive a GC, large arrays, and needless induced GCs.
	static void Garbage(TimeSpan time)
	{
		var clock = Stopwatch.StartNew();
		var kept = new object[400];
		int round = 0;

		while (clock.Elapsed < time)
		{
			var list = new List<object>();

			for (int i = 0; i < 2000; i++)
				list.Add(new object[8]);
			kept[round % kept.Length] = list;
			if (round % 4 == 0)
				kept[(round + 1) % kept.Length] = new byte[200_000];
			if (++round % 100 == 0)
				GC.Collect();
		}
	}

	// Hardly anything is allocated, but the program itself requests collections all the time.
	static void Collect(TimeSpan time)
	{
		var clock = Stopwatch.StartNew();
		var kept = new List<object[]>();

		for (int i = 0; i < 200_000; i++)
			kept.Add(new object[8]);
		while (clock.Elapsed < time)
		{
			GC.Collect();
			Thread.Sleep(10);
		}
		GC.KeepAlive(kept);
	}

	// Numbers are validated by exceptions.
	static void Throw(TimeSpan time)
	{
		var clock = Stopwatch.StartNew();
		int wrong = 0;

		while (clock.Elapsed < time)
		{
			for (int i = 0; i < 5; i++)
				wrong += IsNumber("order") ? 0 : 1;
			Thread.Sleep(10);
		}

		static bool IsNumber(string text)
		{
			try
			{
				return int.Parse(text) >= 0;
			}
			catch (FormatException)
			{
				return false;
			}
		}
	}

	// The same long formula is compiled again each time it is used.
	public static void Compile(TimeSpan time)
	{
		var clock = Stopwatch.StartNew();
		int sum = 0;

		while (clock.Elapsed < time)
		{
			ParameterExpression x = Expression.Parameter(typeof(int), "x");
			Expression formula = x;

			for (int i = 0; i < 400; i++)
				formula = Expression.Add(Expression.Multiply(formula, x), Expression.Constant(sum + i));
			sum += Expression.Lambda<Func<int, int>>(formula, x).Compile()(1);
			Thread.Sleep(1);
		}
	}
}
