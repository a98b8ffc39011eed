/* SPDX-License-Identifier: MIT */
/*
 * zip_names.h - the names in an archive, made safe to print.
 *
 * Names are untrusted: characters that could control a terminal or reverse the reading
 * direction become "?", and long names are cut.
 */
#ifndef INPUT_ZIP_NAMES_H
#define INPUT_ZIP_NAMES_H

#include <stddef.h>
#include <stdint.h>

#define ZIP_NAME	48 /* bytes of a name that are shown, including the NUL */
#define ZIP_NAMES_SHOWN 3

struct zip_names {
	char shown[ZIP_NAMES_SHOWN][ZIP_NAME];
	size_t count;
};

/* Writes `size` bytes as text to `out`, which has ZIP_NAME bytes. */
void zip_name_clean(const uint8_t *bytes, size_t size, char *out);

void zip_names_add(struct zip_names *names, const char *clean);

/* "a", "a and b", "a, b, c and 4 others"; "nothing" if there are none. */
void zip_names_list(const struct zip_names *names, char *out, size_t size);

#endif
