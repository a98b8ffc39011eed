/* SPDX-License-Identifier: MIT */
/*
 * symbol_text.h - what is at an address, as people read it.
 *
 *	0x1139 square at a.cc:4			a function with lines, and what it is inlined into
 *	  (inlined by) main at a.cc:12
 *	0x7f0012345678 malloc+0x1d (libc.so.6)
 *	0x4711 ?? app+0x4711 [no symbols] (~exported+0x1a)
 *
 * What stands after a ~ is only the nearest function before it, of which it may be a part. Names
 * are made safe for terminals.
 */
#ifndef REPORT_SYMBOL_TEXT_H
#define REPORT_SYMBOL_TEXT_H

#include "base/buffer.h"
#include "symbols/symbols.h"

struct symbol_text_style {
	bool module;	/* names it; a line without a function always does */
	bool basenames; /* of source files, without their folders */
};

/* A line for each frame, the innermost first. */
void symbol_text_lines(struct buffer *out, uint64_t address, const struct symbol_answer *answer,
		       const struct symbol_text_style *style);

/* " <square at a.cc:4, inlined by main at a.cc:12>", for after an address in a text. */
void symbol_text_note(struct buffer *out, const struct symbol_answer *answer,
		      const struct symbol_text_style *style);

/*
 * Without inlined functions: the function itself, with the line of the instruction, wherever that
 * was inlined from.
 */
void symbol_answer_fold(struct symbol_answer *answer);

/* Why there is no name; NULL if there is one. */
const char *symbol_answer_problem(const struct symbol_answer *answer);

#endif
