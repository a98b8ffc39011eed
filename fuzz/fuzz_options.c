/* SPDX-License-Identifier: MIT */
/* Any words must give options, operands or an error of one sentence. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/terminal.h"

#define MOST_WORDS 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct fuzz_args {
	bool flag;
	bool other;
	unsigned number;
	uint64_t large;
	const char *text;
	const char *choice;
};

static const struct option_spec options[] = {
	OPTION('f', "flag", struct fuzz_args, flag, NULL, "a flag"),
	OPTION(0, "other-flag", struct fuzz_args, other, NULL, "one without a letter"),
	OPTION('n', "number", struct fuzz_args, number, "N", "a number"),
	OPTION('l', "large", struct fuzz_args, large, "N", "a large number"),
	OPTION('o', "output", struct fuzz_args, text, "FILE", "a text"),
	OPTION('c', "choice", struct fuzz_args, choice, "text|json|csv", "one of three"),
	OPTION_LAST,
};

/* Splits the text into words at newlines and NULs; returns their number. */
static int split(char *text, size_t size, char **words)
{
	int count = 0;
	char *end = text + size;

	while (text < end && count < MOST_WORDS) {
		words[count++] = text;
		text += strcspn(text, "\n");
		*text++ = '\0';
	}
	return count;
}

static volatile size_t touched; /* keeps the compiler from dropping the reads */

/* Reads every promised byte, so that a sanitizer sees an invalid one. */
static size_t touch(const struct fuzz_args *args, const struct arguments *arguments)
{
	size_t sum = strlen(args->text) + strlen(args->choice);

	for (int i = 0; i < arguments->count; i++)
		sum += text_width(arguments->at[i]);
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_args args = { .text = "", .choice = "text" };
	struct pp_error err = { 0 }, unknown = { 0 };
	struct arguments arguments;
	char *words[MOST_WORDS];
	char *text = calloc(1, size + 1);

	if (!text)
		return 0;
	if (size)
		memcpy(text, data, size);
	arguments = (struct arguments){ .at = words, .count = split(text, size, words) };
	for (int i = 0; i < arguments.count; i++)
		command_find(words[i], &unknown);
	if (!options_parse(options, &args, &arguments, &err))
		touched = touch(&args, &arguments);
	else if (err.code != PP_ERROR_USAGE || !err.text[0])
		abort();
	free(text);
	return 0;
}
