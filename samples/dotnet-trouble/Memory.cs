// SPDX-License-Identifier: MIT
// Memory that is never released, and assemblies that are loaded again and again.
using System.Diagnostics;
using System.Reflection;
using System.Runtime.Loader;

namespace Trouble;

record Session(int Id, byte[] Basket);

static class Memory
{
	static readonly Dictionary<int, Session> Sessions = [];

	// Each visitor gets a session, and no session ever ends.
	public static void Leak(TimeSpan time)
	{
		var clock = Stopwatch.StartNew();

		for (int id = 0; clock.Elapsed < time; id++)
		{
			// not without bound: the program may be left running for a while
			Sessions[id % 200_000] = new Session(id, new byte[2000]);
			for (int i = 0; i < 20; i++)
				GC.KeepAlive(new byte[1000]); // and garbage, which is collected
			if (id % 20 == 0)
				Thread.Sleep(5);
		}
	}

	// A plugin is loaded for each job, into a context of its own; and its satellite is not there.
	public static void Plugins(TimeSpan time)
	{
		var clock = Stopwatch.StartNew();
		string plugin = Assembly.GetExecutingAssembly().Location;

		while (clock.Elapsed < time)
		{
			var context = new AssemblyLoadContext("job", isCollectible: true);

			context.LoadFromAssemblyPath(plugin);
			try
			{
				context.LoadFromAssemblyName(new AssemblyName("Trouble.Discounts"));
			}
			catch (FileNotFoundException)
			{
				// the program works without it
			}
			context.Unload();
			Thread.Sleep(20);
		}
	}
}
