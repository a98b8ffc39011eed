// SPDX-License-Identifier: MIT
// A web shop on a free port of 127.0.0.1, and its customers.
using System.Diagnostics;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Trouble;

static class Shop
{
	// Four customers ask for these paths in turn: /pay always fails, and /report takes long.
	public static async Task Serve(TimeSpan time, string[] paths)
	{
		await using WebApplication shop = Build();

		await shop.StartAsync();
		string address = shop.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.First();
		Console.WriteLine("ready");
		await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Visit(address, time, paths)));
		await shop.StopAsync();
	}

	static WebApplication Build()
	{
		WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();

		builder.WebHost.UseSetting("urls", "http://127.0.0.1:0");
		builder.Logging.ClearProviders();
		WebApplication shop = builder.Build();
		shop.MapGet("/orders", () => "two orders");
		shop.MapGet("/basket", () => "empty");
		shop.MapGet("/pay", () => Results.StatusCode(500));
		shop.MapGet("/report", async () =>
		{
			await Task.Delay(400);
			return "a good year";
		});
		return shop;
	}

	static async Task Visit(string address, TimeSpan time, string[] paths)
	{
		using var customer = new HttpClient { BaseAddress = new Uri(address) };
		var clock = Stopwatch.StartNew();

		for (int i = 0; clock.Elapsed < time; i = (i + 1) % paths.Length)
		{
			using HttpResponseMessage answer = await customer.GetAsync(paths[i]);
			await Task.Delay(10);
		}
	}
}
