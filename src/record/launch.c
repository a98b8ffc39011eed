/* SPDX-License-Identifier: MIT */
/*
 * Without a terminal of its own the program is in a process group of its own, and gets SIGHUP if we
 * are killed. With one it has a session there, which belongs to a small copy of us, the keeper;
 * that reports what becomes of the program. So a shell that leaves a program behind does not lose
 * its terminal, and Ctrl+Z works as usual. If we are killed, the keeper restores our terminal and
 * ends the session.
 */
#include "record/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/error.h"

#define VARIABLE     "DOTNET_DiagnosticPorts="
#define LONGEST_PATH 4096

extern char **environ;

/* For the forked processes, which must not allocate memory. */
struct birth {
	const struct launch_options *options;
	char *const *environment;
	pid_t parent;
	bool ours[3];	/* standard descriptors that are our terminal */
	int failure[2]; /* pipe for an errno; closed by a successful exec */
	int news[2];	/* from the keeper */
};

/* The program does not inherit what we block or ignore, except SIGHUP under nohup. */
static void forget_signals(void)
{
	struct sigaction before;
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		if (i != SIGHUP || sigaction(i, NULL, &before) || before.sa_handler != SIG_IGN)
			signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void hide(void)
{
	const int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int i = 0; i < 3; i++)
		dup2(fd, i);
}

/* Unlike execvp(), which runs a shell on what is not a program. */
static void find_and_run(char *const *argv, char *const *environment)
{
	const char *name = argv[0];
	const char *at = getenv("PATH");
	char path[LONGEST_PATH];
	bool denied = false;

	if (strchr(name, '/')) {
		execve(name, argv, environment);
		return;
	}
	at = at ? at : "/bin:/usr/bin";
	for (const char *end; *name; at = end + 1) {
		end = strchrnul(at, ':');
		if (snprintf(path, sizeof(path), "%.*s%s%s", (int)(end - at), at,
			     end > at ? "/" : "", name) < (int)sizeof(path))
			execve(path, argv, environment);
		denied |= errno == EACCES;
		if ((errno != ENOENT && errno != ENOTDIR && errno != EACCES) || !*end)
			break;
	}
	if (denied || !*name)
		errno = denied ? EACCES : ENOENT;
}

static _Noreturn void become_program(const struct birth *birth)
{
	int number;

	for (int i = 0; i < 3 && birth->options->terminal; i++)
		if (birth->ours[i])
			dup2(birth->options->terminal, i);
	if (birth->options->hide_output)
		hide();
	forget_signals();
	find_and_run(birth->options->argv, birth->environment);
	number = errno;
	if (write(birth->failure[1], &number, sizeof(number)) < 0)
		_exit(126);
	_exit(127);
}

/* Get this signal when the parent ends, or if it has already. */
static void end_with(pid_t parent, int number)
{
	prctl(PR_SET_PDEATHSIG, number);
	if (getppid() != parent)
		raise(number);
}

static _Noreturn void become_group(const struct birth *birth)
{
	setpgid(0, 0);
	end_with(birth->parent, SIGHUP);
	become_program(birth);
}

static void take_terminal(int terminal)
{
	sigset_t set;

	setpgid(0, 0);
	sigemptyset(&set);
	sigaddset(&set, SIGTTOU);
	sigprocmask(SIG_BLOCK, &set, NULL); /* as we are not in the foreground yet */
	tcsetpgrp(terminal, getpid());
}

/* Unless somebody has changed them, as a shell does when it is back at its prompt. */
static void put_modes_back(const struct relay_modes *ours)
{
	struct termios now;

	if (!tcgetattr(ours->terminal, &now) && now.c_lflag == ours->raw.c_lflag &&
	    now.c_iflag == ours->raw.c_iflag && now.c_oflag == ours->raw.c_oflag)
		tcsetattr(ours->terminal, TCSANOW, &ours->before);
}

#define PARENT_ENDED SIGUSR1

/* The end of our parent or child comes as a blocked signal, for sigwait(). */
static sigset_t expect_ends(const struct birth *birth)
{
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGCHLD);
	sigaddset(&ends, PARENT_ENDED);
	sigprocmask(SIG_BLOCK, &ends, NULL);
	end_with(birth->parent, PARENT_ENDED);
	return ends;
}

/* Reports what became of the program; true when it has ended, or nobody listens. */
static bool has_ended(pid_t pid, int news)
{
	int status;

	while (waitpid(pid, &status, WNOHANG | WUNTRACED) == pid) {
		if (send(news, &status, sizeof(status), MSG_NOSIGNAL) < 0 || !WIFSTOPPED(status))
			return true;
	}
	return false;
}

/* Until the program has ended and nobody listens any more, or our parent has ended. */
static _Noreturn void keep(const struct birth *birth, const sigset_t *ends, pid_t pid)
{
	const int news = birth->news[1];
	int number = 0;

	while (!has_ended(pid, news) && number != PARENT_ENDED)
		sigwait(ends, &number);
	while (number != PARENT_ENDED && read(news, &number, sizeof(number)) > 0)
		;
	put_modes_back(birth->options->ours); /* if our parent could not */
	_exit(0);
}

/* Descriptors by which others see whether we are alive; needs Linux 5.9. */
static void close_but(int first, int second)
{
	const int low = first < second ? first : second;
	const int high = first < second ? second : first;

	syscall(SYS_close_range, 0, low - 1, 0);
	if (low + 1 < high)
		syscall(SYS_close_range, low + 1, high - 1, 0);
	syscall(SYS_close_range, high + 1, ~0U, 0);
}

static _Noreturn void become_keeper(const struct birth *birth)
{
	const int terminal = birth->options->terminal;
	const sigset_t ends = expect_ends(birth);
	const int news = birth->news[1];
	int pid;

	setsid();
	ioctl(terminal, TIOCSCTTY, 0);
	pid = fork();
	if (!pid) {
		take_terminal(terminal);
		become_program(birth);
	}
	if (pid < 0 || send(news, &pid, sizeof(pid), MSG_NOSIGNAL) < 0)
		_exit(1);
	close(birth->failure[1]);
	close(birth->news[0]);
	close_but(news, birth->options->ours->terminal);
	keep(birth, &ends, pid);
}

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static bool read_number(int fd, int *number)
{
	ssize_t got;

	do
		got = read(fd, number, sizeof(*number));
	while (got < 0 && errno == EINTR);
	return got == sizeof(*number);
}

static int fork_it(struct launch *launch, const struct birth *birth)
{
	const bool with_keeper = birth->options->terminal;
	const pid_t pid = fork();

	if (!pid && with_keeper)
		become_keeper(birth);
	if (!pid)
		become_group(birth);
	if (pid < 0)
		return errno;
	launch->pid = pid;
	launch->keeper = with_keeper ? pid : 0;
	return 0;
}

/* Waits until it is known whether the program runs. */
static int await(struct launch *launch, struct birth *birth)
{
	int number = 0;

	close_end(&birth->failure[1]);
	close_end(&birth->news[1]);
	if (launch->keeper && !read_number(birth->news[0], &launch->pid))
		number = EAGAIN;
	else if (!read_number(birth->failure[0], &number))
		number = 0;
	if (number && launch->keeper)
		launch_release(launch);
	else if (number)
		waitpid(launch->pid, NULL, 0);
	return number;
}

static int fork_and_wait(struct launch *launch, struct birth *birth)
{
	int number = 0;

	if (pipe2(birth->failure, O_CLOEXEC) ||
	    (birth->options->terminal &&
	     socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, birth->news)))
		return errno;
	number = fork_it(launch, birth);
	return number ? number : await(launch, birth);
}

/*
 * 0, or an errno with nothing left behind. Sets `pid`, and with a keeper `keeper` and `fd`: packets
 * from it, each with a status as from waitpid().
 */
static int spawn(struct launch *launch, const struct launch_options *options,
		 char *const *environment)
{
	struct birth birth = { options, environment, getpid(), { false }, { -1, -1 }, { -1, -1 } };
	int number;

	for (int i = 0; i < 3; i++)
		birth.ours[i] = tcgetpgrp(i) >= 0;
	number = fork_and_wait(launch, &birth);
	if (!number) {
		launch->fd = birth.news[0];
		birth.news[0] = -1;
	}
	for (int i = 0; i < 2; i++) {
		close_end(&birth.failure[i]);
		close_end(&birth.news[i]);
	}
	return number;
}

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
	xfree(environment);
	xfree(variable);
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
