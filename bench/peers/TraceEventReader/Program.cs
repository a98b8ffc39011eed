// SPDX-License-Identifier: MIT
// TraceEventReader MODE FILE [PASSES] - reads FILE PASSES times (3) with TraceEvent and counts its
// events, decodes all their fields or two of them by name, writes them as JSON lines to nowhere, or
// assembles garbage collections, which are then counted instead. Prints one line of JSON.
using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Analysis;

if (args.Length is < 2 or > 3 || args[0] is not ("count" or "decode" or "field" or "json" or "gc"))
{
	Console.Error.WriteLine("usage: TraceEventReader count|decode|field|json|gc FILE [PASSES]");
	return 2;
}

int passes = args.Length > 2 ? int.Parse(args[2]) : 3;
long events = 0, lost = 0;
double best = double.MaxValue, first = 0;

for (int pass = 0; pass < passes; pass++)
{
	long start = Stopwatch.GetTimestamp();
	(events, lost) = args[0] switch
	{
		"count" => Count(args[1]),
		"decode" => Decode(args[1]),
		"field" => DecodeTwo(args[1]),
		"gc" => Collections(args[1]),
		_ => Write(args[1]),
	};
	double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;

	if (pass == 0)
		first = seconds;
	best = Math.Min(best, seconds);
}
long peak = PeakRssKb();

Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
	$$"""{"events":{{events}},"lost":{{lost}},"best_seconds":{{best:F6}},""" +
	$$""" "first_seconds":{{first:F6}},"peak_rss_kb":{{peak}}}"""));
return 0;

static (long Events, long Lost) Count(string path)
{
	using var source = new EventPipeEventSource(path);
	long events = 0;

	source.AllEvents += _ => events++;
	source.Process();
	return (events, source.EventsLost);
}

static (long Events, long Lost) Decode(string path)
{
	using var source = new EventPipeEventSource(path);
	long events = 0;

	source.Dynamic.All += e =>
	{
		events++;
		for (int i = 0; i < e.PayloadNames.Length; i++)
			e.PayloadValue(i);
	};
	source.Clr.All += _ => events++;
	source.UnhandledEvents += _ => events++;
	source.Process();
	return (events, source.EventsLost);
}

static (long Events, long Lost) DecodeTwo(string path)
{
	using var source = new EventPipeEventSource(path);
	long events = 0, sum = 0;

	source.Dynamic.All += e =>
	{
		events++;
		sum += (e.PayloadByName("a") as long? ?? 0) + (e.PayloadByName("d") as long? ?? 0);
	};
	source.Clr.All += _ => events++;
	source.UnhandledEvents += _ => events++;
	source.Process();
	GC.KeepAlive(sum);
	return (events, source.EventsLost);
}

static (long Events, long Lost) Collections(string path)
{
	using var source = new EventPipeEventSource(path);
	long count = 0;

	source.NeedLoadedDotNetRuntimes();
	source.Process();
	foreach (var process in source.Processes())
		count += process.LoadedDotNetRuntime()?.GC.GCs.Count ?? 0;
	return (count, source.EventsLost);
}

static (long Events, long Lost) Write(string path)
{
	using var source = new EventPipeEventSource(path);
	using var writer = new Utf8JsonWriter(Stream.Null, new JsonWriterOptions { SkipValidation = true });
	long events = 0;

	void Event(TraceEvent e)
	{
		events++;
		writer.Reset();
		writer.WriteStartObject();
		writer.WriteNumber("time_ns", (long)(e.TimeStampRelativeMSec * 1e6));
		writer.WriteString("timestamp", e.TimeStamp.ToUniversalTime());
		writer.WriteString("provider", e.ProviderName);
		writer.WriteString("name", e.EventName);
		writer.WriteNumber("id", (int)e.ID);
		writer.WriteNumber("version", e.Version);
		writer.WriteNumber("level", (int)e.Level);
		writer.WriteString("keywords", "0x" + ((ulong)e.Keywords).ToString("x"));
		writer.WriteNumber("opcode", (int)e.Opcode);
		writer.WriteNumber("process_id", e.ProcessID);
		writer.WriteNumber("thread_id", e.ThreadID);
		writer.WriteStartObject("payload");
		for (int i = 0; i < e.PayloadNames.Length; i++)
			Value(e.PayloadNames[i], e.PayloadValue(i));
		writer.WriteEndObject();
		writer.WriteEndObject();
		writer.Flush();
	}

	void Value(string name, object? value)
	{
		switch (value)
		{
		case long number: writer.WriteNumber(name, number); break;
		case int number: writer.WriteNumber(name, number); break;
		case ulong number: writer.WriteNumber(name, number); break;
		case double number: writer.WriteNumber(name, number); break;
		case bool flag: writer.WriteBoolean(name, flag); break;
		default: writer.WriteString(name, value?.ToString()); break;
		}
	}

	source.Dynamic.All += Event;
	source.Clr.All += Event;
	source.Process();
	return (events, source.EventsLost);
}

static long PeakRssKb()
{
	foreach (string line in File.ReadLines("/proc/self/status"))
		if (line.StartsWith("VmHWM:"))
			return long.Parse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1]);
	return 0;
}
