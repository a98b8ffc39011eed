/* SPDX-License-Identifier: MIT */
/*
 * symbol_find.c - what is at addresses of a process: symbol_find PID ADDRESS...
 *
 * Prints a line for each: the module, and the functions, innermost first; or the state of the
 * module in brackets and its problem.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "symbols/symbols.h"

static void print(const struct symbol_answer *answer)
{
	const struct symbol_module *module = answer->module;

	if (!module) {
		puts("nothing");
		return;
	}
	printf("%s", module->name);
	for (size_t i = 0; i < answer->count; i++)
		printf(" %s", answer->frames[i].function);
	if (!answer->count)
		printf(" [%s] %s",
		       symbols_state_text(module->state) ? symbols_state_text(module->state) : "",
		       module->problem ? module->problem : "");
	puts("");
}

int main(int argc, char **argv)
{
	struct symbols *symbols = symbols_new(&(struct symbols_options){ .no_network = true });
	static struct symbol_answer answer;

	for (int i = 2; i < argc; i++) {
		const struct code_address at = { .pid = strtoll(argv[1], NULL, 10),
						 .address = strtoull(argv[i], NULL, 16) };

		symbols_find(symbols, &at, &answer);
		print(&answer);
	}
	symbols_free(symbols);
	return 0;
}
