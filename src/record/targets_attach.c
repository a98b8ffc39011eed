/* SPDX-License-Identifier: MIT */
/*
 * Processes that run already: one or several pids, a name, or all that a name stands for. They are
 * looked for on a thread, since one that does not answer takes seconds, and a signal must not wait.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/time.h"
#include "record/target_finder.h"

#define LOOK_NS INT64_C(200000000) /* between two looks for a note of the thread */

/* One process, or why there is none. */
struct attach_item {
	struct target_search search; /* owns the process */
	const struct pp_process *process;
	struct pp_error err;
	bool shows_candidates; /* those of the search */
};

struct attaching {
	struct async_start start;
	struct pp_processes matching;
	struct attach_item *items;
	size_t count;
	size_t capacity;
	struct pp_error err;
	char note[160]; /* from the thread; guarded by targets->choosing */
};

static struct attach_item *add_item(struct attaching *attaching)
{
	attaching->items = xgrow(attaching->items, attaching->count, &attaching->capacity,
				 sizeof(*attaching->items));
	attaching->items[attaching->count] = (struct attach_item){ 0 };
	return &attaching->items[attaching->count++];
}

static void keep_note(void *context, const char *sentence)
{
	struct targets *targets = context;
	struct attaching *attaching = targets->state;

	pthread_mutex_lock(&targets->choosing);
	snprintf(attaching->note, sizeof(attaching->note), "%s", sentence);
	pthread_mutex_unlock(&targets->choosing);
}

/* The search keeps the processes until they can be shown. */
static void keep_candidates(void *context, const struct pp_processes *processes)
{
	struct attaching *attaching = ((struct targets *)context)->state;

	(void)processes;
	attaching->items[attaching->count - 1].shows_candidates = true;
}

static void look_for(struct targets *targets, uint64_t pid, const char *name)
{
	const struct target_callbacks callbacks = { .note = keep_note,
						    .candidates = keep_candidates,
						    .context = targets };
	struct attach_item *item = add_item(targets->state);

	item->search = (struct target_search){ .pid = pid,
					       .name = name,
					       .callbacks = &callbacks,
					       .how_to_choose = targets->options->how_to_choose,
					       .give_up_fd = targets->engine->stop_fd };
	item->process = target_find(&item->search, &item->err);
	item->search.callbacks = NULL;
}

static void look_for_listed(struct targets *targets)
{
	const struct target_options *options = targets->options;

	if (!options->pid_count)
		look_for(targets, 0, options->name);
	for (size_t i = 0; i < options->pid_count; i++)
		look_for(targets, options->pids[i], options->name);
}

static void look_for_matching(struct targets *targets)
{
	struct attaching *attaching = targets->state;
	struct pp_processes *matching = &attaching->matching;

	if (pp_processes_find(NULL, matching, &attaching->err))
		return;
	target_filter(matching, targets->options->name);
	for (size_t i = 0; i < matching->count; i++)
		if (matching->items[i].traceable)
			add_item(attaching)->process = &matching->items[i];
		else
			look_for(targets, (uint64_t)matching->items[i].pid, NULL);
	if (!matching->count) /* then this says so */
		look_for(targets, 0, targets->options->name);
}

static void run_search(void *context)
{
	struct targets *targets = context;

	if (targets->options->all_matching)
		look_for_matching(targets);
	else
		look_for_listed(targets);
}

static void say_note(struct targets *targets)
{
	struct attaching *attaching = targets->state;
	char note[sizeof(attaching->note)];

	pthread_mutex_lock(&targets->choosing);
	snprintf(note, sizeof(note), "%s", attaching->note);
	attaching->note[0] = 0;
	pthread_mutex_unlock(&targets->choosing);
	if (*note)
		targets_note(targets, "%s", note);
}

/* One of several that cannot be recorded has a note of its own, and does not hinder the others. */
static void miss(struct targets *targets, const struct attach_item *item)
{
	const struct target_callbacks *callbacks = &targets->callbacks;
	const struct attaching *attaching = targets->state;

	if (item->shows_candidates && callbacks->candidates)
		callbacks->candidates(callbacks->context, &item->search.processes);
	if (item->err.code == PP_ERROR_USAGE || attaching->count == 1)
		targets_refuse(targets, &item->err);
	else
		targets_note(targets, "%s", item->err.text);
	error_set(&targets->err, item->err.code, "%s", item->err.text);
}

static void add_found(struct targets *targets)
{
	const struct attaching *attaching = targets->state;

	if (attaching->err.code)
		targets_refuse(targets, &attaching->err);
	for (size_t i = 0; i < attaching->count && !targets->refused; i++)
		if (attaching->items[i].process)
			targets_add_process(targets, attaching->items[i].process);
		else
			miss(targets, &attaching->items[i]);
}

static void start_found(void *context)
{
	struct targets *targets = context;

	targets->starting--;
	say_note(targets);
	add_found(targets);
	if (!targets->first && !targets->refused) { /* each has had its note */
		const enum pp_error_code code = targets->err.code;

		targets->err = (struct pp_error){ 0 };
		error_set(&targets->err, code, "none of these processes can be recorded");
		targets_refuse(targets, &targets->err);
	}
	targets->alone = targets->first && !targets->first->next && !targets->err.code;
	for (struct target *target = targets->first; target && !targets->refused;
	     target = target->next)
		targets_start(targets, target);
}

static int attach_begin(struct targets *targets, struct pp_error *err)
{
	struct attaching *attaching = xcalloc(1, sizeof(*attaching));

	(void)err;
	targets->state = attaching;
	targets->starting++;
	attaching->start =
		(struct async_start){ .run = run_search, .done = start_found, .context = targets };
	async_start_begin(&attaching->start, targets->engine->starts);
	return 0;
}

static void attach_tick(void *context, int64_t now_ns)
{
	(void)now_ns;
	say_note(context);
}

static void attach_watch(void *context, struct poll_set *set)
{
	const struct attaching *attaching = ((struct targets *)context)->state;

	if (async_start_is_pending(&attaching->start))
		poll_set_wake(set, time_monotonic_ns() + LOOK_NS);
}

static void attach_close(struct targets *targets)
{
	struct attaching *attaching = targets->state;

	if (!attaching)
		return;
	async_start_wait(&attaching->start);
	for (size_t i = 0; i < attaching->count; i++)
		target_search_release(&attaching->items[i].search);
	pp_processes_release(&attaching->matching);
	xfree(attaching->items);
	xfree(attaching);
}

const struct target_finder finder_attach = {
	.begin = attach_begin,
	.close = attach_close,
	.watch = attach_watch,
	.tick = attach_tick,
};
