// SPDX-License-Identifier: MIT
// TraceEventTasks TASK ARGUMENT... - tasks of doc/library.md as a C# program solves them. The document quotes these
// methods, and tests compare what they print with what our examples print.
using Diagnostics.Tracing.StackSources;
using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Diagnostics.Symbols;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Analysis;
using Microsoft.Diagnostics.Tracing.Stacks;
using TraceLog = Microsoft.Diagnostics.Tracing.Etlx.TraceLog;

switch (args[0])
{
	case "count_events": CountEvents(args[1]); break;
	case "gc_pauses": GcPauses(args[1]); break;
	case "top_methods": TopMethods(args[1]); break;
	case "callers": Callers(args[1], args[2]); break;
	case "live_events": LiveEvents(int.Parse(args[1])); break;
	case "custom_event": CustomEvent(args[1]); break;
	default: return 2;
}
return 0;

static void CountEvents(string path)
{
	using var source = new EventPipeEventSource(path);
	long events = 0;

	source.AllEvents += _ => events++;
	source.Process();
	Console.WriteLine($"{events} events, {source.EventsLost} lost");
}

static void GcPauses(string path)
{
	using var source = new EventPipeEventSource(path);

	source.NeedLoadedDotNetRuntimes();
	source.Process();
	foreach (var process in source.Processes())
		foreach (var gc in process.LoadedDotNetRuntime()?.GC.GCs ?? [])
			if (gc.PauseDurationMSec > 10)
				Console.WriteLine($"GC {gc.Number}: generation {gc.Generation}, " +
					$"{gc.PauseDurationMSec:f1} ms, {gc.Reason}");
}

static CallTree SampledCalls(string path)
{
	using var log = new TraceLog(TraceLog.CreateFromEventPipeDataFile(path));
	var stacks = new MutableTraceEventStackSource(log) { OnlyManagedCodeStacks = true };
	var computer = new SampleProfilerThreadTimeComputer(log, new SymbolReader(TextWriter.Null))
		{ IncludeEventSourceEvents = false };
	var folded = new FilterParams { FoldRegExs = "CPU_TIME;UNMANAGED_CODE_TIME;{Thread (}" };

	computer.GenerateThreadTimeStacks(stacks);
	return new CallTree(ScalingPolicyKind.ScaleToData)
		{ StackSource = new FilterStackSource(folded, stacks, ScalingPolicyKind.ScaleToData) };
}

static void TopMethods(string path)
{
	foreach (var method in SampledCalls(path).ByIDSortedExclusiveMetric().Take(10))
		Console.WriteLine($"{method.ExclusiveMetric,10:f1} ms  {method.Name}");
}

static void Callers(string name, string path)
{
	var tree = SampledCalls(path);
	var method = tree.ByIDSortedExclusiveMetric().First(m => m.Name.Contains(name));

	Console.WriteLine(method.Name);
	foreach (var caller in AggregateCallTreeNode.CallerTree(method).Callees)
		Console.WriteLine($"{caller.InclusiveMetric,10:f1} ms  {caller.Name}");
}

static void LiveEvents(int pid)
{
	var collections = new EventPipeProvider("Microsoft-Windows-DotNETRuntime",
		System.Diagnostics.Tracing.EventLevel.Informational, 1);
	using var session = new DiagnosticsClient(pid).StartEventPipeSession(collections);
	using var source = new EventPipeEventSource(session.EventStream);

	source.Clr.GCStart += gc => Console.WriteLine($"GC {gc.Count}: {gc.Reason}");
	source.Process();
}

static void CustomEvent(string path)
{
	using var source = new EventPipeEventSource(path);

	source.Dynamic.AddCallbackForProviderEvent("Orders", "Order/Start", data =>
		Console.WriteLine($"order {data.PayloadByName("id")}: {data.PayloadByName("amount"):f2}"));
	source.Process();
}
