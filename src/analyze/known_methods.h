/* SPDX-License-Identifier: MIT */
/*
 * known_methods.h - methods of the runtime's own libraries that an analysis knows by name.
 */
#ifndef ANALYZE_KNOWN_METHODS_H
#define ANALYZE_KNOWN_METHODS_H

#include "model/model.h"

/* By type and name. A type or a name that ends in * is a prefix; the name NULL is any. */
struct known_method {
	const char *type; /* NULL ends a list */
	const char *name;
};

bool frame_is_known(const struct model *model, uint32_t frame, const struct known_method *known);

/* A list, and the bit of frames that are in it. */
struct known_bit {
	const struct known_method *methods; /* NULL ends the lists */
	uint8_t bit;
};

/* By frame: the bits of all lists that it is in. To be freed. */
uint8_t *known_bits_of(const struct model *model, const struct known_bit *lists);

#endif
