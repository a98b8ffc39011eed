// SPDX-License-Identifier: MIT
// Uses processors in ways that are easy to misjudge. Each runs until standard input ends.
using System.IO.Compression;
using System.Net.Sockets;
using System.Net;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;

string shape = args[0];
int count = args.Length > 1 ? int.Parse(args[1]) : 1;
using var done = new CancellationTokenSource();

var work = new Dictionary<string, Action>
{
    ["busy"] = () => Spin(done.Token),
    ["sha"] = () => Repeat(Hash),
    ["brotli"] = () => Repeat(Compress),
    ["files"] = () => Repeat(Files),
    ["waiting"] = () => done.Token.WaitHandle.WaitOne(),
    ["short"] = () => Repeat(ShortThread),
    ["garbage"] = () => Repeat(Garbage),
    ["recurse"] = () => Repeat(() => Recurse(50)),
    ["many"] = () => Repeat(() => Recurse(50)),
};

Thread[] threads = shape == "web" ? [] : Enumerable.Range(0, count)
    .Select(i => new Thread(() => work[shape](), 256 * 1024) { Name = $"{shape} {i}", IsBackground = true })
    .ToArray();
foreach (Thread thread in threads)
    thread.Start();
if (shape == "web")
    _ = Serve();
Console.WriteLine("ready");
Console.In.ReadToEnd();
done.Cancel();
foreach (Thread thread in threads)
    thread.Join();
return 0;

void Repeat(Action action)
{
    while (!done.IsCancellationRequested)
        action();
}

[MethodImpl(MethodImplOptions.NoInlining)]
static void Spin(CancellationToken stop)
{
    ulong x = 88172645463325252;
    while (!stop.IsCancellationRequested)
        for (int i = 0; i < 100_000; i++)
        {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
        }
    GC.KeepAlive(x);
}

// Native code, entered now and then, for long.
[MethodImpl(MethodImplOptions.NoInlining)]
static void Hash() => SHA256.HashData(Data.Bytes);

[MethodImpl(MethodImplOptions.NoInlining)]
static void Compress()
{
    using var stream = new BrotliStream(Stream.Null, CompressionLevel.Optimal);
    stream.Write(Data.Bytes, 0, 256 * 1024);
}

// The kernel, entered often, for a moment.
[MethodImpl(MethodImplOptions.NoInlining)]
static void Files()
{
    for (int i = 0; i < 100; i++)
        File.Exists("/usr/share/none" + i);
}

// Too short to be seen between two readings.
void ShortThread()
{
    var thread = new Thread(() => Burn(TimeSpan.FromMilliseconds(1)), 256 * 1024);
    thread.Start();
    thread.Join();
}

static void Burn(TimeSpan time)
{
    long end = Environment.TickCount64 + Math.Max(1, (long)time.TotalMilliseconds);
    while (Environment.TickCount64 < end)
        ;
}

// Many collections, each of which stops this thread.
[MethodImpl(MethodImplOptions.NoInlining)]
static void Garbage()
{
    var kept = new List<byte[]>();
    for (int i = 0; i < 2000; i++)
        kept.Add(new byte[1000]);
    GC.KeepAlive(kept);
}

[MethodImpl(MethodImplOptions.NoInlining)]
static int Recurse(int depth)
{
    int sum = 0;
    for (int i = 0; i < 20_000; i++)
        sum += i ^ depth;
    return depth == 0 ? sum : sum + Recurse(depth - 1);
}

// Asked a few times a second.
async Task Serve()
{
    var listener = new TcpListener(IPAddress.Loopback, 0);
    listener.Start();
    while (!done.IsCancellationRequested)
    {
        using var client = new TcpClient();
        await client.ConnectAsync((IPEndPoint)listener.LocalEndpoint);
        using TcpClient server = await listener.AcceptTcpClientAsync();
        await server.GetStream().WriteAsync(new byte[100]);
        await client.GetStream().ReadExactlyAsync(new byte[100]);
        await Task.Delay(100);
    }
}

static class Data
{
    public static readonly byte[] Bytes = Make();

    static byte[] Make()
    {
        var bytes = new byte[4 * 1024 * 1024];
        new Random(1).NextBytes(bytes.AsSpan(0, bytes.Length / 2));
        return bytes;
    }
}
