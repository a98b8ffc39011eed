// SPDX-License-Identifier: MIT
// Does, in rounds and until it is killed, something for each profile to see. Says the number of each.
using System.Diagnostics;
using System.Linq.Expressions;
using System.Net;
using System.Net.Security;
using System.Runtime.Loader;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

await using WebApplication server = Server();
await server.StartAsync();
int port = new Uri(server.Services.GetRequiredService<IServer>().Features
	.Get<IServerAddressesFeature>()!.Addresses.First()).Port;
var gate = new object();
// a heap that is worth a collection in the background
byte[][] kept = [.. Enumerable.Range(0, 20_000).Select(_ => new byte[2_000])];
var commands = new DiagnosticListener("SqlClientDiagnosticListener");
var entities = new DiagnosticListener("Microsoft.EntityFrameworkCore");

for (int round = 1; ; round++)
{
	await Request(port);
	Throw();
	Contend(gate);
	await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Run(() => Thread.Sleep(1))));
	Allocate();
	GC.Collect(0);
	if (round % 4 == 0)
		GC.Collect(2, GCCollectionMode.Forced, blocking: false);
	GC.KeepAlive(kept);
	Load();
	Compile(round);
	Query(commands, "Microsoft.Data.SqlClient.WriteCommandBefore", "Microsoft.Data.SqlClient.WriteCommandAfter");
	Query(entities, "Microsoft.EntityFrameworkCore.Database.Command.CommandExecuting",
		"Microsoft.EntityFrameworkCore.Database.Command.CommandExecuted");
	Console.WriteLine($"round {round}");
	await Task.Delay(20);
}

static WebApplication Server()
{
	WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();

	builder.Logging.ClearProviders();
	builder.WebHost.UseKestrelHttpsConfiguration();
	builder.WebHost.ConfigureKestrel(options =>
		options.Listen(IPAddress.Loopback, 0, listen => listen.UseHttps(Certificate())));

	WebApplication app = builder.Build();

	app.MapGet("/", async () => { await Task.Yield(); return "hello"; });
	app.MapGet("/busy", () => Results.StatusCode(503));
	return app;
}

static X509Certificate2 Certificate()
{
	using var key = RSA.Create(2048);
	var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);

	return request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
}

// A connection of its own: the name is looked up, a socket opened, hands are shaken.
static async Task Request(int port)
{
	using var handler = new SocketsHttpHandler
	{
		SslOptions = new SslClientAuthenticationOptions
		{
			RemoteCertificateValidationCallback = (_, _, _, _) => true
		}
	};
	using var client = new HttpClient(handler);

	await client.GetStringAsync($"https://localhost:{port}/");
	using HttpResponseMessage busy = await client.GetAsync($"https://localhost:{port}/busy");
}

static void Throw()
{
	try
	{
		throw new InvalidOperationException("on purpose");
	}
	catch (InvalidOperationException)
	{
	}
}

static void Contend(object gate)
{
	var other = new Thread(() => { lock (gate) Thread.Sleep(2); });

	lock (gate)
	{
		other.Start();
		while ((other.ThreadState & System.Threading.ThreadState.WaitSleepJoin) == 0)
			Thread.Yield();
		Thread.Sleep(2);
	}
	other.Join();
}

static void Allocate()
{
	for (int i = 0; i < 100; i++)
		GC.KeepAlive(new byte[10_000]);
}

static void Load()
{
	var context = new AssemblyLoadContext("again", isCollectible: true);

	context.LoadFromAssemblyPath(typeof(Command).Assembly.Location);
	context.Unload();
}

static void Compile(int round)
{
	ParameterExpression x = Expression.Parameter(typeof(int));

	Expression.Lambda<Func<int, int>>(Expression.Add(x, Expression.Constant(round)), x).Compile()(1);
}

// What a client library of a database tells, told by ourselves.
static void Query(DiagnosticListener listener, string before, string after)
{
	var command = new Command("select 'a;b', count(*) from orders", new Connection("Server=nowhere;Database=shop"));

	if (!listener.IsEnabled(before))
		return;
	listener.Write(before, new { Command = command, ConnectionId = Guid.Empty, Operation = "ExecuteReader", IsAsync = false });
	listener.Write(after, new { Command = command });
}

record Connection(string ConnectionString)
{
	public string Database => "shop";
	public string DataSource => "nowhere";
	public string ServerVersion => "1.0";
	public int PacketSize => 8000;
}

record Command(string CommandText, Connection Connection)
{
	public int CommandTimeout => 30;
	public string CommandType => "Text";
}
