// Runs Work.cs from assemblies with odd names, writes an event with a boolean after each round, and collects garbage as a
// server does.
using System.Diagnostics.Tracing;
using System.Reflection;

var methods = new List<MethodInfo>();
foreach (var name in new[] { "order-core", "user-core", "my shop", "a+b`1" })
	methods.Add(Assembly.LoadFrom(Path.Combine(AppContext.BaseDirectory, name + ".dll"))
		.GetType("Shop.Worker")!.GetMethod("Run")!);

var kept = new List<object>();
for (int round = 0; round < 7; round++)
{
	foreach (var method in methods)
		method.Invoke(null, [20]);
	for (int i = 0; i < 2000; i++)
		kept.Add(new byte[1000]);
	GC.Collect(2, GCCollectionMode.Optimized, blocking: false);
	Payments.Log.Pay(round, round % 2 == 1);
}

[EventSource(Name = "Odd-Payments")]
sealed class Payments : EventSource
{
	public static readonly Payments Log = new();

	[Event(1)]
	public void Pay(int number, bool card) => WriteEvent(1, number, card);
}
