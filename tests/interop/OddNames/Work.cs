using System;
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Shop;

// Work in methods whose names compilers make, for as many milliseconds each.
public sealed unsafe class Worker : IDisposable
{
	private static double sink;

	public static void Run(int milliseconds)
	{
		Straight(milliseconds);
		Action lambda = () => Spin(milliseconds);
		lambda();
		Local();
		Apply(&Pointed, milliseconds);
		new Box<string>.Inner<int>().Work(milliseconds);
		((IDisposable)new Worker()).Dispose();
		Walk(6, milliseconds);

		[MethodImpl(MethodImplOptions.NoInlining)]
		void Local() => Spin(milliseconds);
	}

	[MethodImpl(MethodImplOptions.NoInlining)]
	private static void Straight(int milliseconds) => Spin(milliseconds);

	[MethodImpl(MethodImplOptions.NoInlining)]
	private static int Pointed(int milliseconds)
	{
		Spin(milliseconds);
		return milliseconds;
	}

	[MethodImpl(MethodImplOptions.NoInlining)]
	private static int Apply(delegate*<int, int> function, int milliseconds) => function(milliseconds) + 1;

	[MethodImpl(MethodImplOptions.NoInlining)]
	void IDisposable.Dispose() => Spin(50);

	// Walk, Visit, Walk, ...: three of each on the stack while it spins.
	[MethodImpl(MethodImplOptions.NoInlining)]
	private static int Walk(int depth, int milliseconds) => Visit(depth - 1, milliseconds) + 1;

	[MethodImpl(MethodImplOptions.NoInlining)]
	private static int Visit(int depth, int milliseconds)
	{
		if (depth > 1)
			return Walk(depth - 1, milliseconds) + 1;
		Spin(milliseconds);
		return 0;
	}

	[MethodImpl(MethodImplOptions.AggressiveInlining)]
	internal static void Spin(int milliseconds)
	{
		var until = Stopwatch.GetTimestamp() + milliseconds * Stopwatch.Frequency / 1000;

		while (Stopwatch.GetTimestamp() < until)
			for (int i = 0; i < 20000; i++)
				sink += Math.Sqrt(i);
	}
}

public class Box<T>
{
	public sealed class Inner<U>
	{
		[MethodImpl(MethodImplOptions.NoInlining)]
		public void Work(int milliseconds) => Worker.Spin(milliseconds);
	}
}
