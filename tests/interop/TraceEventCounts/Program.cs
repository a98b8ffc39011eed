// SPDX-License-Identifier: MIT
// TraceEventCounts FILE - prints "provider id version count" of every kind of event in FILE.
//
// It reads twice. Its parsers know the names of providers, but give some events an id of their own
// (GC/DynamicTraceEvent is 65524 instead of 39), so the counts are of a reading without them.
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.EventPipe;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;

if (args.Length != 1)
{
	Console.Error.WriteLine("usage: TraceEventCounts FILE");
	return 2;
}

Dictionary<Guid, string> names = ProviderNames(args[0]);
var counts = new Dictionary<(Guid Provider, int Id, int Version), long>();

using var source = new EventPipeEventSource(args[0]);

source.AllEvents += data =>
{
	var kind = (data.ProviderGuid, (int)data.ID, data.Version);
	counts[kind] = counts.GetValueOrDefault(kind) + 1;
};
source.Process();
foreach (var (kind, count) in counts)
	Console.WriteLine($"{names[kind.Provider]} {kind.Id} {kind.Version} {count}");
return 0;

static Dictionary<Guid, string> ProviderNames(string path)
{
	var names = new Dictionary<Guid, string>();
	using var source = new EventPipeEventSource(path);

	source.Clr.All += Learn;
	source.Dynamic.All += Learn;
	new ClrRundownTraceEventParser(source).All += Learn;
	new SampleProfilerTraceEventParser(source).All += Learn;
	source.Process();
	return names;

	void Learn(TraceEvent data) => names[data.ProviderGuid] = data.ProviderName;
}
