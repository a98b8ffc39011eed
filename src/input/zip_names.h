/* SPDX-License-Identifier: MIT */
/*
 * zip_names.h - the names in an archive, fit to be shown to a person.
 *
 * They come from somebody else: what could steer a terminal or turn the
 * reading direction becomes "?", and long ones are cut.
 */
#ifndef INPUT_ZIP_NAMES_H
#define INPUT_ZIP_NAMES_H

#include <stddef.h>
#include <stdint.h>

#define ZIP_NAME	48 /* bytes of a name that are shown, with the NUL */
#define ZIP_NAMES_SHOWN 3

struct zip_names {
	char shown[ZIP_NAMES_SHOWN][ZIP_NAME];
	size_t count;
};

/* `size` bytes as text into `out`, which has ZIP_NAME bytes. */
void zip_name_clean(const uint8_t *bytes, size_t size, char *out);

void zip_names_add(struct zip_names *names, const char *clean);

/* "a", "a and b", "a, b, c and 4 others"; of none "nothing". */
void zip_names_list(const struct zip_names *names, char *out, size_t size);

#endif
