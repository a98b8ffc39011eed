// SPDX-License-Identifier: MIT
#if WEB
using System;
using System.Linq;
using System.Net.Http;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

// A web server and its only visitor.
sealed class Site
{
	readonly HttpClient client = new();

	public static async Task<Site> Start()
	{
		WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();

		builder.Logging.ClearProviders().AddEventSourceLogger(); // which has statuses
		builder.WebHost.UseUrls("http://127.0.0.1:0");

		WebApplication app = builder.Build();

		app.MapGet("/fine", async () => { await Task.Delay(2); return "fine"; });
		app.MapGet("/broken", () => Results.StatusCode(500));
		await app.StartAsync();

		var site = new Site();

		site.client.BaseAddress = new Uri(app.Services.GetRequiredService<IServer>().Features
			.Get<IServerAddressesFeature>()!.Addresses.First());
		return site;
	}

	public async Task Visit()
	{
		foreach (string path in new[] { "/fine", "/broken", "/missing" })
			(await client.GetAsync(path)).Dispose();
	}
}
#endif
