/* SPDX-License-Identifier: MIT */
/*
 * The test plays a person at a terminal, on one end of a pseudo-terminal. On the other end, a
 * process relays to a shell, as collect does, and passes Ctrl+C on when the test allows it.
 */
#include "record/job.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

#define PATIENCE_MS 10000

struct person {
	int keyboard;	 /* and screen */
	int reports[2];	 /* the relaying process reports each held key, and how it ended */
	int let_pass[2]; /* each byte lets one held key pass */
	bool lingers;	 /* the relaying process stays until it gets a byte */
	pid_t pid;
	char screen[16384];
	size_t size;
};

/* Waits for the program to end; returns its exit code. */
static int attend(struct person *person, struct job *job)
{
	const int passing = person->let_pass[0];
	char byte;
	int number;

	fcntl(passing, F_SETFL, O_NONBLOCK);
	while (job_mind(job) == LAUNCH_RUNNING) {
		struct pollfd fds[] = { { job->launch.fd, POLLIN, 0 },
					{ job_fd(job), POLLIN, 0 },
					{ passing, POLLIN, 0 } };

		poll(fds, 3, 50);
		while ((number = job_typed(job))) {
			byte = (char)number;
			if (write(person->reports[1], &byte, 1) != 1)
				return 99;
		}
		if (read(passing, &byte, 1) == 1)
			job_pass(job, SIGINT);
	}
	return job->launch.code;
}

/* The relaying process. Reports its exit code, and whether the terminal modes are restored. */
static _Noreturn void relay_to(struct person *person, const char *path, const char *line)
{
	char *argv[] = { "sh", "-c", (char *)line, NULL };
	const struct launch_options options = { .argv = argv, .port = "p" };
	struct termios before = { 0 }, after = { 0 };
	struct pp_error err = { 0 };
	struct job job;
	char code;
	int fd;

	setsid();
	fd = open(path, O_RDWR);
	for (int i = 0; i < 3; i++)
		dup2(fd, i);
	signal(SIGINT, SIG_IGN); /* it is sent to the whole group */
	signal(SIGQUIT, SIG_IGN);
	tcgetattr(0, &before);
	if (job_start(&job, &options, &err) || !job.relay)
		_exit(98);
	code = (char)attend(person, &job);
	if (person->lingers)
		poll(&(struct pollfd){ person->let_pass[0], POLLIN, 0 }, 1, PATIENCE_MS);

	job_end(&job);
	tcgetattr(0, &after);
	if (memcmp(&before, &after, sizeof(before)) != 0)
		code = 97;
	_exit(code);
}

static void sit_down(struct person *person, const char *line)
{
	const struct winsize size = { .ws_row = 25, .ws_col = 81 };
	char path[64];

	person->keyboard = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

	assert_true(person->keyboard >= 0);
	assert_int_equal(grantpt(person->keyboard) | unlockpt(person->keyboard), 0);
	assert_int_equal(ptsname_r(person->keyboard, path, sizeof(path)), 0);
	assert_int_equal(ioctl(person->keyboard, TIOCSWINSZ, &size), 0);
	assert_int_equal(pipe2(person->reports, O_CLOEXEC) | pipe2(person->let_pass, O_CLOEXEC), 0);
	person->pid = fork();
	if (!person->pid)
		relay_to(person, path, line);
	close(person->reports[1]);
}

static void type(struct person *person, const char *keys)
{
	assert_int_equal(write(person->keyboard, keys, strlen(keys)), strlen(keys));
}

/* Reads what is printed within that time; false: nothing. */
static bool look(struct person *person, int patience_ms)
{
	struct pollfd fd = { person->keyboard, POLLIN, 0 };
	const size_t room = sizeof(person->screen) - 1 - person->size;
	ssize_t got;

	if (poll(&fd, 1, patience_ms) != 1)
		return false;
	got = read(person->keyboard, person->screen + person->size, room);
	person->size += got > 0 ? (size_t)got : 0;
	return got > 0;
}

static void await(struct person *person, const char *text)
{
	while (!strstr(person->screen, text))
		if (!look(person, PATIENCE_MS))
			fail_msg("'%s' does not come: %s", text, person->screen);
}

/* The next held key; 0: the relay has ended. */
static int await_key(struct person *person)
{
	char number = 0;

	assert_int_equal(poll(&(struct pollfd){ person->reports[0], POLLIN, 0 }, 1, PATIENCE_MS),
			 1);
	return read(person->reports[0], &number, 1) == 1 ? number : 0;
}

static int get_up(struct person *person)
{
	char rest[4096];
	int status;

	while (read(person->keyboard, rest, sizeof(rest)) > 0)
		;
	assert_int_equal(waitpid(person->pid, &status, 0), person->pid);
	close(person->keyboard);
	close(person->reports[0]);
	close(person->let_pass[0]);
	close(person->let_pass[1]);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void gives_the_program_a_terminal_like_ours(void **state)
{
	struct person person = { 0 };

	(void)state;
	sit_down(&person, "test -t 0 -a -t 1 -a -t 2 && stty size && : < /dev/tty && echo ready; "
			  "read line; echo got $line; exit 5");
	await(&person, "25 81\r\n");
	await(&person, "ready\r\n");
	type(&person, "hello\r");
	await(&person, "hello\r\ngot hello\r\n"); /* with the echo */
	assert_int_equal(get_up(&person), 5);
}

static void holds_ctrl_c_until_it_may_pass(void **state)
{
	struct person person = { 0 };

	(void)state;
	sit_down(&person, "trap 'echo heard; exit 6' INT; echo ready; while read line; do echo got "
			  "$line; done");
	await(&person, "ready");
	type(&person, "first\r");
	await(&person, "got first");
	type(&person, "\003");
	assert_int_equal(await_key(&person), SIGINT);
	type(&person, "second\r");
	while (look(&person, 300))
		;
	assert_null(strstr(person.screen, "^C"));
	assert_null(strstr(person.screen, "second"));
	assert_int_equal(write(person.let_pass[1], "", 1), 1);
	await(&person, "heard");
	assert_null(strstr(person.screen, "got second"));
	assert_int_equal(get_up(&person), 6);
}

static void passes_the_second_ctrl_c_at_once(void **state)
{
	struct person person = { 0 };

	(void)state;
	sit_down(&person, "echo ready; sleep 20");
	await(&person, "ready");
	type(&person, "\034");
	assert_int_equal(await_key(&person), SIGQUIT);
	type(&person, "\003");
	assert_int_equal(await_key(&person), SIGINT);
	/* the first one ends it */
	assert_int_equal(get_up(&person), 128 + SIGQUIT);
}

static void does_not_hold_keys_that_are_not_signals(void **state)
{
	struct person person = { 0 };

	(void)state;
	sit_down(&person,
		 "stty -isig -icanon -echo; echo ready; test \"$(head -c 1 | od -An -tx1)\" = "
		 "' 03' && echo got it");
	await(&person, "ready");
	type(&person, "\003");
	await(&person, "got it");
	assert_int_equal(get_up(&person), 0);
}

static void shows_all_output_of_the_program(void **state)
{
	struct person person = { 0 };

	(void)state;
	sit_down(&person,
		 "i=0; while [ $i -lt 1000 ]; do echo line $i; i=$((i + 1)); done; exit 7");
	await(&person, "line 999\r\n");
	assert_int_equal(get_up(&person), 7);
}

static void keeps_the_terminal_for_background_jobs(void **state)
{
	struct person person = { 0 };

	(void)state;
	person.lingers = true;
	sit_down(&person, "(trap 'echo hung up' HUP; sleep 0.3; echo still here) & exit 8");
	await(&person, "still here");
	assert_null(strstr(person.screen, "hung up"));
	assert_int_equal(write(person.let_pass[1], "", 1), 1);
	assert_int_equal(get_up(&person), 8);
}

static void relays_only_with_a_terminal(void **state)
{
	const int before = dup(STDIN_FILENO);
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	(void)state;
	dup2(null, STDIN_FILENO);
	assert_null(relay_open());
	dup2(before, STDIN_FILENO);
	close(before);
	close(null);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_the_program_a_terminal_like_ours),
		cmocka_unit_test(holds_ctrl_c_until_it_may_pass),
		cmocka_unit_test(passes_the_second_ctrl_c_at_once),
		cmocka_unit_test(does_not_hold_keys_that_are_not_signals),
		cmocka_unit_test(shows_all_output_of_the_program),
		cmocka_unit_test(keeps_the_terminal_for_background_jobs),
		cmocka_unit_test(relays_only_with_a_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
