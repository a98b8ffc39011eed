/* SPDX-License-Identifier: MIT */
#include "unwind/unwind_table.h"

#include "base/alloc.h"

static const struct unwind_rule no_rule = { .kind = UNWIND_NO_RULE };

/* The last row that begins at `offset` or before it; `first` - 1 if all begin after it. */
static size_t last_row(const struct unwind_row *rows, size_t first, size_t end, uint16_t offset)
{
	while (first < end) {
		const size_t middle = first + (end - first) / 2;

		if (rows[middle].offset <= offset)
			first = middle + 1;
		else
			end = middle;
	}
	return first - 1;
}

const struct unwind_rule *unwind_table_find(const struct unwind_table *table, uint64_t address)
{
	const uint64_t offset = address - table->start;
	const uint64_t block = offset >> UNWIND_BLOCK_BITS;
	size_t row;

	if (address < table->start || block >= table->block_count)
		return &no_rule;
	row = last_row(table->rows, table->blocks[block], table->blocks[block + 1],
		       offset & ((1u << UNWIND_BLOCK_BITS) - 1));
	/* a row that began in an earlier block holds on; before the first row there is none */
	return row < table->row_count ? &table->rules[table->rows[row].rule] : &no_rule;
}

size_t unwind_table_size(const struct unwind_table *table)
{
	return table->row_count * sizeof(*table->rows) +
	       (table->block_count + 1) * sizeof(*table->blocks) +
	       table->rule_count * sizeof(*table->rules) +
	       table->other_count * sizeof(*table->others) + table->expressions_size;
}

void unwind_table_release(struct unwind_table *table)
{
	xfree(table->blocks);
	xfree(table->rows);
	xfree(table->rules);
	xfree(table->others);
	xfree(table->expressions);
	*table = (struct unwind_table){ 0 };
}
