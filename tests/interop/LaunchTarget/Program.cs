// SPDX-License-Identifier: MIT
// LaunchTarget exit CODE		ends at once with that code
// LaunchTarget work SECONDS		works so long; Ctrl+C makes it say "heard" and end with 3
// LaunchTarget signal NUMBER		sends itself that signal
// LaunchTarget children COUNT		starts itself so often, to end at once, and waits for them
// LaunchTarget watch SECONDS		watches the current directory, and says at its end how often it was woken
// LaunchTarget echo			says again what it reads, line by line
// LaunchTarget terminal		says what it knows of its terminal, and which keys are pressed

using System.Diagnostics;
using System.Runtime.InteropServices;

if (args.Length == 0)
	return 2;
int number = args.Length > 1 ? int.Parse(args[1]) : 0;

switch (args[0])
{
case "exit":
	return number;
case "work":
	return Work(number);
case "signal":
	kill(Environment.ProcessId, number);
	Thread.Sleep(10_000);
	return 1;
case "children":
	return Children(number);
case "watch":
	return Watch(number);
case "echo":
	while (Console.ReadLine() is { } line)
		Console.WriteLine($"read {line}");
	return 0;
case "terminal":
	return Terminal();

default:
	return 2;
}

[DllImport("libc")]
static extern int kill(int pid, int signal);

static int Watch(int seconds)
{
	int woken = 0;
	using var watcher = new FileSystemWatcher(".") { IncludeSubdirectories = true };
	watcher.Created += (_, _) => Interlocked.Increment(ref woken);
	watcher.Changed += (_, _) => Interlocked.Increment(ref woken);
	watcher.EnableRaisingEvents = true;
	int code = Work(seconds);
	Console.WriteLine($"woken {woken}");
	return code;
}

static int Work(int seconds)
{
	using var heard = new ManualResetEventSlim();
	using var interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, context =>
	{
		context.Cancel = true;
		heard.Set();
	});
	Console.WriteLine("works");
	for (DateTime end = DateTime.UtcNow.AddSeconds(seconds); DateTime.UtcNow < end;)
	{
		Spin();
		if (!heard.Wait(1))
			continue;
		Console.WriteLine("heard");
		return 3;
	}
	return 0;
}

static int Terminal()
{
	using var resized = PosixSignalRegistration.Create(PosixSignal.SIGWINCH, _ => Show("resized"));

	Show("terminal");
	for (char key = ' '; key != 'q';)
		Console.WriteLine($"key {key = Console.ReadKey(true).KeyChar}");
	return 4;

	static void Show(string what) =>
		Console.WriteLine($"{what} {!Console.IsInputRedirected} {!Console.IsOutputRedirected} " +
			$"{!Console.IsErrorRedirected} {Console.WindowWidth}x{Console.WindowHeight}");
}

static void Spin()
{
	long end = Stopwatch.GetTimestamp() + Stopwatch.Frequency / 100;

	while (Stopwatch.GetTimestamp() < end)
		;
}

static int Children(int count)
{
	for (int i = 0; i < count; i++)
		using (var child = Process.Start(Environment.ProcessPath!, ["exit", "0"]))
			child.WaitForExit();
	return 0;
}
