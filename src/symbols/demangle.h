/* SPDX-License-Identifier: MIT */
/*
 * demangle.h - names as programmers write them: C++ (Itanium ABI), and Rust, v0 and legacy.
 *
 *	demangle("_ZN3foo3barEi", 0, &text)	"foo::bar(int)"
 *	demangle("_RNvC1a1f", 0, &text)		"a::f"
 *	demangle("memcpy@plt", 0, &text)	false: it is a name as it is
 *
 * Symbols are hostile: time, depth and the size of the result are bounded.
 */
#ifndef SYMBOLS_DEMANGLE_H
#define SYMBOLS_DEMANGLE_H

#include <stdbool.h>

#include "base/buffer.h"

enum demangle_flags {
	DEMANGLE_FOLD = 1, /* template and generic arguments as <...> */
};

/* Appends to `text`, without a NUL. False, and nothing appended, if it is not a mangled name. */
bool demangle(const char *symbol, unsigned flags, struct buffer *text);

#endif
