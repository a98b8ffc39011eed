/* SPDX-License-Identifier: MIT */
/* demangle_names [fold] - demangles the symbols in its input, one per line; others stay as they
 * are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "symbols/demangle.h"

int main(int argc, char **argv)
{
	const unsigned flags = argc > 1 && !strcmp(argv[1], "fold") ? DEMANGLE_FOLD : 0;
	struct buffer text = { 0 };
	char *symbol = NULL;
	size_t capacity = 0;

	for (ssize_t size; (size = getline(&symbol, &capacity, stdin)) > 0;) {
		if (symbol[size - 1] == '\n')
			symbol[size - 1] = 0;
		if (!demangle(symbol, flags, &text))
			buffer_text(&text, symbol);
		buffer_u8(&text, '\n');
		fwrite(text.bytes, 1, text.size, stdout);
		buffer_rewind(&text, 0);
	}
	free(symbol);
	buffer_release(&text);
	return ferror(stdin) || fflush(stdout) ? 1 : 0;
}
