// SPDX-License-Identifier: MIT
// BenchEvents COUNT [THREADS] - writes COUNT events of 32 bytes from THREADS threads, flat out.
// BenchEvents deep SECONDS THREADS FRAMES - keeps THREADS threads busy, each FRAMES calls deep.
using System.Diagnostics;
using System.Diagnostics.Tracing;
using System.Runtime.CompilerServices;

if (args.Length == 4 && args[0] == "deep")
	return Deep(int.Parse(args[1]), int.Parse(args[2]), int.Parse(args[3]));
if (args.Length is < 1 or > 2)
{
	Console.Error.WriteLine("usage: BenchEvents COUNT [THREADS] | deep SECONDS THREADS FRAMES");
	return 2;
}

int count = int.Parse(args[0]);
int threadCount = args.Length > 1 ? int.Parse(args[1]) : 1;
var threads = new Thread[threadCount];

for (int i = 0; i < threadCount; i++)
{
	// the last thread takes the remainder
	int share = i < threadCount - 1 ? count / threadCount : count - count / threadCount * i;
	threads[i] = new Thread(() => Write(share));
	threads[i].Start();
}
foreach (Thread thread in threads)
	thread.Join();
return 0;

static void Write(int count)
{
	for (long i = 0; i < count; i++)
		BenchEvents.Log.Numbers(i, i * 3, i ^ 0x5555, -i);
}

static int Deep(int seconds, int threadCount, int frames)
{
	var clock = Stopwatch.StartNew();
	var threads = new Thread[threadCount];

	for (int i = 0; i < threadCount; i++)
	{
		int seed = i;
		threads[i] = new Thread(() =>
		{
			while (clock.Elapsed.TotalSeconds < seconds)
				Left(seed = seed * 1664525 + 1013904223, frames);
		});
		threads[i].Start();
	}
	foreach (Thread thread in threads)
		thread.Join();
	return 0;
}

// Two ways down, chosen by the bits of a number, so that nearly all stacks differ.
[MethodImpl(MethodImplOptions.NoInlining)]
static long Left(int way, int frames) =>
	frames <= 0 ? Burn(way) : Next(way, frames) + 1;

[MethodImpl(MethodImplOptions.NoInlining)]
static long Right(int way, int frames) =>
	frames <= 0 ? Burn(way) : Next(way, frames) + 2;

[MethodImpl(MethodImplOptions.NoInlining)]
static long Next(int way, int frames) =>
	(way >> frames % 31 & 1) != 0 ? Right(way, frames - 2) : Left(way, frames - 2);

[MethodImpl(MethodImplOptions.NoInlining)]
static long Burn(int way)
{
	long sum = way;

	for (int i = 0; i < 5_000_000; i++)
		sum = sum * 31 + i;
	return sum;
}

[EventSource(Name = "Bench-Events")]
sealed class BenchEvents : EventSource
{
	public static readonly BenchEvents Log = new();

	// EventSource has no WriteEvent of four longs that avoids boxing
	[Event(1)]
	public unsafe void Numbers(long a, long b, long c, long d)
	{
		EventData* data = stackalloc EventData[4];

		data[0] = new EventData { DataPointer = (IntPtr)(&a), Size = sizeof(long) };
		data[1] = new EventData { DataPointer = (IntPtr)(&b), Size = sizeof(long) };
		data[2] = new EventData { DataPointer = (IntPtr)(&c), Size = sizeof(long) };
		data[3] = new EventData { DataPointer = (IntPtr)(&d), Size = sizeof(long) };
		WriteEventCore(1, 4, data);
	}
}
