// SPDX-License-Identifier: MIT
using Xunit;

public class Sums
{
	[Fact]
	public void AddUp() => Assert.Equal(4, 2 + 2);
}
