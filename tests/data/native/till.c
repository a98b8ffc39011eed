/* SPDX-License-Identifier: MIT */
/* libtill.so of native.nettrace, which has no symbols but the exported one: see record_native. */
__attribute__((noinline)) static int count_coins(int coins)
{
	return coins * 7 % 11;
}

int till_open(int coins)
{
	return count_coins(coins) + 1;
}
