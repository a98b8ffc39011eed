/* SPDX-License-Identifier: MIT */
/* libcart.so of native.nettrace: see record_native. */
typedef unsigned long long item;

static inline __attribute__((always_inline)) item tax(item price)
{
	for (int i = 0; i < 3; i++)
		price = price * 6364136223846793005u + 1;
	return price;
}

static inline __attribute__((always_inline)) item discount(item price)
{
	return tax(price) ^ price >> 7;
}

__attribute__((noinline)) static item hidden_total(item price)
{
	return discount(price) + 1;
}

__attribute__((noinline)) item cart_sum(item price)
{
	return hidden_total(price) * 3;
}

__attribute__((noinline)) item cart_recurse(item price, int depth)
{
	return depth ? cart_recurse(price + 1, depth - 1) + 1 : cart_sum(price);
}

__attribute__((noinline, noreturn)) void cart_stop(void)
{
	for (;;)
		;
}

/* The address to return to is the first one of the next function. */
__attribute__((noinline)) void cart_fail(void)
{
	cart_stop();
}

item cart_checkout(item price)
{
	return cart_recurse(price, 3) + cart_sum(price);
}
