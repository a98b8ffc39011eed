/* SPDX-License-Identifier: MIT */
/*
 * error.h - setting errors, and keeping the system's.
 *
 * The first error wins. These calls return -1, so that a failing path is one statement: return
 * error_set(err, PP_ERROR_LIMIT, "..."). `err` is NULL where nobody wants to know why.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdarg.h>

#include "perfpipe/error.h"

#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))

int error_set(struct pp_error *err, enum pp_error_code code, const char *fmt, ...)
	PRINTF_LIKE(3, 4);

int error_vset(struct pp_error *err, enum pp_error_code code, const char *fmt, va_list args)
	PRINTF_LIKE(3, 0);

/* For a failed system call: appends ": " and the text of errno. */
int error_errno(struct pp_error *err, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* After another call has failed. */
void close_keeping_errno(int fd);

#endif
