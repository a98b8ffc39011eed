/* SPDX-License-Identifier: MIT */
/* Processes that run already: one or several pids, a name, or all that a name stands for. */
#include "record/target_finder.h"

static int add_one(struct targets *targets, uint64_t pid, const char *name, struct pp_error *err)
{
	struct target_search search = { .pid = pid,
					.name = name,
					.callbacks = &targets->callbacks,
					.how_to_choose = targets->options->how_to_choose };
	const struct pp_process *process = target_find(&search, err);

	if (process)
		targets_add_process(targets, process);
	target_search_release(&search);
	return process ? 0 : -1;
}

/* One of several that cannot be recorded has a note of its own, and does not hinder the others. */
static int add_one_of(struct targets *targets, uint64_t pid, const char *name, struct pp_error *err)
{
	struct pp_error why = { 0 };

	if (!add_one(targets, pid, name, &why))
		return 0;
	if (why.code == PP_ERROR_USAGE)
		return error_set(err, why.code, "%s", why.text);
	targets_note(targets, "%s", why.text);
	error_set(&targets->err, why.code, "%s", why.text);
	return 0;
}

static int add_listed(struct targets *targets, struct pp_error *err)
{
	const struct target_options *options = targets->options;

	if (options->pid_count < 2)
		return add_one(targets, options->pid_count ? options->pids[0] : 0, options->name,
			       err);
	for (size_t i = 0; i < options->pid_count; i++)
		if (add_one_of(targets, options->pids[i], options->name, err))
			return -1;
	return 0;
}

static int add_matching(struct targets *targets, struct pp_error *err)
{
	struct pp_processes found;
	int failed = 0;

	if (pp_processes_find(NULL, &found, err))
		return -1;
	target_filter(&found, targets->options->name);
	for (size_t i = 0; i < found.count && !failed; i++)
		if (found.items[i].traceable)
			targets_add_process(targets, &found.items[i]);
		else
			failed = add_one_of(targets, (uint64_t)found.items[i].pid, NULL, err);
	if (!found.count) /* then this says so */
		failed = add_one(targets, 0, targets->options->name, err);
	pp_processes_release(&found);
	return failed;
}

static int attach_begin(struct targets *targets, struct pp_error *err)
{
	if (targets->options->all_matching ? add_matching(targets, err) : add_listed(targets, err))
		return -1;
	if (!targets->first) /* each has had its note */
		return error_set(err, targets->err.code, "none of these processes can be recorded");
	if (!targets->first->next && !targets->err.code)
		return targets_start_now(targets, targets->first, err);
	for (struct target *target = targets->first; target; target = target->next)
		targets_start(targets, target);
	return 0;
}

const struct target_finder finder_attach = {
	.begin = attach_begin,
};
