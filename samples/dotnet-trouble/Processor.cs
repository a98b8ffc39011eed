// SPDX-License-Identifier: MIT
// What takes processors: native code, and more threads than there are processors.
using System.Diagnostics;
using System.IO.Compression;

namespace Trouble;

static class Processor
{
	// A page is compressed again and again, by a library in C.
	public static void Native(TimeSpan time)
	{
		var clock = Stopwatch.StartNew();
		byte[] page = new byte[200_000];
		byte[] packed = new byte[BrotliEncoder.GetMaxCompressedLength(page.Length)];

		new Random(1).NextBytes(page.AsSpan(0, page.Length / 2));
		while (clock.Elapsed < time)
			BrotliEncoder.TryCompress(page, packed, out _, quality: 9, window: 22);
	}

	// Each thread could keep a processor busy, and there are four of them for each one.
	public static void Saturate(TimeSpan time)
	{
		var clock = Stopwatch.StartNew();
		Thread[] threads = new Thread[4 * Environment.ProcessorCount];

		for (int i = 0; i < threads.Length; i++)
			(threads[i] = new Thread(CountPrimes)).Start();
		foreach (Thread thread in threads)
			thread.Join();

		void CountPrimes()
		{
			int primes = 0;

			for (int i = 3; clock.Elapsed < time; i += 2)
				primes += IsPrime(i) ? 1 : 0;
			GC.KeepAlive(primes);
		}

		static bool IsPrime(int number)
		{
			for (int i = 3; i * i <= number; i += 2)
				if (number % i == 0)
					return false;
			return true;
		}
	}
}
