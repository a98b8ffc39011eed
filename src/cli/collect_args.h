/* SPDX-License-Identifier: MIT */
/*
 * collect_args.h - the options of `perfpipe collect`, and what they ask for.
 */
#ifndef CLI_COLLECT_ARGS_H
#define CLI_COLLECT_ARGS_H

#include "cli/exit_code.h"
#include "cli/option.h"
#include "cli/session_args.h"
#include "record/recording.h"
#include "record/stopping_event.h"
#include "record/targets.h"

struct collect_args {
	const char *process_id; /* "1,2,3" */
	const char *name;
	bool all_matching;
	bool wait;
	bool every;
	const char *diagnostic_port;
	const char *dport;
	const char *dsrouter;
	struct session_args session;
	const char *output;
	bool force;
	const char *compress;
	const char *format;
	const char *duration;
	const char *max_size;
	uint64_t max_events;
	const char *roll;
	uint64_t keep;
	bool show_child_io;
	bool hide_child_io;
	bool follow_children;
	struct option_switch early_rundown;
	bool no_thread_times;
	bool manifest;
	struct option_switch resume_runtime;
	struct stopping_event stopping;
	struct option_optional report;
	bool json;
	bool quiet;
};

extern const struct option_spec collect_options[];

/* The targets that were asked for, and the memory of their list. */
struct collect_targets {
	struct target_options options;
	uint64_t *pids;
};

/* Release them also if that fails. The command ends with NULL; NULL: none. */
int collect_args_targets(const struct collect_args *args, char *const *command,
			 struct collect_targets *targets, struct pp_error *err);
void collect_targets_release(struct collect_targets *targets);

/* EXIT_DONE, or why it cannot be done: EXIT_UNSUPPORTED or EXIT_USAGE. */
enum exit_code collect_args_check(const struct collect_args *args,
				  const struct target_options *targets, struct pp_error *err);

/* All but the session; texts are those of the arguments. */
int collect_args_read(const struct collect_args *args, struct recording_options *options,
		      struct pp_error *err);

#endif
