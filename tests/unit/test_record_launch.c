/* SPDX-License-Identifier: MIT */
#include "record/launch.h"

#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Runs a shell command and returns its exit code. */
static int run(const char *line, bool hide_output)
{
	char *argv[] = { "sh", "-c", (char *)line, NULL };
	const struct launch_options options = { .argv = argv,
						.port = "/tmp/some.sock",
						.hide_output = hide_output };
	struct pp_error err = { 0 };
	struct launch launch;
	int code;

	assert_int_equal(launch_start(&launch, &options, &err), 0);
	for (int i = 0; i < 1000 && launch_exit_code(&launch) == LAUNCH_RUNNING; i++)
		poll(&(struct pollfd){ launch.fd, POLLIN, 0 }, 1, 10);
	code = launch_exit_code(&launch);
	launch_release(&launch);
	return code;
}

static void returns_the_exit_code_as_a_shell_does(void **state)
{
	(void)state;
	assert_int_equal(run("exit 0", false), 0);
	assert_int_equal(run("exit 7", false), 7);
	assert_int_equal(run("kill -KILL $$", false), 128 + SIGKILL);
}

static void sets_the_port_in_the_environment(void **state)
{
	(void)state;
	unsetenv("DOTNET_DiagnosticPorts");
	assert_int_equal(
		run("test \"$DOTNET_DiagnosticPorts\" = /tmp/some.sock,suspend,connect", false), 0);
}

static void keeps_ports_already_in_the_environment(void **state)
{
	(void)state;
	setenv("DOTNET_DiagnosticPorts", "/tmp/monitor.sock,nosuspend", 1);
	assert_int_equal(run("test \"$DOTNET_DiagnosticPorts\" = "
			     "'/tmp/some.sock,suspend,connect;/tmp/monitor.sock,nosuspend'",
			     false),
			 0);
	unsetenv("DOTNET_DiagnosticPorts");
}

static void unblocks_signals_for_the_program(void **state)
{
	sigset_t term, before;

	(void)state;
	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	sigprocmask(SIG_BLOCK, &term, &before);
	signal(SIGINT, SIG_IGN);
	assert_int_equal(run("kill -TERM $$; sleep 5", false), 128 + SIGTERM);
	assert_int_equal(run("kill -INT $$; sleep 5", false), 128 + SIGINT);
	signal(SIGINT, SIG_DFL);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static void keeps_signals_ignored_under_nohup(void **state)
{
	(void)state;
	signal(SIGHUP, SIG_IGN);
	assert_int_equal(run("kill -HUP $$; exit 6", false), 6);
	signal(SIGHUP, SIG_DFL);
	assert_int_equal(run("kill -HUP $$; exit 6", false), 128 + SIGHUP);
}

static void starts_the_program_in_its_own_process_group(void **state)
{
	(void)state;
	assert_int_equal(run("kill -TERM 0; sleep 5", false), 128 + SIGTERM); /* but not us */
}

static void reports_that_the_program_was_stopped(void **state)
{
	char *argv[] = { "sh", "-c", "kill -TTIN $$; exit 3", NULL };
	const struct launch_options options = { .argv = argv, .port = "p" };
	struct pp_error err = { 0 };
	struct launch launch;

	(void)state;
	assert_int_equal(launch_start(&launch, &options, &err), 0);
	for (int i = 0; i < 1000 && launch_exit_code(&launch) == LAUNCH_RUNNING; i++) {
		if (launch.stopped) {
			assert_int_equal(launch.stopped, SIGTTIN);
			kill(launch.pid, SIGCONT);
		}
		poll(&(struct pollfd){ launch.fd, POLLIN, 0 }, 1, 10);
	}
	assert_int_equal(launch_exit_code(&launch), 3);
	launch_release(&launch);
}

static void finds_a_program_as_a_shell_does(void **state)
{
	char *path = strdup(getenv("PATH"));

	(void)state;
	setenv("PATH", "/no/such/folder:/etc/passwd::/bin:/usr/bin", 1);
	assert_int_equal(run("exit 4", false), 4);
	setenv("PATH", path, 1);
	free(path);
}

static void hides_the_output_of_the_program(void **state)
{
	(void)state;
	assert_int_equal(run("test \"$(readlink /proc/$$/fd/1)\" = /dev/null && "
			     "test \"$(readlink /proc/$$/fd/0)\" = /dev/null",
			     true),
			 0);
}

static void explains_why_a_program_cannot_run(void **state)
{
	char *missing[] = { "no-such-program-anywhere", NULL };
	char *folder[] = { "/tmp", NULL };
	struct pp_error err = { 0 };
	struct launch launch;

	(void)state;
	assert_int_equal(launch_start(&launch,
				      &(struct launch_options){ .argv = missing, .port = "p" },
				      &err),
			 -1);
	assert_non_null(strstr(err.text, "program 'no-such-program-anywhere' not found"));
	err = (struct pp_error){ 0 };
	assert_int_equal(launch_start(&launch,
				      &(struct launch_options){ .argv = folder, .port = "p" },
				      &err),
			 -1);
	assert_non_null(strstr(err.text, "cannot be executed"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(returns_the_exit_code_as_a_shell_does),
		cmocka_unit_test(sets_the_port_in_the_environment),
		cmocka_unit_test(keeps_ports_already_in_the_environment),
		cmocka_unit_test(unblocks_signals_for_the_program),
		cmocka_unit_test(keeps_signals_ignored_under_nohup),
		cmocka_unit_test(starts_the_program_in_its_own_process_group),
		cmocka_unit_test(reports_that_the_program_was_stopped),
		cmocka_unit_test(finds_a_program_as_a_shell_does),
		cmocka_unit_test(hides_the_output_of_the_program),

		cmocka_unit_test(explains_why_a_program_cannot_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
