/* SPDX-License-Identifier: MIT */
#include "record/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"

#define VARIABLE "DOTNET_DiagnosticPorts="

extern char **environ;

/* Our port before those that were set already, which the program keeps. */
static char *port_variable(const char *port)
{
	const char *before = getenv("DOTNET_DiagnosticPorts");
	const size_t size =
		sizeof(VARIABLE ",suspend,connect;") + strlen(port) + (before ? strlen(before) : 0);
	char *text = xcalloc(1, size);

	snprintf(text, size, VARIABLE "%s,suspend,connect%s%s", port, before && *before ? ";" : "",
		 before ? before : "");
	return text;
}

/*
 * The compiler and the build leave servers behind. With our port in their environment,
 * what those start after we have gone would wait for us for ever; so there are none. And
 * `dotnet test` kills the tests' process after 100 ms, in which it cannot tell the names of
 * its methods. All that, unless somebody has said otherwise.
 */
static const struct {
	const char *name;
	const char *setting;
} settings[] = {
	{ "MSBUILDDISABLENODEREUSE", "MSBUILDDISABLENODEREUSE=1" },
	{ "UseSharedCompilation", "UseSharedCompilation=false" },
	{ "VSTEST_TESTHOST_SHUTDOWN_TIMEOUT", "VSTEST_TESTHOST_SHUTDOWN_TIMEOUT=10000" },
};

/* Our environment with the variable; only the list is to be freed. */
static char **environment_with(char *variable)
{
	const size_t name = sizeof(VARIABLE) - 1;
	const size_t added = 1 + sizeof(settings) / sizeof(settings[0]);
	size_t count = 0, kept = 0;
	char **list;

	while (environ[count])
		count++;
	list = xcalloc(count + added + 1, sizeof(*list));
	for (size_t i = 0; i < count; i++)
		if (strncmp(environ[i], variable, name))
			list[kept++] = environ[i];
	list[kept++] = variable;
	for (size_t i = 0; i < added - 1; i++)
		if (!getenv(settings[i].name))
			list[kept++] = (char *)settings[i].setting;
	return list;
}

/* Signals that we block or ignore are none of the program's business. */
static void set_signals(posix_spawnattr_t *attributes)
{
	sigset_t none, all;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawnattr_setsigmask(attributes, &none);
	posix_spawnattr_setsigdefault(attributes, &all);
	posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

static void hide(posix_spawn_file_actions_t *actions)
{
	posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
}

static int spawn(pid_t *pid, const struct launch_options *options)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	char *variable = port_variable(options->port);
	char **environment = environment_with(variable);
	int number;

	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	set_signals(&attributes);
	if (options->hide_output)
		hide(&actions);
	number = posix_spawnp(pid, options->argv[0], &actions, &attributes, options->argv,
			      environment);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	free(environment);
	free(variable);
	return number;
}

static int fail(const char *program, int number, struct pp_error *err)
{
	if (number == ENOENT)
		return error_set(err, PP_ERROR_USAGE,
				 "there is no program '%s': check its name, or give its path",
				 program);
	if (number == EACCES || number == ENOEXEC)
		return error_set(err, PP_ERROR_USAGE,
				 "'%s' cannot be run as a program: is it executable? A .dll is "
				 "run with 'dotnet %s'",
				 program, program);
	errno = number;
	return error_errno(err, "cannot start '%s'", program);
}

int launch_start(struct launch *launch, const struct launch_options *options, struct pp_error *err)
{
	int number;

	*launch = (struct launch){ .fd = -1, .code = LAUNCH_RUNNING };
	number = spawn(&launch->pid, options);
	if (number) {
		launch->pid = 0;
		return fail(options->argv[0], number, err);
	}
	launch->fd = (int)syscall(SYS_pidfd_open, launch->pid, 0);
	return 0;
}

int launch_exit_code(struct launch *launch)
{
	int status;

	if (launch->code != LAUNCH_RUNNING || waitpid(launch->pid, &status, WNOHANG) <= 0)
		return launch->code;
	launch->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	launch->code = launch->signal ? 128 + launch->signal : WEXITSTATUS(status);
	return launch->code;
}

void launch_release(struct launch *launch)
{
	if (launch->fd >= 0)
		close(launch->fd);
	launch->fd = -1;
}
