/* SPDX-License-Identifier: MIT */
/* Runtimes that connect to a port of ours, or one that listens at its own. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "ipc/client.h"
#include "ipc/process_read.h"
#include "record/port_address.h"
#include "record/target_finder.h"

struct listening {
	struct pp_port *port;
	bool chosen; /* guarded by targets->choosing */
};

static bool is_called(const struct target *target, const struct pp_process_info *info,
		      const char *name)
{
	return strcasestr(target->name, name) ||
	       (info->entrypoint && strcasestr(info->entrypoint, name));
}

/* Those of the name; only the first of them unless all are asked for. */
static bool choose(struct target *target, const struct pp_process_info *info)
{
	const struct target_options *options = target->targets->options;
	struct listening *listening = target->targets->state;

	target_set_name(target, info);
	if (options->name && !is_called(target, info, options->name))
		return false;
	if (listening->chosen && !options->all_matching)
		return false;
	return listening->chosen = true;
}

static bool goes_on(const struct targets *targets)
{
	const struct listening *listening = targets->state;

	if (!listening->port || targets->closed)
		return false;
	return targets->options->all_matching || !targets->recorded;
}

/* On each turn, since clients of other runtimes take in who connects, too. */
static void port_tick(void *context, int64_t now_ns)
{
	struct targets *targets = context;
	struct listening *listening = targets->state;
	struct pp_runtime *runtime;

	(void)now_ns;
	if (!listening->port)
		return;
	pp_port_serve(listening->port);
	while ((runtime = pp_port_next(listening->port)))
		targets_start(targets, targets_add_runtime(targets, runtime, choose));
}

/* Also while one is recorded: others that wait at their start must be resumed. */
static void port_watch(void *context, struct poll_set *set)
{
	const struct listening *listening = ((struct targets *)context)->state;

	if (listening->port)
		poll_set_add(set, pp_port_fd(listening->port), NULL, NULL);
}

static int listen_at(struct targets *targets, const char *path, struct pp_error *err)
{
	struct listening *listening = targets->state;

	listening->port = pp_port_listen(path, err);
	if (!listening->port)
		return -1;
	targets_note(targets,
		     "listening at %s; start the program with DOTNET_DiagnosticPorts=%s in its "
		     "environment (append ,nosuspend so that it does not wait)",
		     path, path);
	return 0;
}

/*
 * The process as the kernel names it, if it is the one that it says it is, in its own pid
 * namespace; else 0, as for one that we cannot see. Or it could have any other process measured and
 * described.
 */
static long process_of(const struct pp_client *client, const struct pp_process_info *info)
{
	struct process_files files;
	struct process_text text;
	struct process_status status = { 0 };
	struct pp_error ignored = { 0 };

	if (process_files_open(&files, "/proc", &ignored))
		return 0;
	if (client->peer && process_read(&files, client->peer, "status", &text))
		status = process_status_parse(text);
	process_files_close(&files);
	return status.ns_pid && (uint64_t)status.ns_pid == info->process_id ? client->peer : 0;
}

/* It listens at the port that was named, so it is the one. */
static bool take(struct target *target, const struct pp_process_info *info)
{
	target->recording.process_id = process_of(target->recording.client, info);
	target_set_name(target, info);
	return true;
}

static int connect_to(struct targets *targets, const char *path, struct pp_error *err)
{
	struct pp_client *client = pp_client_new(path, err);
	struct target *target = client ? targets_add(targets, client, 0, NULL) : NULL;

	if (!target)
		return -1;
	target->choose = take;
	targets->alone = true;
	targets_start(targets, target);
	return 0;
}

static int port_begin(struct targets *targets, struct pp_error *err)
{
	struct port_address address;

	targets->state = xcalloc(1, sizeof(struct listening));
	if (port_address_parse(&address, targets->options->port, err))
		return -1;
	return address.connect ? connect_to(targets, address.path, err)
			       : listen_at(targets, address.path, err);
}

static void port_hide(struct targets *targets)
{
	pp_port_hide(((struct listening *)targets->state)->port);
}

static void port_close(struct targets *targets)
{
	struct listening *listening = targets->state;

	if (listening)
		pp_port_close(listening->port);
	xfree(listening);
}

const struct target_finder finder_port = {
	.begin = port_begin,
	.hide = port_hide,
	.close = port_close,
	.is_open = goes_on,
	.watch = port_watch,
	.tick = port_tick,
};
