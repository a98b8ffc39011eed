/* SPDX-License-Identifier: MIT */
#include "unwind/table_builder.h"

#include <string.h>

#include "base/alloc.h"
#include "base/intern.h"

#define RULES_MOST UINT16_MAX
#define SPAN_MOST  (UINT64_C(1) << 32)
#define BLOCK_SIZE (UINT64_C(1) << UNWIND_BLOCK_BITS)

/* The number of equal bytes that were added before, plus one, which is `next` for new ones. */
static size_t number_for(struct table_builder *builder, struct map *numbers, const void *bytes,
			 size_t size, size_t next)
{
	struct interned *interned = intern_add(numbers, &builder->arena, bytes, size);

	if (!interned->value)
		interned->value = (void *)(uintptr_t)next;
	return (uintptr_t)interned->value;
}

uint16_t table_builder_rule(struct table_builder *builder, const struct unwind_rule *rule)
{
	struct unwind_table *table = &builder->table;
	size_t number;

	if (!table->rule_count) {
		table->rules = xgrow(NULL, 0, &builder->rule_capacity, sizeof(*rule));
		table->rules[table->rule_count++] = (struct unwind_rule){ .kind = UNWIND_NO_RULE };
	}
	if (rule->kind == UNWIND_NO_RULE)
		return 0;
	number =
		number_for(builder, &builder->rule_numbers, rule, sizeof(*rule), table->rule_count);
	if (number > RULES_MOST) {
		builder->dropped++;
		return 0;
	}
	if (number == table->rule_count) {
		table->rules = xgrow(table->rules, number, &builder->rule_capacity, sizeof(*rule));
		table->rules[table->rule_count++] = *rule;
	}
	return (uint16_t)number;
}

static void add_row(struct table_builder *builder, uint64_t address, uint16_t rule)
{
	struct built_row *last = builder->row_count ? &builder->rows[builder->row_count - 1] : NULL;

	if (last && (address < last->address || address - builder->rows[0].address >= SPAN_MOST)) {
		builder->dropped++;
		return;
	}
	if (last && last->address == address) {
		last->rule = rule;
		return;
	}
	if (last ? last->rule == rule : !rule)
		return;
	builder->rows = xgrow(builder->rows, builder->row_count, &builder->row_capacity,
			      sizeof(*builder->rows));
	builder->rows[builder->row_count++] = (struct built_row){ address, rule };
}

static void end_function(struct table_builder *builder, uint64_t next)
{
	if (builder->function_end && builder->function_end < next)
		add_row(builder, builder->function_end, 0);
}

void table_builder_function(struct table_builder *builder, uint64_t start, uint64_t end)
{
	end_function(builder, start);
	builder->function_end = end;
}

void table_builder_row(struct table_builder *builder, uint64_t address,
		       const struct unwind_rule *rule)
{
	if (address < builder->function_end)
		add_row(builder, address, table_builder_rule(builder, rule));
}

uint32_t table_builder_others(struct table_builder *builder, const struct unwind_other *others,
			      size_t count)
{
	struct unwind_table *table = &builder->table;
	const size_t first = number_for(builder, &builder->other_places, others,
					count * sizeof(*others), table->other_count + 1) -
			     1;

	if (first < table->other_count)
		return (uint32_t)first;
	for (size_t i = 0; i < count; i++) {
		table->others = xgrow(table->others, table->other_count, &builder->other_capacity,
				      sizeof(*others));
		table->others[table->other_count++] = others[i];
	}
	return (uint32_t)first;
}

static void put_bytes(struct table_builder *builder, const void *bytes, size_t size)
{
	struct unwind_table *table = &builder->table;

	for (size_t i = 0; i < size; i++) {
		table->expressions = xgrow(table->expressions, table->expressions_size,
					   &builder->expressions_capacity, 1);
		table->expressions[table->expressions_size++] = ((const uint8_t *)bytes)[i];
	}
}

int32_t table_builder_expression(struct table_builder *builder, const void *bytes, size_t size)
{
	struct unwind_table *table = &builder->table;
	const uint32_t length = (uint32_t)size;
	const size_t place = number_for(builder, &builder->expression_places, bytes, size,
					table->expressions_size + 1) -
			     1;

	if (place == table->expressions_size) {
		put_bytes(builder, &length, sizeof(length));
		put_bytes(builder, bytes, size);
	}
	return (int32_t)place;
}

/* Rows become offsets in blocks. */
static void place_rows(struct table_builder *builder)
{
	struct unwind_table *table = &builder->table;
	const struct built_row *rows = builder->rows;
	const size_t count = builder->row_count;
	size_t row = 0;

	table->start = rows[0].address & ~(BLOCK_SIZE - 1);
	table->block_count =
		(size_t)((rows[count - 1].address - table->start) >> UNWIND_BLOCK_BITS) + 1;
	table->blocks = xcalloc(table->block_count + 1, sizeof(*table->blocks));
	table->rows = xcalloc(count, sizeof(*table->rows));
	table->row_count = count;
	for (size_t block = 0; block <= table->block_count; block++) {
		table->blocks[block] = (uint32_t)row;
		while (row < count &&
		       (rows[row].address - table->start) >> UNWIND_BLOCK_BITS == block) {
			table->rows[row] =
				(struct unwind_row){ rows[row].address & (BLOCK_SIZE - 1),
						     rows[row].rule };
			row++;
		}
	}
}

struct unwind_table table_builder_seal(struct table_builder *builder)
{
	struct unwind_table table;

	end_function(builder, UINT64_MAX);
	if (builder->row_count)
		place_rows(builder);
	table = builder->table;
	table.machine = builder->machine;
	builder->table = (struct unwind_table){ 0 };
	table_builder_release(builder);
	return table;
}

void table_builder_release(struct table_builder *builder)
{
	unwind_table_release(&builder->table);
	map_release(&builder->rule_numbers);
	map_release(&builder->other_places);
	map_release(&builder->expression_places);
	arena_release(&builder->arena);
	xfree(builder->rows);
	*builder = (struct table_builder){ .machine = builder->machine };
}

struct unwind_rule unwind_rule_at(const struct unwind_machine *machine, unsigned cfa_register,
				  int32_t cfa_offset)
{
	struct unwind_rule rule = { .kind = UNWIND_BY_REGISTER,
				    .cfa_register = (uint8_t)cfa_register,
				    .cfa_offset = cfa_offset };

	for (size_t i = 0; i < UNWIND_SAVED; i++)
		rule.saved[i] = SAVED_SAME;
	if (machine->call_pushes)
		rule.saved[0] = -1;
	return rule;
}
