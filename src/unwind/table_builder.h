/* SPDX-License-Identifier: MIT */
/*
 * table_builder.h - from rows in ascending order of addresses to an unwind table.
 *
 *	struct table_builder builder = { .machine = &unwind_x86_64 };
 *
 *	table_builder_function(&builder, 0x1000, 0x1080);
 *	table_builder_row(&builder, 0x1000, &at_entry);
 *	table_builder_row(&builder, 0x1001, &after_push);
 *	table = table_builder_seal(&builder);
 *
 * Equal rows that follow one another are one, and between functions there is no rule. Rows that
 * are not in order are left out, as are those beyond 4 GiB: `dropped` counts them.
 */
#ifndef UNWIND_TABLE_BUILDER_H
#define UNWIND_TABLE_BUILDER_H

#include "base/arena.h"
#include "base/map.h"
#include "unwind/unwind_table.h"

struct built_row {
	uint64_t address;
	uint16_t rule;
};

/* Zero but for the machine is a valid empty builder. */
struct table_builder {
	const struct unwind_machine *machine;
	struct unwind_table table; /* its rules, others and expressions so far */
	struct built_row *rows;
	size_t row_count, row_capacity;
	size_t rule_capacity, other_capacity, expressions_capacity;
	struct map rule_numbers, other_places, expression_places; /* interned */
	struct arena arena;
	uint64_t function_end;
	size_t dropped;
};

/* Ends the one before. One that begins in it takes the rest of it. */
void table_builder_function(struct table_builder *builder, uint64_t start, uint64_t end);
void table_builder_row(struct table_builder *builder, uint64_t address,
		       const struct unwind_rule *rule);

/* The number of a rule in the table; 0, which is no rule, if there are too many. */
uint16_t table_builder_rule(struct table_builder *builder, const struct unwind_rule *rule);

/* What a rule refers to: `others` as its first_other, an expression as its cfa_offset or offset. */
uint32_t table_builder_others(struct table_builder *builder, const struct unwind_other *others,
			      size_t count);
int32_t table_builder_expression(struct table_builder *builder, const void *bytes, size_t size);

/* Releases the builder. */
struct unwind_table table_builder_seal(struct table_builder *builder);
void table_builder_release(struct table_builder *builder);

/* A rule with the CFA at a register and an offset, and every register untouched but the return
 * address, where a call has put it. */
struct unwind_rule unwind_rule_at(const struct unwind_machine *machine, unsigned cfa_register,
				  int32_t cfa_offset);

#endif
