/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/unicode.h"

int error_vset(struct pp_error *err, enum pp_error_code code, const char *fmt, va_list args)
{
	if (!err || err->code != PP_ERROR_NONE)
		return -1;
	err->code = code;
	if (vsnprintf(err->text, sizeof(err->text), fmt, args) >= (int)sizeof(err->text))
		utf8_trim(err->text);
	return -1;
}

int error_set(struct pp_error *err, enum pp_error_code code, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	error_vset(err, code, fmt, args);
	va_end(args);
	return -1;
}

int error_errno(struct pp_error *err, const char *fmt, ...)
{
	const int number = errno;
	char what[sizeof(err->text)];
	va_list args;

	va_start(args, fmt);
	vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	return error_set(err, PP_ERROR_SYSTEM, "%s: %s", what, strerror(number));
}

void close_keeping_errno(int fd)
{
	const int number = errno;

	close(fd);
	errno = number;
}
