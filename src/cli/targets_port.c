/* SPDX-License-Identifier: MIT */
/* Processes that connect to us, or one that listens for us: --diagnostic-port. */
#include <stdlib.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cli/targets.h"
#include "perfpipe/port.h"
#include "record/port_address.h"

struct listening {
	struct pp_port *port;
	bool chosen; /* guarded by targets->choosing */
};

static bool is_called(const struct target_entry *entry, const struct pp_process_info *info,
		      const char *name)
{
	return strcasestr(entry->name, name) ||
	       (info->entrypoint && strcasestr(info->entrypoint, name));
}

/* Those that the name means; the first alone, unless all are asked for. */
static bool choose(struct target_entry *entry, const struct pp_process_info *info)
{
	const struct targets *targets = entry->targets;
	struct listening *listening = targets->state;

	target_entry_set_name(entry, info);
	if (targets->args->name && !is_called(entry, info, targets->args->name))
		return false;
	if (listening->chosen && !targets->args->all_matching)
		return false;
	return listening->chosen = true;
}

static bool goes_on(struct targets *targets)
{
	const struct listening *listening = targets->state;

	if (!listening->port || targets->closed)
		return false;
	return targets->args->all_matching || !targets->recorded;
}

static void port_take(struct targets *targets)
{
	struct listening *listening = targets->state;
	struct pp_runtime *runtime;

	if (!listening->port)
		return;
	pp_port_serve(listening->port);
	while ((runtime = pp_port_next(listening->port))) {
		struct target_entry *entry = targets_add_runtime(targets, runtime, choose);

		targets_start(targets, entry);
	}
}

/* Also while one is recorded: others that wait at their start shall go on. */
static void port_watch(struct targets *targets, struct poll_set *set)
{
	const struct listening *listening = targets->state;

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
		     "environment (with ,nosuspend behind it, it does not wait for us)",
		     path, path);
	return 0;
}

static int connect_to(struct targets *targets, const char *path, struct pp_error *err)
{
	struct pp_client *client = pp_client_new(path);
	struct pp_process_info *info = pp_client_process_info(client, err);
	struct target_entry *entry;

	if (!info) {
		pp_client_free(client);
		return -1;
	}
	entry = targets_add(targets, client, (long)info->process_id, NULL);
	target_entry_set_name(entry, info);
	pp_process_info_free(info);
	return targets_start_now(targets, entry, err);
}

static int port_begin(struct targets *targets, struct pp_error *err)
{
	const char *text = targets->args->diagnostic_port ? targets->args->diagnostic_port
							  : targets->args->dport;
	struct port_address address;

	targets->state = xcalloc(1, sizeof(struct listening));
	if (port_address_parse(&address, text, err))
		return -1;
	return address.connect ? connect_to(targets, address.path, err)
			       : listen_at(targets, address.path, err);
}

static void port_end(struct targets *targets)
{
	struct listening *listening = targets->state;

	if (!listening)
		return;
	if (targets_are_pending(targets)) {
		pp_port_hide(listening->port);
		return;
	}
	pp_port_close(listening->port);
	free(listening);
}

const struct target_finder finder_port = {
	.begin = port_begin,
	.end = port_end,
	.watch = port_watch,
	.take = port_take,
	.is_open = goes_on,
};
