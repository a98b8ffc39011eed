// AwaitShapes [PERCENT] - awaits of known length. All methods have run once when it prints "ready"
// and waits for someone to record tasks; then, at 100 percent:
//
//	Row      four awaits of 250 ms, one after another: 1 s
//	Inner    4 x 500 ms, awaited by Middle, awaited by Outer: 2 s
//	Pool     ten tasks of the pool that await 1 s, awaited together: 10 s and 1 s
//	Call     the same with methods that are called: 10 s and 1 s
//	Blocks   six threads that block on a method that awaits 1 s: 6 s
//	Busy     two awaits of 250 ms, each followed by 250 ms of work: 500 ms
//
// Prints the milliseconds that each measured itself, since a busy machine is late:
//	Inner 2003.4
using System.Diagnostics;
using System.Diagnostics.Tracing;
using System.Globalization;
using System.Runtime.CompilerServices;

Shapes.All(1);
Console.WriteLine("ready");
while (!EventSource.GetSources().Any(
	source => source.Name == "System.Threading.Tasks.TplEventSource" && source.IsEnabled()))
	Thread.Sleep(10);
Shapes.First(10).Wait();
Shapes.Times.Clear();
Shapes.All(args.Length > 0 ? int.Parse(args[0]) : 100);
foreach (var (name, ticks) in Shapes.Times.OrderBy(time => time.Key, StringComparer.Ordinal))
	Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{name} {Shapes.Ms(ticks):f1}"));

static class Shapes
{
	public static readonly Dictionary<string, long> Times = [];

	public static double Ms(long ticks) => ticks * 1000.0 / Stopwatch.Frequency;

	public static void All(int percent)
	{
		Row(percent).Wait();
		Outer(percent).Wait();
		PoolTogether(percent).Wait();
		CallsTogether(percent).Wait();
		var threads = Enumerable.Range(0, 6).Select(
			i => new Thread(() => Block(percent, i))).ToArray();
		foreach (var thread in threads)
			thread.Start();
		foreach (var thread in threads)
			thread.Join();
		Busy(percent).Wait();
	}

	static void Add(string name, long start)
	{
		lock (Times)
			Times[name] = Times.GetValueOrDefault(name) + Stopwatch.GetTimestamp() - start;
	}

	// the first await after recording began needs code that is not compiled yet
	public static async Task First(int percent)
	{
		await Task.Delay(percent);
	}

	static async Task Row(int percent)
	{
		for (int i = 0; i < 4; i++)
		{
			var start = Stopwatch.GetTimestamp();
			await Task.Delay(percent * 5 / 2);
			Add("Row", start);
		}
	}

	static async Task Outer(int percent) => await Middle(percent);

	static async Task Middle(int percent) => await Inner(percent);

	static async Task Inner(int percent)
	{
		for (int i = 0; i < 4; i++)
		{
			var start = Stopwatch.GetTimestamp();
			await Task.Delay(percent * 5);
			Add("Inner", start);
		}
	}

	static async Task Pool(int percent)
	{
		var start = Stopwatch.GetTimestamp();
		await Task.Delay(percent * 10);
		Add("Pool", start);
	}

	static async Task PoolTogether(int percent)
	{
		var tasks = Enumerable.Range(0, 10).Select(_ => Task.Run(() => Pool(percent))).ToArray();
		var start = Stopwatch.GetTimestamp();
		await Task.WhenAll(tasks);
		Add("PoolTogether", start);
	}

	static async Task Call(int percent)
	{
		var start = Stopwatch.GetTimestamp();
		await Task.Delay(percent * 10);
		Add("Call", start);
	}

	static async Task CallsTogether(int percent)
	{
		var tasks = Enumerable.Range(0, 10).Select(_ => Call(percent)).ToArray();
		var start = Stopwatch.GetTimestamp();
		await Task.WhenAll(tasks);
		Add("CallsTogether", start);
	}

	static async Task Blocks(int percent)
	{
		var start = Stopwatch.GetTimestamp();
		await Task.Delay(percent * 10);
		Add("Blocks", start);
	}

	static void Block(int percent, int number)
	{
		if (number % 2 == 0)
			Blocks(percent).Wait();
		else
			Blocks(percent).GetAwaiter().GetResult();
	}

	static async Task Busy(int percent)
	{
		for (int i = 0; i < 2; i++)
		{
			var start = Stopwatch.GetTimestamp();
			await Task.Delay(percent * 5 / 2);
			Add("Busy", start);
			start = Stopwatch.GetTimestamp();
			Work(percent * 5 / 2);
			Add("Work", start);
		}
	}

	[MethodImpl(MethodImplOptions.NoInlining)]
	static void Work(int milliseconds)
	{
		var start = Stopwatch.GetTimestamp();

		while (Ms(Stopwatch.GetTimestamp() - start) < milliseconds)
			;
	}
}
