// CpuShares SECONDS - one thread that spends its time in methods by known shares: of 120 units
// a round `Most` takes 70, `Some` 20, `Little` 10, and a generic method, a lambda, a recursion
// and a call through an interface take 5 each. All run the same loop, optimised from the start.
using System.Diagnostics;
using System.Runtime.CompilerServices;

var clock = Stopwatch.StartNew();
var length = TimeSpan.FromSeconds(double.Parse(args[0]));
var thread = new Thread(() => { while (clock.Elapsed < length) Shares.Round(); });

thread.Start();
thread.Join();
return Shares.Sum == 1 ? 1 : 0;

interface ISpender
{
	ulong Through(int units);
}

sealed class Spender : ISpender
{
	[MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
	public ulong Through(int units) => Shares.Spend(units);
}

static class Shares
{
	const int Unit = 400_000; // long enough that the sampler rarely has to wait for the end of a method
	const MethodImplOptions Alone =
		MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization;

	public static ulong Sum;
	static readonly ISpender s_spender = new Spender();
	static readonly Func<int, ulong> s_lambda =
		[MethodImpl(Alone)] static (units) => Spend(units);

	[MethodImpl(Alone)]
	public static void Round()
	{
		Sum += Most(70) + Some(20) + Little(10);
		Sum += Generic<string, long>(5) + s_lambda(5) + Deeper(11, 5) + s_spender.Through(5);
	}

	[MethodImpl(Alone)]
	static ulong Most(int units) => Spend(units);

	[MethodImpl(Alone)]
	static ulong Some(int units) => Spend(units);

	[MethodImpl(Alone)]
	static ulong Little(int units) => Spend(units);

	[MethodImpl(Alone)]
	static ulong Generic<TKey, TValue>(int units) => Spend(units);

	[MethodImpl(Alone)]
	static ulong Deeper(int depth, int units) =>
		depth > 0 ? Deeper(depth - 1, units) + 1 : Spend(units);

	// a part of whoever calls it
	[MethodImpl(MethodImplOptions.AggressiveInlining)]
	public static ulong Spend(int units)
	{
		ulong value = (ulong)units;

		for (int i = units * Unit; i > 0; i--)
			value = (value ^ (value >> 29)) * 0xBF58476D1CE4E5B9;
		return value;
	}
}
