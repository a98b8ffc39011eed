// SPDX-License-Identifier: MIT
// orders [--seconds N] - serves made-up orders for N seconds (2), then prints how many.
using Orders;

int seconds = 2;

if (args.Length == 2 && args[0] == "--seconds" && int.TryParse(args[1], out int given) && given > 0)
	seconds = given;
else if (args.Length > 0)
{
	Console.Error.WriteLine("usage: orders [--seconds N]");
	return 2;
}

var service = new OrderService();
Thread[] workers = [service.StartWorker("worker 1"), service.StartWorker("worker 2")];

await TakeOrders(service, TimeSpan.FromSeconds(seconds));
foreach (Thread worker in workers)
	worker.Join();
await service.AllShipped();
Console.WriteLine($"{service.Served} orders served, {service.Rejected} rejected, " +
	$"{service.Total:F2} in the ledger");
return 0;

// A handful of orders every few milliseconds, the same ones in every run.
static async Task TakeOrders(OrderService service, TimeSpan time)
{
	var random = new Random(1);
	DateTime end = DateTime.UtcNow + time;

	for (int id = 1; DateTime.UtcNow < end; id++)
	{
		service.Take(new Order(id, Quantity: random.Next(1, 9), Price: random.Next(100, 10_000) / 100.0));
		if (id % 4 == 0)
			await Task.Delay(15);
	}
	service.Close();
}
