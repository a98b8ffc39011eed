/* SPDX-License-Identifier: MIT */
/*
 * texts.h - strings of payloads as UTF-8, in the scratch memory of a payload.
 *
 * Each call makes `value` a VALUE_TEXT. Invalid characters become U+FFFD.
 */
#ifndef PAYLOAD_TEXTS_H
#define PAYLOAD_TEXTS_H

#include "payload/payload.h"

void text_utf16(struct payload *p, struct value *value, const uint8_t *bytes, size_t units);

void text_utf8(struct payload *p, struct value *value, const uint8_t *bytes, size_t size);

/* Up to the first zero, if any: strings of a fixed size are padded with zeros. */
void text_utf8_filled(struct payload *p, struct value *value, const uint8_t *bytes, size_t size);

/* Up to the terminator, which the cursor skips; false if there is none. */
bool text_utf16z(struct payload *p, struct value *value);
bool text_utf8z(struct payload *p, struct value *value);

/* The exact value of the 16 bytes of a .NET decimal; false if they are invalid. */
bool text_decimal(struct payload *p, struct value *value, const uint8_t *bytes);

#endif
