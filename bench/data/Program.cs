// SPDX-License-Identifier: MIT
// BenchEvents COUNT [THREADS] - writes COUNT events of 32 bytes from THREADS threads, flat out.
using System.Diagnostics.Tracing;

if (args.Length is < 1 or > 2)
{
	Console.Error.WriteLine("usage: BenchEvents COUNT [THREADS]");
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
