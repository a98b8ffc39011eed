// SPDX-License-Identifier: MIT
// WriterCheck COMMAND FILE - what .NET's own reader sees in a trace that we wrote:
//
//	common	one line an event: provider, process, thread, ms since the start, processor,
//		activities, stack; then the number of lost events
//	fields	the same with name, level, opcode, keywords, version, fields and labels instead
//	tail	the number of events, and the last one's name and fields
//	names	the frames of the samples, named by mappings and symbols
using System.Collections;
using System.Globalization;
using System.Reflection;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Etlx;
using Microsoft.Diagnostics.Tracing.Parsers;

CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
if (args.Length == 2)
	switch (args[0])
	{
	case "common":
		return Common(args[1]);
	case "fields":
		return Fields(args[1]);
	case "tail":
		return Tail(args[1]);
	case "names":
		return Names(args[1]);
	}
Console.Error.WriteLine("usage: WriterCheck common|fields|tail|names FILE");
return 2;

// Two readings: the stream has what the events carry, the log their stacks. Both are in order.
static int Common(string path)
{
	var stacks = new Queue<string>(Stacks(path));
	using EventPipeEventSource source = Open(path);

	source.AllEvents += e => Console.WriteLine(
		$"{e.ProviderName} {e.ProcessID} {e.ThreadID} {e.TimeStampRelativeMSec:F6} " +
		$"{e.ProcessorNumber} {Text(e.ActivityID)} {Text(e.RelatedActivityID)}{stacks.Dequeue()}");
	source.Process();
	Console.WriteLine($"lost {source.EventsLost}");
	return stacks.Count == 0 ? 0 : 1;
}

static int Fields(string path)
{
	using EventPipeEventSource source = Open(path);

	source.AllEvents += e => Console.WriteLine(
		$"{e.ProviderName}/{e.EventName} level {(int)e.Level} opcode {(int)e.Opcode} " +
		$"keywords {(ulong)e.Keywords:x} version {e.Version}{Payload(e)}{Labels(source)}");
	source.Process();
	return 0;
}

static int Tail(string path)
{
	using EventPipeEventSource source = Open(path);
	string last = "";
	int count = 0;

	source.AllEvents += e =>
	{
		count++;
		last = $"{e.ProviderName}/{e.EventName}{Payload(e)}";
	};
	source.Process();
	Console.WriteLine($"{count} lost {source.EventsLost} {last}");
	return 0;
}

static int Names(string path)
{
	using TraceLog log = OpenLog(path);

	foreach (TraceEvent e in log.Events)
		if (e.ProviderName == "Universal.Events")
		{
			Console.Write($"{e.EventName} in {e.ProcessName}:");
			for (TraceCallStack s = e.CallStack(); s != null; s = s.Caller)
				Console.Write($" {s.CodeAddress.ModuleName}!{s.CodeAddress.FullMethodName}");
			Console.WriteLine();
		}
	return 0;
}

static EventPipeEventSource Open(string path)
{
	var source = new EventPipeEventSource(path);

	// events without a parser have neither names nor fields
	source.Dynamic.All += _ => { };
	new UniversalSystemTraceEventParser(source).All += _ => { };
	new UniversalEventsTraceEventParser(source).All += _ => { };
	return source;
}

static TraceLog OpenLog(string path)
{
	string log = TraceLog.CreateFromEventPipeDataFile(path, path + ".etlx");
	return new TraceLog(log);
}

static List<string> Stacks(string path)
{
	var stacks = new List<string>();
	using TraceLog log = OpenLog(path);

	foreach (TraceEvent e in log.Events)
	{
		string text = "";
		for (TraceCallStack s = e.CallStack(); s != null; s = s.Caller)
			text += $" {s.CodeAddress.Address:x}";
		stacks.Add(text);
	}
	return stacks;
}

static string Text(Guid guid) => guid == Guid.Empty ? "-" : guid.ToString();

static string Payload(TraceEvent e)
{
	string text = "";
	string[] names = e.PayloadNames ?? [];
	for (int i = 0; i < names.Length; i++)
		text += $" {names[i]}={Value(e.PayloadValue(i))}";
	return text;
}

static string Value(object? value) => value switch
{
	null => "null",
	string text => $"\"{text}\"",
	DateTime time => time.ToUniversalTime().ToString("O"),
	IDictionary<string, object> fields =>
		"{" + string.Join(",", fields.Select(f => $"{f.Key}:{Value(f.Value)}")) + "}",
	IEnumerable list => "[" + string.Join(",", list.Cast<object?>().Select(Value)) + "]",
	_ => $"{value}",
};

// Labels other than activities are not public.
static string Labels(EventPipeEventSource source)
{
	const BindingFlags any = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
	object? list = source.GetType().GetMethod("GetLastLabelList", any)?.Invoke(source, null);
	string text = "";

	if (list?.GetType().GetProperty("AllLabels", any)?.GetValue(list) is IEnumerable labels)
		foreach (object label in labels)
			text += $" {label}";
	return text == "" ? "" : " |" + text;
}
