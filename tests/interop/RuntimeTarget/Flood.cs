// SPDX-License-Identifier: MIT
using System;
using System.Collections.Generic;
using System.Diagnostics.Tracing;
using System.IO;
using System.Threading;

[EventSource(Name = "Flood")]
sealed class FloodSource : EventSource
{
	public static readonly FloodSource Log = new FloodSource();

	[Event(1)]
	public void Wrote(int thread, int number) => WriteEvent(1, thread, number);
}

// Writes a known number of events as fast as it can. For each line of a file, "THREADS EVENTS", that
// many threads write that many events each, once a session has enabled them; then it says "wrote".
// Threads are kept from line to line, so that later sessions meet the same ones; "end" after it
// ends them.
static class Flood
{
	sealed class Writer
	{
		readonly int number;
		readonly SemaphoreSlim asked = new SemaphoreSlim(0);
		int events;

		public Writer(int number)
		{
			this.number = number;
			new Thread(Run) { IsBackground = true }.Start();
		}

		// None ends the thread.
		public void Ask(int count)
		{
			events = count;
			asked.Release();
		}

		void Run()
		{
			for (asked.Wait(); events > 0; asked.Wait())
			{
				for (int i = 0; i < events; i++)
					FloodSource.Log.Wrote(number, i);
				done.Release();
			}
		}
	}

	static readonly List<Writer> writers = new List<Writer>();
	static readonly SemaphoreSlim done = new SemaphoreSlim(0);
	static int started;

	static void Write(int threads, int events)
	{
		while (writers.Count < threads)
			writers.Add(new Writer(started++));
		while (!FloodSource.Log.IsEnabled())
			Thread.Sleep(1);
		for (int i = 0; i < threads; i++)
			writers[i].Ask(events);
		for (int i = 0; i < threads; i++)
			done.Wait();
	}

	static void End()
	{
		foreach (Writer writer in writers)
			writer.Ask(0);
		writers.Clear();
	}

	public static void Run(string path)
	{
		FloodSource.Log.IsEnabled(); // exists, before anything can enable it
		Console.WriteLine("ready");

		using (var lines = new StreamReader(path))
		{
			for (string line; (line = lines.ReadLine()) != null;)
			{
				string[] words = line.Split(' ');

				Write(int.Parse(words[0]), int.Parse(words[1]));
				if (words.Length > 2)
					End();
				Console.WriteLine("wrote");
			}
		}
	}
}
