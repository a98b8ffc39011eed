/* SPDX-License-Identifier: MIT */
#include "record/port_address.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void expect(const char *text, const char *path, bool connect)
{
	struct port_address address;
	struct pp_error err = { 0 };

	if (port_address_parse(&address, text, &err))
		fail_msg("%s: %s", text, err.text);
	assert_string_equal(address.path, path);
	assert_int_equal(address.connect, connect);
}

static void refuse(const char *text, enum pp_error_code code, const char *why)
{
	struct port_address address;
	struct pp_error err = { 0 };

	assert_int_equal(port_address_parse(&address, text, &err), -1);
	assert_int_equal(err.code, code);
	if (!strstr(err.text, why))
		fail_msg("%s: %s", text, err.text);
}

static void parses_every_form_of_a_path(void **state)
{
	(void)state;
	expect("/tmp/a.sock", "/tmp/a.sock", false);
	expect("uds:/tmp/a.sock", "/tmp/a.sock", false);
	expect("UDS:///tmp/a.sock", "/tmp/a.sock", false);
	expect("uds://host/tmp/a.sock", "/tmp/a.sock", false);
	expect("file:///tmp/a.sock", "/tmp/a.sock", false);
	expect("/a:b", "/a:b", false);
}

static void makes_relative_paths_absolute(void **state)
{
	(void)state;
	assert_int_equal(chdir("/tmp"), 0);
	expect("a.sock", "/tmp/a.sock", false);
	expect("uds:a.sock,connect", "/tmp/a.sock", true);
	expect("./x/a.sock", "/tmp/./x/a.sock", false);
}

static void ignores_the_case_of_the_role(void **state)
{
	(void)state;
	expect("/a,listen", "/a", false);
	expect("/a,Connect", "/a", true);
}

static void explains_a_malformed_address(void **state)
{
	char longest[5000];

	(void)state;
	memset(longest, 'x', sizeof(longest) - 1);
	longest[4999] = 0;
	refuse("/a,suspend", PP_ERROR_USAGE, "not ADDRESS,suspend");
	refuse("/a,connect,listen", PP_ERROR_USAGE, "not ADDRESS,connect,listen");
	refuse("", PP_ERROR_USAGE, "has no path");
	refuse("uds://host", PP_ERROR_USAGE, "has no path");
	refuse("tcp:localhost:9000", PP_ERROR_USAGE, "'tcp:' is not a kind");
	refuse("namedpipe:x", PP_ERROR_UNSUPPORTED, "Windows");
	refuse(longest, PP_ERROR_USAGE, "too long");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parses_every_form_of_a_path),
		cmocka_unit_test(makes_relative_paths_absolute),
		cmocka_unit_test(ignores_the_case_of_the_role),
		cmocka_unit_test(explains_a_malformed_address),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
