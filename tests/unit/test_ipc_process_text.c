/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "ipc/process_text.h"

#define TEXT(literal) ((struct process_text){ literal, sizeof(literal) - 1 })

#define FIELDS " S 1 1 1 0 -1 4194304 3 0 0 0 5 2 0 0 20 0 15 0 1178918 53822488576 8701\n"

static struct arena arena;

static int release(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

static void reads_name_state_and_start_of_a_process(void **state)
{
	struct process_stat stat;

	(void)state;
	assert_true(process_stat_parse(TEXT("18710 (orders)" FIELDS), &stat));
	assert_string_equal(stat.name, "orders");
	assert_int_equal(stat.state, 'S');
	assert_int_equal(stat.cpu_ticks, 5 + 2);
	assert_int_equal(stat.threads, 15);
	assert_int_equal(stat.start_ticks, 1178918);
}

static void is_not_fooled_by_a_name_with_brackets(void **state)
{
	struct process_stat stat;

	(void)state;
	assert_true(process_stat_parse(TEXT("7 (a) b (c)" FIELDS), &stat));
	assert_string_equal(stat.name, "a) b (c");
	assert_int_equal(stat.start_ticks, 1178918);
	assert_true(process_stat_parse(TEXT("7 () T 1 2 3)" FIELDS), &stat));
	assert_string_equal(stat.name, ") T 1 2 3");
	assert_int_equal(stat.state, 'S');
	assert_true(process_stat_parse(TEXT("7 ()" FIELDS), &stat));
	assert_string_equal(stat.name, "");
}

static void rejects_a_truncated_stat(void **state)
{
	static const char whole[] = "7 (x)" FIELDS;
	struct process_stat stat;

	(void)state;
	for (size_t size = 0;
	     size < strlen("7 (x) S 1 1 1 0 -1 4194304 3 0 0 0 5 2 0 0 20 0 15 0 "); size++)
		assert_false(process_stat_parse((struct process_text){ whole, size }, &stat));
	assert_false(process_stat_parse(TEXT(")("), &stat));
}

static void reads_user_tracer_and_namespaces(void **state)
{
	const struct process_status status =
		process_status_parse(TEXT("Name:\tNSpid:\t9\nUmask:\t0022\nTracerPid:\t42\n"
					  "Uid:\t1000\t1001\t1002\t1003\nNSpid:\t4488\t17\t4\n"));

	(void)state;
	assert_int_equal(status.user, 1001);
	assert_true(status.has_user);
	assert_int_equal(status.tracer, 42);
	assert_int_equal(status.ns_pid, 4);
	assert_int_equal(status.depth, 3);
}

static void returns_zeros_for_an_empty_status(void **state)
{
	const struct process_status status = process_status_parse(TEXT("NSpid:\nUid:\n"));

	(void)state;
	assert_false(status.has_user);
	assert_int_equal(status.ns_pid, 0);
	assert_int_equal(status.depth, 0);
	assert_int_equal(process_status_parse(TEXT("NSpid:\t99999999999999999999\n")).ns_pid, 0);
}

static void finds_the_first_variable_of_a_name(void **state)
{
	const struct process_text environ =
		TEXT("XTMPDIR=/x\0TMPDIR=/a=b\0TMPDIR=/c\0EMPTY=\0BARE\0LAST=1");

	(void)state;
	assert_string_equal(process_environ_find(environ, "TMPDIR"), "/a=b");
	assert_string_equal(process_environ_find(environ, "EMPTY"), "");
	assert_string_equal(process_environ_find(environ, "LAST"), "1");
	assert_null(process_environ_find(environ, "BARE"));
	assert_null(process_environ_find(environ, "TMP"));
	assert_null(process_environ_find(TEXT(""), "TMPDIR"));
}

static void accepts_both_prefixes_of_a_setting(void **state)
{
	struct process_setting setting;

	(void)state;
	assert_string_equal(process_setting_find(TEXT("COMPlus_A=1\0DOTNET_A=0\0"), "A", &setting),
			    "0");
	assert_string_equal(setting.variable, "DOTNET_A");
	assert_string_equal(process_setting_find(TEXT("COMPlus_A=1\0"), "A", &setting), "1");
	assert_string_equal(setting.variable, "COMPlus_A");
	assert_null(process_setting_find(TEXT("A=1\0"), "A", &setting));
}

static void quotes_the_words_of_a_command_line(void **state)
{
	(void)state;
	assert_string_equal(
		process_command_line(&arena, TEXT("dotnet\0a b.dll\0--x=1\0\0it's\0$HOME\0\0\0")),
		"dotnet 'a b.dll' --x=1 '' 'it'\\''s' '$HOME'");
	assert_string_equal(process_command_line(&arena, TEXT("caf\xc3\xa9")), "caf\xc3\xa9");
	assert_null(process_command_line(&arena, TEXT("")));
	assert_null(process_command_line(&arena, TEXT("\0\0")));
}

static void finds_the_assembly_in_a_command_line(void **state)
{
	(void)state;
	assert_string_equal(
		process_entry_point(&arena, TEXT("dotnet\0exec\0/srv/orders.dll\0--data\0x.dll\0")),
		"orders");
	assert_string_equal(process_entry_point(&arena, TEXT("dotnet\0a.dll")), "a");
	assert_null(process_entry_point(&arena, TEXT("dotnet\0/srv/.dll\0build\0dll\0")));
}

static void finds_the_runtime_in_maps(void **state)
{
	(void)state;
	assert_string_equal(
		process_maps_runtime(
			&arena,
			TEXT("7f00-7f01 r-xp 0 08:01 1 /usr/lib/libc.so.6\n"
			     "7f02-7f03 r-xp 0 08:01 2 /d/NETCore.App/10.0.12/libcoreclr.so\n")),
		"/d/NETCore.App/10.0.12");
	assert_string_equal(process_maps_runtime(&arena, TEXT("7f r-xp /srv/app/libcoreclr.so")),
			    "/srv/app");
	assert_null(process_maps_runtime(
		&arena, TEXT("7f r-xp /srv/libcoreclr.so.old\n7f r /srv/xlibcoreclr.so\n")));
	assert_null(process_maps_runtime(&arena, TEXT("libcoreclr.so\n/\n\n")));
	assert_string_equal(process_folder_version("/d/NETCore.App/10.0.12"), "10.0.12");
	assert_null(process_folder_version("/srv/app"));
}

static void finds_the_runtime_of_a_self_contained_program(void **state)
{
	(void)state;
	assert_string_equal(
		process_deps_runtime(
			&arena,
			TEXT("{\"dependencies\": {"
			     "\"runtimepack.Microsoft.NETCore.App.Runtime.linux-x64\": \"3.1.3\"},"
			     "\"runtimepack.Microsoft.NETCore.App.Runtime.linux-x64/3.1.3\": {")),
		"3.1.3");
	assert_null(process_deps_runtime(&arena, TEXT("")));
	assert_null(process_deps_runtime(
		&arena, TEXT("\"runtimepack.Microsoft.NETCore.App.Runtime.linux-x64")));
	assert_null(process_deps_runtime(
		&arena, TEXT("\"runtimepack.Microsoft.NETCore.App.Runtime.x/evil\"")));
}

static void finds_the_name_of_a_user(void **state)
{
	const struct process_text passwd =
		TEXT("root:x:0:0:root:/root:/bin/sh\n#x:y\nwww:x:33:33::/:\nodd:x::5\nlast:x:7:7");

	(void)state;
	assert_string_equal(process_user_name(&arena, passwd, 0), "root");
	assert_string_equal(process_user_name(&arena, passwd, 33), "www");
	assert_string_equal(process_user_name(&arena, passwd, 7), "last");
	assert_null(process_user_name(&arena, passwd, 5));
}

static void parses_the_names_of_sockets(void **state)
{
	uint64_t key;
	int32_t pid;

	(void)state;
	assert_true(process_socket_name("dotnet-diagnostic-17-4711-socket", &pid, &key));
	assert_int_equal(pid, 17);
	assert_int_equal(key, 4711);
	assert_false(process_socket_name("dotnet-diagnostic-dsrouter-17-4711-socket", &pid, &key));
	assert_false(process_socket_name("dotnet-diagnostic-17-4711-sockets", &pid, &key));
	assert_false(process_socket_name("dotnet-diagnostic-17--socket", &pid, &key));
	assert_false(process_socket_name("dotnet-diagnostic-17-4711", &pid, &key));
	assert_false(process_socket_name("dotnet-diagnostic-0-4711-socket", &pid, &key));
	assert_false(process_socket_name("dotnet-diagnostic-99999999999-1-socket", &pid, &key));
	assert_false(process_socket_name("clr-debug-pipe-17-4711-in", &pid, &key));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_name_state_and_start_of_a_process),
		cmocka_unit_test(is_not_fooled_by_a_name_with_brackets),
		cmocka_unit_test(rejects_a_truncated_stat),
		cmocka_unit_test(reads_user_tracer_and_namespaces),
		cmocka_unit_test(returns_zeros_for_an_empty_status),
		cmocka_unit_test(finds_the_first_variable_of_a_name),
		cmocka_unit_test(accepts_both_prefixes_of_a_setting),
		cmocka_unit_test_teardown(quotes_the_words_of_a_command_line, release),
		cmocka_unit_test_teardown(finds_the_assembly_in_a_command_line, release),
		cmocka_unit_test_teardown(finds_the_runtime_in_maps, release),
		cmocka_unit_test_teardown(finds_the_runtime_of_a_self_contained_program, release),
		cmocka_unit_test_teardown(finds_the_name_of_a_user, release),
		cmocka_unit_test(parses_the_names_of_sockets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
