/* SPDX-License-Identifier: MIT */
#include "cli/symbolize.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "cli/exit_code.h"
#include "cli/symbolize_parts.h"
#include "cli/terminal.h"

#define MODULES_NOTED 5

void symbolize_flush(struct symbolize *run)
{
	terminal_guard(fileno(stdout), &run->out);
	if (run->out.failed) {
		terminal_say("out of memory");
		exit(EXIT_OTHER);
	}
	if (run->out.size)
		fwrite(run->out.bytes, 1, run->out.size, stdout);
	fflush(stdout);
	buffer_rewind(&run->out, 0);
}

static int check_module(const char *path, struct pp_error *err)
{
	struct stat found;

	if (stat(path, &found))
		return error_errno(err, "cannot open '%s'", path);
	if (!S_ISREG(found.st_mode))
		return error_set(err, PP_ERROR_SYSTEM, "'%s' is not a regular file", path);
	return 0;
}

/* Asking about any address opens the file, and says what is wrong with it. */
static int open_module(struct symbolize *run, struct pp_error *err)
{
	struct symbol_answer answer;
	const struct symbol_module *module;

	if (check_module(run->module, err))
		return -1;
	symbolize_find(run, &(struct asked_address){ 0 }, &answer);
	module = symbols_module_count(run->symbols) ? symbols_module(run->symbols, 0) : NULL;
	if (!module || (module->state != SYMBOLS_UNREADABLE && module->state != SYMBOLS_NO_FILE))
		return 0;
	if (module->problem)
		return error_set(err, PP_ERROR_FORMAT, "%s", module->problem);
	return error_set(err, PP_ERROR_FORMAT, "cannot read '%s': it is not an ELF file",
			 run->module);
}

int symbolize_begin(struct symbolize *run, struct pp_error *err)
{
	run->writer = (struct json){ .out = &run->out, .indent = 2 };
	run->symbols = symbols_new(&run->options);
	if (run->pid && process_maps_read(&run->maps, run->pid, err))
		return -1;
	if (run->module && open_module(run, err))
		return -1;
	if (run->json)
		symbolized_begin(&run->writer);
	return 0;
}

static void say_problem(const struct symbol_module *module, const char *state)
{
	const char *problem = module->problem ? module->problem : state;

	if (strstr(problem, module->path))
		terminal_say("%s", problem);
	else
		terminal_say("%s: %s", module->path, problem);
}

static void say_modules(const struct symbolize *run)
{
	size_t wrong = 0;

	for (size_t i = 0; i < symbols_module_count(run->symbols); i++) {
		const struct symbol_module *module = symbols_module(run->symbols, i);
		const char *state = symbols_state_text(module->state);

		if (state && module->named < module->asked && wrong++ < MODULES_NOTED)
			say_problem(module, state);
	}
	if (wrong > MODULES_NOTED)
		terminal_say("files without symbols that are not listed: %s",
			     text_count(wrong - MODULES_NOTED).text);
}

static void say_unnamed(const struct symbolize *run)
{
	const uint64_t unnamed = run->totals.asked - run->totals.named;

	if (!run->totals.asked)
		terminal_say(
			symbolize_has_target(run)
				? "no address was found in the input"
				: "no address was found that names its file, as in FILE+0x1139; "
				  "for others give -p PID, --module FILE or --kernel");
	if (!unnamed)
		return;
	terminal_say("%s of %s %s no name", text_count(unnamed).text,
		     text_counted(run->totals.asked, "address", "addresses").text,
		     unnamed == 1 ? "has" : "have");
	say_modules(run);
}

void symbolize_end(struct symbolize *run)
{
	if (run->json)
		symbolized_end(&run->writer, &run->totals);
	symbolize_flush(run);
	say_unnamed(run);
}

void symbolize_release(struct symbolize *run)
{
	symbols_free(run->symbols);
	process_maps_release(&run->maps);
	buffer_release(&run->out);
	arena_release(&run->arena);
}
