/* SPDX-License-Identifier: MIT */
/*
 * demangle_kinds.h - the manglings that demangle.c tries in turn.
 *
 * A demangler appends to `text`, and returns false if the name is not one of its own or exceeds a
 * limit; what it has appended by then is the caller's to remove. Names are ASCII without a NUL.
 */
#ifndef SYMBOLS_DEMANGLE_KINDS_H
#define SYMBOLS_DEMANGLE_KINDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

#define DEMANGLED_MOST ((size_t)64 * 1024) /* bytes of a result */

struct mangled_name {
	const char *text;
	size_t size; /* without what follows an @ */
	bool fold;
};

bool demangle_cpp(const struct mangled_name *name, struct buffer *text);
bool demangle_rust_v0(const struct mangled_name *name, struct buffer *text);
bool demangle_rust_legacy(const struct mangled_name *name, struct buffer *text);

/*
 * Suffixes that a compiler adds to a Rust name, as c++filt writes those of C++: " [clone .cold]".
 * ".llvm.123" is left out: it only makes a local name unique. False if they are something else.
 */
bool demangle_clones(const char *suffixes, size_t size, struct buffer *text);

/* Template arguments in the text from `from` on become <...>. */
void demangle_fold_cpp(struct buffer *text, size_t from);
void demangle_fold_rust(struct buffer *text, size_t from);

#endif
