// Writes known numbers of events: for each line "THREADS EVENTS" of its input that many threads write that many
// events each as fast as they can, as soon as they are recorded. Stress-Flow has an event each millisecond.
using System;
using System.Diagnostics.Tracing;
using System.Threading;

[EventSource(Name = "Stress-Flood")]
sealed class Flood : EventSource
{
	public static readonly Flood Log = new();

	[Event(1)]
	public void Drop(int thread, int number) => WriteEvent(1, thread, number);
}

[EventSource(Name = "Stress-Flow")]
sealed class Flow : EventSource
{
	public static readonly Flow Log = new();

	[Event(1)]
	public void Ripple(int number) => WriteEvent(1, number);
}

static class Program
{
	static void Run()
	{
		for (int number = 0;; number++) {
			Flow.Log.Ripple(number);
			Thread.Sleep(1);
		}
	}

	static ManualResetEvent over = new(false);

	// Threads stay until the next flood, since of one that has ended the runtime forgets how much it wrote.
	static void Write(int count, int events)
	{
		using var written = new CountdownEvent(count);
		using var start = new Barrier(count);
		var end = new ManualResetEvent(false);

		over.Set();
		over = end;
		for (int i = 0; i < count; i++) {
			int thread = i;

			new Thread(() => {
				start.SignalAndWait();
				for (int number = 0; number < events; number++)
					Flood.Log.Drop(thread, number);
				written.Signal();
				end.WaitOne();
			}) { IsBackground = true }.Start();
		}
		written.Wait();
	}

	static void Main()
	{
		new Thread(Run) { IsBackground = true }.Start();
		Console.WriteLine("ready");
		while (Console.ReadLine() is { } line) {
			string[] words = line.Split(' ');

			while (!Flood.Log.IsEnabled())
				Thread.Sleep(1);
			Write(int.Parse(words[0]), int.Parse(words[1]));
			Console.WriteLine("wrote");
		}
	}
}
