// SPDX-License-Identifier: MIT
// What ApplyStartupHook loads: a class of this name, outside of any namespace.
internal static class StartupHook
{
	public static void Initialize() => Console.WriteLine($"hooked, {Environment.GetEnvironmentVariable("CHECK_SET")}");
}
