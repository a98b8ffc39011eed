/* SPDX-License-Identifier: MIT */
#include "record/launch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/error.h"
#include "record/spawn.h"

#define VARIABLE "DOTNET_DiagnosticPorts="

extern char **environ;

/* Our port first, then those that were set before. */
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
 * The compiler and the build leave servers running. With our port in their environment, whatever
 * those start after we have gone would wait for us for ever; so they are switched off. And `dotnet
 * test` kills the process of the tests after 100 ms, too soon for it to list its methods. Variables
 * that are set already are left alone.
 */
static const struct {
	const char *name;
	const char *setting;
} settings[] = {
	{ "MSBUILDDISABLENODEREUSE", "MSBUILDDISABLENODEREUSE=1" },
	{ "UseSharedCompilation", "UseSharedCompilation=false" },
	{ "VSTEST_TESTHOST_SHUTDOWN_TIMEOUT", "VSTEST_TESTHOST_SHUTDOWN_TIMEOUT=10000" },
};

/* Our environment with the variable; only the list itself is to be freed. */
static char **environment_with(char *variable)
{
	const size_t name = sizeof(VARIABLE) - 1;
	size_t count = 0, kept = 0;
	char **list;

	while (environ[count])
		count++;
	list = xcalloc(count + 1 + ARRAY_COUNT(settings) + 1, sizeof(*list));
	for (size_t i = 0; i < count; i++)
		if (strncmp(environ[i], variable, name))
			list[kept++] = environ[i];
	list[kept++] = variable;
	for (size_t i = 0; i < ARRAY_COUNT(settings); i++)
		if (!getenv(settings[i].name))
			list[kept++] = (char *)settings[i].setting;
	return list;
}

static int fail(const char *program, int number, struct pp_error *err)
{
	if (number == ENOENT)
		return error_set(err, PP_ERROR_USAGE,
				 "program '%s' not found: check its name, or give its path",
				 program);
	if (number == EACCES || number == ENOEXEC)
		return error_set(err, PP_ERROR_USAGE,
				 "'%s' cannot be executed; check its permissions, or run a .dll "
				 "with 'dotnet %s'",
				 program, program);
	errno = number;
	return error_errno(err, "cannot start '%s'", program);
}

int launch_start(struct launch *launch, const struct launch_options *options, struct pp_error *err)
{
	char *variable = port_variable(options->port);
	char **environment = environment_with(variable);
	int number;

	*launch = (struct launch){ .fd = -1, .code = LAUNCH_RUNNING };
	number = spawn(launch, options, environment);
	free(environment);
	free(variable);
	if (number)
		return fail(options->argv[0], number, err);
	if (!launch->keeper)
		launch->fd = (int)syscall(SYS_pidfd_open, launch->pid, 0);
	return 0;
}

/* A status as waitpid() reports it; false: there is none. */
static bool hear(struct launch *launch, int *status)
{
	ssize_t got;

	if (!launch->keeper)
		return waitpid(launch->pid, status, WNOHANG | WUNTRACED) == launch->pid;
	got = recv(launch->fd, status, sizeof(*status), MSG_DONTWAIT);
	if (!got)
		*status = SIGHUP; /* somebody killed the keeper, and the session with it */
	return !got || got == sizeof(*status);
}

int launch_exit_code(struct launch *launch)
{
	int status;

	if (launch->code != LAUNCH_RUNNING || !hear(launch, &status))
		return launch->code;
	launch->stopped = WIFSTOPPED(status) ? WSTOPSIG(status) : 0;
	if (launch->stopped)
		return LAUNCH_RUNNING;
	launch->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	launch->code = launch->signal ? 128 + launch->signal : WEXITSTATUS(status);
	return launch->code;
}

void launch_release(struct launch *launch)
{
	if (launch->fd >= 0)
		close(launch->fd);
	launch->fd = -1;
	if (!launch->keeper)
		return;
	kill(launch->keeper, SIGKILL);
	waitpid(launch->keeper, NULL, 0);
	launch->keeper = 0;
}
