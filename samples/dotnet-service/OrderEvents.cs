// SPDX-License-Identifier: MIT
using System.Diagnostics.Tracing;

namespace Orders;

[EventSource(Name = "Orders")]
sealed class OrderEvents : EventSource
{
	public static readonly OrderEvents Log = new();

	[Event(1)]
	public void OrderStart(int id, double amount) => WriteEvent(1, id, amount);

	[Event(2)]
	public void OrderStop(int id, double amount) => WriteEvent(2, id, amount);
}
