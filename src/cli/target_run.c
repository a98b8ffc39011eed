/* SPDX-License-Identifier: MIT */
#include "cli/target_run.h"

#include "base/error.h"

enum exit_code target_refusal(const struct pp_error *err)
{
	return err->code == PP_ERROR_USAGE ? EXIT_USAGE : EXIT_SESSION;
}

enum exit_code target_run(struct engine *engine, struct targets *targets, struct pp_error *err)
{
	const bool launches = targets->options->command;

	if (targets_begin(targets, err))
		return target_refusal(err);
	engine_run(engine);
	targets_end(targets);
	if (targets->refused)
		error_set(err, targets->err.code, "%s", targets->err.text);
	else if (engine->gave_up && !targets->recorded && !launches)
		error_set(err, PP_ERROR_SYSTEM, "interrupted before anything was recorded");
	return err->code ? target_refusal(err) : EXIT_DONE;
}

/* A second Ctrl+C waits for nothing. */
bool target_run_end(struct engine *engine, struct targets *targets)
{
	bool freed = true;

	if (engine->gave_up)
		freed = targets_abandon(targets);
	else
		targets_free(targets);
	engine_close(engine);
	return freed;
}
