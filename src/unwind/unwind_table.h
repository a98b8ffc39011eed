/* SPDX-License-Identifier: MIT */
/*
 * unwind_table.h - how to get from a function to its caller, for every address of a module.
 *
 * A row is four bytes: where it begins in its block of code, and the number of a rule, which holds
 * up to the next row. Distinct rules are few: libc has some hundred for its thirty thousand rows.
 * So a table is a tenth of the code it describes, and a lookup a search in one block, which has
 *half a dozen rows: blocks of 64 KiB would take a hundredth less memory, and a third more time.
 *
 *	rule = unwind_table_find(&table, ip - bias);
 *	if (rule->kind != UNWIND_NO_RULE) ...
 *
 * Tables are made by a table_builder, and do not change: threads may share one.
 */
#ifndef UNWIND_TABLE_H
#define UNWIND_TABLE_H

#include "unwind/registers.h"

#define UNWIND_BLOCK_BITS 8

enum unwind_rule_kind {
	UNWIND_NO_RULE,	      /* nothing is known about this code */
	UNWIND_BY_REGISTER,   /* the CFA is a register and an offset */
	UNWIND_BY_EXPRESSION, /* the CFA is computed: `cfa_offset` is where, in `expressions` */
	UNWIND_OUTERMOST,     /* this function has no caller */
};

#define SAVED_SAME	INT16_MAX	/* the register has not been touched */
#define SAVED_UNDEFINED INT16_MIN	/* its value is gone */
#define SAVED_ELSEWHERE (INT16_MAX - 1) /* one of `others` has it */

enum unwind_rule_flags {
	UNWIND_SIGNAL_FRAME = 1, /* was interrupted, not called: its caller's address is exact */
};

/*
 * The CFA (canonical frame address) is the caller's stack pointer. A saved register is at
 * 8 * saved[i] from it, in the order of the machine's `saved`.
 */
struct unwind_rule {
	uint8_t kind;
	uint8_t flags;
	uint8_t cfa_register;
	uint8_t other_count;
	int32_t cfa_offset;
	uint32_t first_other;
	int16_t saved[UNWIND_SAVED];
};

enum unwind_other_kind {
	OTHER_AT_OFFSET,     /* saved at CFA + offset */
	OTHER_IS_OFFSET,     /* is CFA + offset */
	OTHER_AT_EXPRESSION, /* saved at what an expression computes */
	OTHER_IS_EXPRESSION, /* is what an expression computes */
	OTHER_IN_REGISTER,   /* is in the register `offset` */
};

/* A register that `saved` has no room for, such as each one in the frame of a signal. */
struct unwind_other {
	uint16_t number, kind; /* without padding: others are compared as bytes */
	int32_t offset;	       /* or the place of an expression in `expressions` */
};

struct unwind_row {
	uint16_t offset; /* in its block */
	uint16_t rule;
};

struct unwind_table {
	const struct unwind_machine *machine;
	uint64_t start;	  /* of the first block */
	uint32_t *blocks; /* the first row of each; one more than there are */
	size_t block_count;
	struct unwind_row *rows;
	size_t row_count;
	struct unwind_rule *rules; /* the first one is UNWIND_NO_RULE */
	size_t rule_count;
	struct unwind_other *others;
	size_t other_count;
	uint8_t *expressions; /* each is a u32 size and that many bytes */
	size_t expressions_size;
};

/* Never NULL. */
const struct unwind_rule *unwind_table_find(const struct unwind_table *table, uint64_t address);

size_t unwind_table_size(const struct unwind_table *table); /* in bytes of memory */
void unwind_table_release(struct unwind_table *table);

#endif
