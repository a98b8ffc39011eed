/* SPDX-License-Identifier: MIT */
/*
 * name_address - shows the functions at an address of a file, as linked, the innermost first.
 *
 *	cc name_address.c $(pkg-config --cflags --libs perfpipe-trace) -o name_address
 *	name_address app 0x1139
 */
#include <perfpipe/symbols.h>

#include <stdio.h>
#include <stdlib.h>

static void print(const struct pp_symbol *symbol)
{
	for (const struct pp_symbol_frame *frame = symbol->frame; frame; frame = frame->caller)
		printf("%s at %s:%u%s\n", frame->function, frame->file ? frame->file : "?",
		       (unsigned)frame->line, frame->inlined ? " (inlined)" : "");
	if (!symbol->frame)
		printf("no name, after %s\n", symbol->nearest ? symbol->nearest : "nothing");
}

int main(int argc, char **argv)
{
	const struct pp_symbols_options options = { .size = sizeof(options), .lines = true };
	const struct pp_code_address at = { .size = sizeof(at),
					    .space = PP_CODE_AS_LINKED,
					    .path = argc > 2 ? argv[1] : NULL,
					    .address = argc > 2 ? strtoull(argv[2], NULL, 16) : 0 };
	struct pp_error err = { 0 };
	struct pp_symbols *symbols = pp_symbols_open(&options, &err);
	const struct pp_symbol *symbol = symbols ? pp_symbols_find(symbols, &at, &err) : NULL;

	if (symbol)
		print(symbol);
	else
		fprintf(stderr, "%s\n", err.text);
	pp_symbols_close(symbols);
	return !symbol;
}
