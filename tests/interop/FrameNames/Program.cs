// SPDX-License-Identifier: MIT
// FrameNames FILE - prints "frames N, named N": the frames of all call stacks in a trace, and
// those for which TraceEvent knows the method.
using Microsoft.Diagnostics.Tracing.Etlx;

if (args.Length != 1)
{
	Console.Error.WriteLine("usage: FrameNames FILE");
	return 2;
}

string log = TraceLog.CreateFromEventPipeDataFile(args[0], args[0] + ".etlx");
using var trace = new TraceLog(log);
long frames = 0, named = 0;

foreach (var data in trace.Events)
	for (TraceCallStack? at = data.CallStack(); at != null; at = at.Caller)
	{
		frames++;
		if (at.CodeAddress.Method != null)
			named++;
	}
Console.WriteLine($"frames {frames}, named {named}");
return 0;
