/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "clr/method_text.h"

static void expect(const char *text, const char *frame, const char *source)
{
	struct buffer out = { 0 };

	method_text_frame(&out, text);
	buffer_u8(&out, 0);
	assert_string_equal((const char *)out.bytes, frame);
	buffer_rewind(&out, 0);
	method_text_source(&out, text);
	buffer_u8(&out, 0);
	assert_string_equal((const char *)out.bytes, source);
	buffer_release(&out);
}

static void a_method_is_named_like_a_frame(void **state)
{
	(void)state;
	expect("void [shop] Shop.Orders::Run(class Shop.Options,int32)",
	       "shop!Shop.Orders.Run(Options, int)", "Shop.Orders.Run(Options, int) [shop]");
	expect("instance class [System.Runtime]System.Threading.Tasks.Task [My.Web] "
	       "My.Web.Middleware::Invoke(class [My.Http]My.Http.Context)",
	       "My.Web!My.Web.Middleware.Invoke(Context)",
	       "My.Web.Middleware.Invoke(Context) [My.Web]");
	expect("instance void [My.Web] My.Web.Server+<Serve>d__2`1[System.__Canon]::MoveNext()",
	       "My.Web!My.Web.Server.Serve(…)", "My.Web.Server.Serve(…) [My.Web]");
}

static void texts_that_are_not_understood_stay(void **state)
{
	static const char *const texts[] = {
		"", "Main", "a::b", "[x] a::b(", "] ::(", "x] a::b()"
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		expect(texts[i], texts[i], texts[i]);
}

/* Any bytes, especially brackets. */
static void any_text_is_safe(void **state)
{
	static const char alphabet[] = "[] :(),`1+<>a";
	unsigned seed = 7;

	(void)state;
	for (int round = 0; round < 200000; round++) {
		struct buffer out = { 0 };
		char text[24];
		const size_t size = (seed = seed * 1103515245u + 12345u) >> 16 & 15;

		for (size_t at = 0; at < size; at++)
			text[at] = alphabet[((seed = seed * 1103515245u + 12345u) >> 16) %
					    (sizeof(alphabet) - 1)];
		text[size] = '\0';
		method_text_frame(&out, text);
		method_text_source(&out, text);
		buffer_release(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_method_is_named_like_a_frame),
		cmocka_unit_test(texts_that_are_not_understood_stay),
		cmocka_unit_test(any_text_is_safe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
