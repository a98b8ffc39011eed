// SPDX-License-Identifier: MIT
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Trouble;

static class Busy
{
	// One thread is always busy: prices are searched for in a list, again and again.
	public static void Search(TimeSpan time)
	{
		var clock = Stopwatch.StartNew();
		List<int> prices = [.. Enumerable.Range(0, 4000)];
		long total = 0;

		while (clock.Elapsed < time)
			total += PriceBasket(prices);
		GC.KeepAlive(total);
	}

	[MethodImpl(MethodImplOptions.NoInlining)]
	static long PriceBasket(List<int> prices)
	{
		long total = 0;

		for (int article = 0; article < 400; article++)
			total += FindPrice(prices, article * 10);
		return total;
	}

	// A dictionary would find it at once.
	[MethodImpl(MethodImplOptions.NoInlining)]
	static int FindPrice(List<int> prices, int article)
	{
		for (int i = 0; i < prices.Count; i++)
			if (prices[i] == article)
				return i;
		return 0;
	}
}
