// SPDX-License-Identifier: MIT
// XmlStacks FILE...: .NET's XML reader, which PerfView has, reads each file to its end. What ends in .zip is PerfView's
// stacks: it follows them as PerfView does, and prints the exclusive and inclusive weight, in nanoseconds, and the name
// of each frame of the last one that has any, without those of processes and threads.
using System.Globalization;
using System.IO.Compression;
using System.Xml;

var bad = 0;
foreach (var file in args)
	try {
		if (file.EndsWith(".zip", StringComparison.Ordinal))
			Stacks.Read(file, file == args[^1]);
		else
			using (var reader = XmlReader.Create(file))
				while (reader.Read()) { }
	} catch (Exception problem) when (problem is XmlException or InvalidDataException or FormatException or ArgumentException) {
		Console.Error.WriteLine($"{file}: {problem.Message}");
		bad = 1;
	}
return bad;

static class Stacks {
	public static void Read(string file, bool print)
	{
		using var archive = ZipFile.OpenRead(file);
		if (archive.Entries.Count != 1)
			throw new InvalidDataException("it is not one file");
		using var reader = XmlReader.Create(archive.Entries[0].Open(), new XmlReaderSettings { IgnoreWhitespace = true });
		var frames = new List<string>();
		var stacks = new List<(int Caller, int Frame)>();
		var own = new decimal[0];
		var whole = new decimal[0];
		while (reader.Read()) {
			if (reader.NodeType != XmlNodeType.Element)
				continue;
			int Number(string name) => int.Parse(reader.GetAttribute(name)!, CultureInfo.InvariantCulture);
			switch (reader.Name) {
			case "Frame":
				if (Number("ID") != frames.Count)
					throw new InvalidDataException("a frame is not in its place");
				reader.Read();
				frames.Add(reader.ReadContentAsString()); // the element's end is next
				break;
			case "Stack":
				stacks.Add((Number("CallerID"), Number("FrameID")));
				if (stacks[^1].Caller >= stacks.Count - 1 || stacks[^1].Frame >= frames.Count)
					throw new InvalidDataException("a stack has a caller or a frame that is not there");
				break;
			case "Samples":
				own = new decimal[frames.Count];
				whole = new decimal[frames.Count];
				break;
			case "Sample":
				_ = double.Parse(reader.GetAttribute("Time")!, CultureInfo.InvariantCulture);
				Add(stacks, Number("StackID"), decimal.Parse(reader.GetAttribute("Metric")!, CultureInfo.InvariantCulture), own, whole);
				break;
			}
		}
		for (var i = 0; print && i < frames.Count; i++)
			if (whole[i] > 0 && !frames[i].StartsWith("Process ", StringComparison.Ordinal) &&
				!frames[i].StartsWith("Thread (", StringComparison.Ordinal))
				Console.WriteLine($"{own[i] * 1000000:F0} {whole[i] * 1000000:F0} {frames[i]}");
	}

	static void Add(List<(int Caller, int Frame)> stacks, int stack, decimal weight, decimal[] own, decimal[] whole)
	{
		var seen = new HashSet<int>();
		own[stacks[stack].Frame] += weight;
		for (; stack >= 0; stack = stacks[stack].Caller)
			if (seen.Add(stacks[stack].Frame))
				whole[stacks[stack].Frame] += weight;
	}
}
