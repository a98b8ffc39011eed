/* SPDX-License-Identifier: MIT */
#include "cli/collect_hints.h"

#include <string.h>

#include "base/error.h"
#include "base/shell_words.h"
#include "base/text.h"

void collect_suggest_process(char *const *command, struct pp_error *err)
{
	const char *word = command[0];
	const bool is_pid = strspn(word, "0123456789") == strlen(word);
	const struct pp_error why = *err;

	if (command[1] || strchr(word, '/'))
		return;
	*err = (struct pp_error){ 0 };
	error_set(err, why.code, "%s; to record a running process: perfpipe collect %s %s",
		  why.text, is_pid ? "-p" : "-n", word);
}

/* The newest file of the first process that has one; NULL: there is none, or it was a pipe. */
static const char *file_to_read(const struct targets *targets)
{
	for (const struct target *target = targets->first; target; target = target->next) {
		const struct recording *recording = &target->recording;
		const size_t count = recording->file_count;

		if (count && S_ISREG(recording->made[count - 1].st_mode))
			return recording->files[count - 1];
	}
	return NULL;
}

void collect_suggest_report(const struct targets *targets, FILE *out)
{
	const char *file = file_to_read(targets);
	struct arena arena = { 0 };

	if (file)
		fprintf(out, "perfpipe: next: perfpipe report %s\n",
			text_safe(&arena, shell_word(&arena, file)));
	arena_release(&arena);
}
