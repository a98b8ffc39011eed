/* SPDX-License-Identifier: MIT */
#include "base/options.h"

#include <string.h>

#define OPTIONS_MOST 4096 /* more is not the size of any struct, but was never set */

static int check_rest(const unsigned char *given, size_t from, size_t to, struct pp_error *err)
{
	for (size_t i = from; i < to; i++)
		if (given[i])
			return error_set(err, PP_ERROR_UNSUPPORTED,
					 "an option is set that this version of perfpipe does not "
					 "have, after the first %zu bytes of its struct",
					 from);
	return 0;
}

int argument_check(const void *argument, const char *what, struct pp_error *err)
{
	return argument ? 0 : error_set(err, PP_ERROR_USAGE, "no %s was given, but NULL", what);
}

int options_read(void *known, size_t size, const void *given, struct pp_error *err)
{
	size_t theirs;

	if (argument_check(given, "struct of options", err))
		return -1;
	memcpy(&theirs, given, sizeof(theirs));
	if (theirs < sizeof(theirs) || theirs > OPTIONS_MOST)
		return error_set(err, PP_ERROR_USAGE,
				 "the size of a struct of options is not set, which is its first "
				 "field");
	if (check_rest(given, size, theirs, err))
		return -1;
	memmove(known, given, theirs < size ? theirs : size); /* they may be the same */
	if (theirs < size)
		memset((char *)known + theirs, 0, size - theirs);
	memcpy(known, &size, sizeof(size));
	return 0;
}
