/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ipc/discover.h"

#define SOCKET_PATH_MOST 107 /* bytes of an address without its NUL */

static bool blame(struct discovery *d, struct candidate *c, enum pp_process_problem problem,
		  const char *format, ...) PRINTF_LIKE(4, 5);

/* Always true: the process is listed, with the reason why it cannot be traced. */
static bool blame(struct discovery *d, struct candidate *c, enum pp_process_problem problem,
		  const char *format, ...)
{
	va_list args;

	va_start(args, format);
	c->process.problem = problem;
	c->process.reason = arena_vprintf(d->arena, format, args);
	c->process.guessed = c->sign == RUNTIME_GUESSED || c->sign == RUNTIME_AWAITED;
	va_end(args);
	return true;
}

static bool is_foreign(const struct candidate *c)
{
	return geteuid() != 0 && c->status.user != geteuid();
}

/* Before it is resumed there is neither a finalizer thread nor a class library. */
static bool is_suspended(struct discovery *d, struct candidate *c)
{
	struct process_text maps;

	if (!c->asked_to_suspend)
		return false;
	discover_runtime(d, c);
	if (c->sign != RUNTIME_SEEN || c->has_finalizer)
		return false;
	return process_read(&d->files, c->process.pid, "maps", &maps) &&
	       !memmem(maps.at, maps.size, "System.Private.CoreLib", 22);
}

static bool judge_alive(struct discovery *d, struct candidate *c)
{
	c->process.traceable = true;
	if (is_suspended(d, c))
		blame(d, c, PP_PROCESS_SUSPENDED,
		      "its runtime is suspended at its start until a tool resumes it");
	return true;
}

static bool judge_stopped(struct discovery *d, struct candidate *c)
{
	if (c->status.tracer || c->stat.state == 't')
		return blame(d, c, PP_PROCESS_DEBUGGED,
			     "the debugger with pid %" PRId32 " has stopped it; continue it there, "
			     "or detach",
			     c->status.tracer);
	return blame(d, c, PP_PROCESS_STOPPED,
		     "a signal has stopped it; kill -CONT %" PRId32 " continues it",
		     c->process.pid);
}

static bool judge_foreign(struct discovery *d, struct candidate *c)
{
	return blame(d, c, PP_PROCESS_OTHER_USER, "it belongs to %s; run perfpipe as %sroot%s",
		     c->process.user ? c->process.user : "unknown",
		     c->status.user ? "that user or as " : "",
		     c->sign == RUNTIME_GUESSED ? "; it may not be .NET" : "");
}

static bool judge_denied(struct discovery *d, struct candidate *c)
{
	if (is_foreign(c))
		return judge_foreign(d, c);
	return blame(
		d, c, PP_PROCESS_UNREACHABLE,
		"its socket refuses connections from here, though the user is the same: a user "
		"namespace or a security module forbids it; run perfpipe as root of the host");
}

static bool judge_too_old(struct discovery *d, struct candidate *c)
{
	return blame(
		d, c, PP_PROCESS_TOO_OLD,
		"its runtime is older than .NET Core 3.0 and cannot be traced; run the program "
		"on a newer .NET");
}

static bool judge_late(struct discovery *d, struct candidate *c)
{
	if (c->stat.state == 't')
		return judge_stopped(d, c);
	return blame(
		d, c, PP_PROCESS_NO_ANSWER,
		"it did not answer within %u ms: it is busy, writing a dump or hung; try again "
		"later",
		d->timeout_ms);
}

/* Runtimes before version 3 have no socket. */
static bool is_before_sockets(const struct candidate *c)
{
	const char *version = c->process.runtime;

	return version && (version[0] == '1' || version[0] == '2') && version[1] == '.';
}

static bool is_path_too_long(const struct candidate *c)
{
	char name[80];
	const int length =
		snprintf(name, sizeof(name), "/dotnet-diagnostic-%" PRId32 "-%" PRIu64 "-socket",
			 c->process.ns_pid, c->stat.start_ticks);

	return c->folder && strlen(c->folder) + (size_t)length > SOCKET_PATH_MOST;
}

static bool judge_starting(struct discovery *d, struct candidate *c)
{
	return blame(d, c, PP_PROCESS_STARTING, "its runtime is still starting; try again");
}

static bool judge_without_socket(struct discovery *d, struct candidate *c)
{
	const char *folder = c->folder ? c->folder : "/tmp";

	if (c->sign == RUNTIME_AWAITED)
		return judge_starting(d, c);
	if (c->disabled)
		return blame(d, c, PP_PROCESS_DISABLED,
			     "%s in its environment disables diagnostics; restart it without that",
			     c->disabled);
	if (!c->reached && is_foreign(c))
		return judge_foreign(d, c);
	if (!c->reached)
		return blame(d, c, PP_PROCESS_UNREACHABLE,
			     "it runs in a container or namespace whose files are not accessible; "
			     "run perfpipe in that container, or as root with the capability "
			     "SYS_PTRACE");
	if (is_before_sockets(c))
		return judge_too_old(d, c);
	if (is_path_too_long(c))
		return blame(d, c, PP_PROCESS_PATH_LENGTH,
			     "its TMPDIR of %zu bytes is too long for a socket; restart it with a "
			     "shorter one",
			     strlen(folder));
	if (c->has_server)
		return blame(d, c, PP_PROCESS_NO_SOCKET,
			     "its socket was removed from %s, perhaps with other temporary files; "
			     "restart it",
			     folder);
	if (c->fresh)
		return judge_starting(d, c);
	return blame(d, c, PP_PROCESS_NO_SOCKET,
		     "its runtime created no socket in %s: that directory was not writable, or its "
		     "configuration disables diagnostics; fix that and restart it",
		     folder);
}

bool discover_judge(struct discovery *d, struct candidate *c)
{
	/* before .NET 5 it cannot say who it is, so that the name of its socket must */
	if (c->answer == ANSWER_INFO || (c->answer == ANSWER_UNKNOWN && !c->other_key))
		return judge_alive(d, c);
	discover_runtime(d, c);
	if (c->sign == RUNTIME_NONE && (c->answer == ANSWER_DEAD || !c->process.socket))
		return false;
	if (c->stat.state == 'T')
		return is_foreign(c) ? judge_foreign(d, c) : judge_stopped(d, c);
	switch (c->answer) {
	case ANSWER_DENIED:
		return judge_denied(d, c);
	case ANSWER_LATE:
		return judge_late(d, c);
	case ANSWER_OTHER:
		return blame(
			d, c, PP_PROCESS_OTHER_LISTENER,
			"another process listens on its socket, and may pretend to be it; nothing "
			"was sent there");
	case ANSWER_UNKNOWN:
	case ANSWER_BAD:
		return blame(
			d, c, PP_PROCESS_BAD_ANSWER,
			"what listens on its socket does not speak the diagnostics protocol, or "
			"has gone; try again");
	default:
		c->process.socket = NULL;
		return judge_without_socket(d, c);
	}
}

const char *pp_process_problem_name(enum pp_process_problem problem)
{
	static const char *const names[] = {
		[PP_PROCESS_SUSPENDED] = "suspended",
		[PP_PROCESS_OTHER_USER] = "other-user",
		[PP_PROCESS_DISABLED] = "disabled",
		[PP_PROCESS_UNREACHABLE] = "unreachable",
		[PP_PROCESS_STOPPED] = "stopped",
		[PP_PROCESS_DEBUGGED] = "debugged",
		[PP_PROCESS_TOO_OLD] = "too-old",
		[PP_PROCESS_NO_ANSWER] = "no-answer",
		[PP_PROCESS_BAD_ANSWER] = "bad-answer",
		[PP_PROCESS_PATH_LENGTH] = "path-length",
		[PP_PROCESS_NO_SOCKET] = "no-socket",
		[PP_PROCESS_STARTING] = "starting",
		[PP_PROCESS_OTHER_LISTENER] = "other-listener",
	};

	return names[problem];
}
