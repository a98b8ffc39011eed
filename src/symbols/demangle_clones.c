/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "symbols/demangle_kinds.h"

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The bytes of ".part.0.1", numbers and all; 0 if it is not a suffix. */
static size_t clone_size(const char *suffix, size_t left)
{
	size_t size = 1;

	while (size < left && (is_letter(suffix[size]) || is_digit(suffix[size])))
		size++;
	if (size == 1 || suffix[0] != '.')
		return 0;
	while (left - size >= 2 && suffix[size] == '.' && is_digit(suffix[size + 1]))
		for (size += 2; size < left && is_digit(suffix[size]);)
			size++;
	return size;
}

/* The number in ".llvm.A5310EB9" has letters. */
static size_t llvm_size(const char *suffix, size_t left)
{
	static const char llvm[] = ".llvm.";
	size_t size = sizeof(llvm) - 1;

	if (left <= size || memcmp(suffix, llvm, size) != 0)
		return 0;
	while (size < left && (is_letter(suffix[size]) || is_digit(suffix[size])))
		size++;
	return size;
}

bool demangle_clones(const char *suffixes, size_t size, struct buffer *text)
{
	while (size) {
		const size_t skipped = llvm_size(suffixes, size);
		const size_t taken = skipped ? skipped : clone_size(suffixes, size);

		if (!taken)
			return false;
		if (!skipped) {
			buffer_text(text, " [clone ");
			buffer_bytes(text, suffixes, taken);
			buffer_text(text, "]");
		}
		suffixes += taken;
		size -= taken;
	}
	return true;
}
