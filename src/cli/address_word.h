/* SPDX-License-Identifier: MIT */
/*
 * address_word.h - an address as a person types it: always hexadecimal, with or without 0x.
 *
 *	0x1139, 1139		an address
 *	libfoo.so+0x1234	an address of that file, as linked
 */
#ifndef CLI_ADDRESS_WORD_H
#define CLI_ADDRESS_WORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfpipe/error.h"

struct address_word {
	uint64_t address;
	size_t module_size; /* bytes of the file's name, at the start of the word; 0: there is none
			     */
};

/* The whole word; false: it is something else, or has more than 64 bits. */
bool address_word_read(const char *word, struct address_word *found);

/* The same for an argument: -1 with what is wrong. */
int address_word_parse(const char *word, struct address_word *found, struct pp_error *err);

#endif
