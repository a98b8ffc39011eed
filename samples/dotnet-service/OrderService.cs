// SPDX-License-Identifier: MIT
using System.Collections.Concurrent;

namespace Orders;

record Order(int Id, int Quantity, double Price);

class OrderRejectedException(Order order) : Exception($"order {order.Id} is too large");

// Orders wait in a queue; each worker thread prices them, books them in the ledger and ships them.
class OrderService
{
	const int LargestQuantity = 7;
	const int PageSize = 16;   // entries of the ledger until it is written
	const int HistorySize = 400;

	readonly BlockingCollection<Order> queue = [];
	readonly ConcurrentBag<Task> shipments = [];
	readonly object ledger = new();
	readonly byte[][] history = new byte[HistorySize][]; // guarded by the ledger's lock

	public int Served { get; private set; } // these too
	public int Rejected { get; private set; }
	public double Total { get; private set; }

	public void Take(Order order) => queue.Add(order);

	public void Close() => queue.CompleteAdding();

	public Task AllShipped() => Task.WhenAll(shipments);

	public Thread StartWorker(string name)
	{
		var thread = new Thread(Work) { Name = name };

		thread.Start();
		return thread;
	}

	void Work()
	{
		foreach (Order order in queue.GetConsumingEnumerable())
		{
			OrderEvents.Log.OrderStart(order.Id, order.Quantity * order.Price);
			Serve(order);
			OrderEvents.Log.OrderStop(order.Id, order.Quantity * order.Price);
		}
	}

	void Serve(Order order)
	{
		try
		{
			Book(order, Price(order), PrintInvoice(order));
			shipments.Add(Ship(order));
		}
		catch (OrderRejectedException)
		{
			lock (ledger)
				Rejected++;
		}
	}

	// The discount that a number of rounds converges to: CPU work.
	static double Price(Order order)
	{
		if (order.Quantity > LargestQuantity)
			throw new OrderRejectedException(order);

		double discount = 0;

		for (int round = 1; round <= 40_000 * order.Quantity; round++)
			discount += Math.Sin(order.Price * round) / round;
		return order.Quantity * order.Price - Math.Abs(discount);
	}

	// Mostly short-lived objects, and a page of them that is kept for a while.
	static byte[] PrintInvoice(Order order)
	{
		byte[] page = [];

		for (int line = 0; line < 30 * order.Quantity; line++)
			page = new byte[1000 + line];
		return page;
	}

	void Book(Order order, double amount, byte[] invoice)
	{
		lock (ledger)
		{
			Total += amount;
			history[order.Id % HistorySize] = invoice;
			if (++Served % PageSize == 0)
				Thread.Sleep(4); // writing a page, while the other worker waits
		}
	}

	static async Task Ship(Order order)
	{
		await Task.Delay(order.Quantity);
		await Task.Yield();
	}
}
