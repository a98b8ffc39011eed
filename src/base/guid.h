/* SPDX-License-Identifier: MIT */
/*
 * guid.h - GUIDs as text: lower case, with dashes, without braces.
 */
#ifndef BASE_GUID_H
#define BASE_GUID_H

#include <stdint.h>

#define GUID_TEXT_SIZE 37 /* including the NUL */

/* Reads the 16 bytes of Windows and .NET: the first three groups are little-endian. */
void guid_text(const uint8_t *guid, char *text);

#endif
