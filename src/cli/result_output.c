/* SPDX-License-Identifier: MIT */
#include "cli/result_output.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/exit_code.h"
#include "cli/terminal.h"
#include "record/process_list.h"

const struct renderer *output_renderer(const struct output_args *args, struct pp_error *err)
{
	const char *format = args->json	      ? "json"
			     : args->csv      ? "csv"
			     : args->markdown ? "markdown"
					      : args->format;

	if (args->json + args->csv + args->markdown > 1 ||
	    (args->format && format && strcmp(args->format, format) != 0)) {
		error_set(err, PP_ERROR_USAGE,
			  "--format, --json, --csv and --markdown cannot be combined");
		return NULL;
	}
	return renderer_find(format ? format : "text");
}

void result_print(const struct result *result, const struct renderer *renderer, FILE *out)
{
	const struct render_options options = { .width = terminal_width(out),
						.colour = terminal_wants_colour(out) };
	struct buffer text = { 0 };

	renderer->render(result, &options, &text);
	terminal_guard(fileno(out), &text);
	if (text.failed) {
		terminal_say("out of memory");
		exit(EXIT_OTHER);
	}
	if (text.size)
		fwrite(text.bytes, 1, text.size, out);
	buffer_release(&text);
}

void result_print_candidates(void *context, const struct pp_processes *processes)
{
	struct arena arena = { 0 };
	const struct result list = process_list_result(processes, NULL, &arena);

	(void)context;
	result_print(&list, &render_text, stderr);
	arena_release(&arena);
}
