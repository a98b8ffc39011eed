/* SPDX-License-Identifier: MIT */
/*
 * guid.h - GUIDs as text: lower case, with dashes, no braces.
 */
#ifndef BASE_GUID_H
#define BASE_GUID_H

#include <stdint.h>

#define GUID_TEXT_SIZE 37 /* the NUL included */

/* From the 16 bytes as Windows and .NET lay them out: the first three groups little-endian. */
void guid_text(const uint8_t *guid, char *text);

#endif
