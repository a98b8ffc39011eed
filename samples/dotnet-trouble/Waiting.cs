// SPDX-License-Identifier: MIT
// Threads that make no progress, calls to a service that is slow or down, and a slow start.
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Text;

namespace Trouble;

static class Waiting
{
	// Two threads want both of two locks. Each takes one, finds the other one taken, and gives up, again and again.
	public static void Livelock(TimeSpan time)
	{
		object left = new(), right = new();
		var clock = Stopwatch.StartNew();
		int met = 0;
		bool over = false;
		Thread[] threads = [new(() => TakeBoth(left, right)), new(() => TakeBoth(right, left))];

		foreach (Thread thread in threads)
			thread.Start();
		foreach (Thread thread in threads)
			thread.Join();

		[MethodImpl(MethodImplOptions.NoInlining)]
		void TakeBoth(object first, object second)
		{
			for (int round = 1; !over; round += 2)
				lock (first)
				{
					StepAside(round);
					bool taken = Monitor.TryEnter(second);
					StepAside(round + 1);
					if (taken)
						Monitor.Exit(second);
				}
		}

		// Until the other one has come as far. They end when one sees that it is time.
		[MethodImpl(MethodImplOptions.NoInlining)]
		void StepAside(int round)
		{
			Interlocked.Increment(ref met);
			for (int i = 0; Volatile.Read(ref met) < 2 * round && !Volatile.Read(ref over); i++)
			{
				Thread.SpinWait(100);
				if (clock.Elapsed >= time)
					Volatile.Write(ref over, true);
			}
		}
	}

	// Work that waits for long comes faster than the pool adds threads for it.
	public static void Queue(TimeSpan time)
	{
		var clock = Stopwatch.StartNew();

		ThreadPool.SetMinThreads(2, 2);
		while (clock.Elapsed < time)
		{
			ThreadPool.QueueUserWorkItem(_ => WaitForPayment());
			Thread.Sleep(50);
		}

		[MethodImpl(MethodImplOptions.NoInlining)]
		static void WaitForPayment() => Thread.Sleep(20_000);
	}

	// A shop asks a service for prices, which takes 300 ms for every third one, and another service that is down.
	public static void Calls(TimeSpan time)
	{
		var prices = new TcpListener(IPAddress.Loopback, 0); // which serves to the end of the program
		var clock = Stopwatch.StartNew();
		int port, down;

		prices.Start();
		port = ((IPEndPoint)prices.LocalEndpoint).Port;
		using (var free = new TcpListener(IPAddress.Loopback, 0))
		{
			free.Start();
			down = ((IPEndPoint)free.LocalEndpoint).Port;
		}
		new Thread(() => Answer(prices)) { IsBackground = true }.Start();
		Buy().Wait();

		async Task Buy()
		{
			using var client = new HttpClient();

			for (int i = 0; clock.Elapsed < time; i++)
			{
				await client.GetStringAsync($"http://127.0.0.1:{port}/{(i % 3 == 0 ? "quote" : "price")}");
				try
				{
					if (i % 5 == 0)
						await client.GetStringAsync($"http://127.0.0.1:{down}/stock");
				}
				catch (HttpRequestException)
				{
					// it is sold all the same
				}
				if (i == 0)
					Console.WriteLine("ready");
			}
		}
	}

	static void Answer(TcpListener prices)
	{
		while (true)
		{
			TcpClient client = prices.AcceptTcpClient();

			new Thread(() => AnswerOne(client)) { IsBackground = true }.Start();
		}
	}

	static void AnswerOne(TcpClient client)
	{
		using var reader = new StreamReader(client.GetStream());

		while (reader.ReadLine() is string request)
		{
			while (!string.IsNullOrEmpty(reader.ReadLine()))
				;
			Thread.Sleep(request.Contains("quote") ? 300 : 2);
			client.GetStream().Write(Encoding.ASCII.GetBytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n42"));
		}
	}

	// What a program does before it is ready: it reads its settings from a slow disk, and checks them one by one.
	public static void Start(TimeSpan time)
	{
		var clock = Stopwatch.StartNew();

		ReadSettings();
		Program.Compile(TimeSpan.FromSeconds(0.3));
		Console.WriteLine($"ready after {clock.ElapsedMilliseconds} ms");
		if (time > clock.Elapsed)
			Thread.Sleep(time - clock.Elapsed);

		[MethodImpl(MethodImplOptions.NoInlining)]
		static void ReadSettings() => Thread.Sleep(700);
	}
}
