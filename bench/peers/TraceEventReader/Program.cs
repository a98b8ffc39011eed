// SPDX-License-Identifier: MIT
// TraceEventReader count FILE [PASSES] - reads FILE PASSES times (3) with TraceEvent and counts its
// events. Prints one line of JSON.
using System.Diagnostics;
using System.Globalization;
using Microsoft.Diagnostics.Tracing;

if (args.Length is < 2 or > 3 || args[0] != "count")
{
	Console.Error.WriteLine("usage: TraceEventReader count FILE [PASSES]");
	return 2;
}

int passes = args.Length > 2 ? int.Parse(args[2]) : 3;
long events = 0, lost = 0;
double best = double.MaxValue, first = 0;

for (int pass = 0; pass < passes; pass++)
{
	long start = Stopwatch.GetTimestamp();
	(events, lost) = Count(args[1]);
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

static long PeakRssKb()
{
	foreach (string line in File.ReadLines("/proc/self/status"))
		if (line.StartsWith("VmHWM:"))
			return long.Parse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1]);
	return 0;
}
