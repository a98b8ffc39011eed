/* SPDX-License-Identifier: MIT */
#include "cli/completion.h"

#include <stdarg.h>
#include <string.h>

#include "base/text.h"

/* Is it in the list already? */
static bool is_listed(const struct completion *c, const char *word)
{
	const size_t length = strlen(word);

	for (size_t at = 0; at + length < c->list_size; at++)
		if ((!at || strchr(",+", c->list[at - 1])) &&
		    !strncmp(c->list + at, word, length) && strchr(",+", c->list[at + length]))
			return true;
	return false;
}

/* Names of processes and files may be anything; what nobody can type is left out. */
static bool is_typable(const char *word)
{
	for (const char *at = word; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			return false;
	return *word && *word != ':';
}

void completion_offer(struct completion *c, const char *word, const char *description)
{
	if (!is_typable(word) || is_listed(c, word))
		return;
	fprintf(c->out, "%s\t%s\n", word, description ? text_safe(&c->arena, description) : "");
	c->offered++;
}

void completion_say(struct completion *c, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(c->out, format, args);
	va_end(args);
	putc('\n', c->out);
	c->offered++;
}
