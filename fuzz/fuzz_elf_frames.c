/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as an ELF file: it is refused with a sentence, or has an unwind table whose rows are in
 * order and whose rules refer to what is there.
 */
#include <stdint.h>
#include <stdlib.h>

#include "input_file.h"
#include "unwind/elf_frames.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_expression(const struct unwind_table *table, int32_t place)
{
	check(place >= 0 && (size_t)place + 4 <= table->expressions_size);
}

static void check_rule(const struct unwind_table *table, const struct unwind_rule *rule)
{
	check(rule->kind <= UNWIND_OUTERMOST && rule->cfa_register < UNWIND_REGISTERS);
	if (rule->kind == UNWIND_BY_EXPRESSION)
		check_expression(table, rule->cfa_offset);
	for (size_t i = 0; i < rule->other_count; i++) {
		const struct unwind_other *other = &table->others[rule->first_other + i];

		check(rule->first_other + i < table->other_count);
		check(other->number < UNWIND_REGISTERS);
		if (other->kind == OTHER_AT_EXPRESSION || other->kind == OTHER_IS_EXPRESSION)
			check_expression(table, other->offset);
	}
}

static void check_table(const struct unwind_table *table)
{
	for (size_t i = 0; i < table->rule_count; i++)
		check_rule(table, &table->rules[i]);
	for (size_t block = 0; block < table->block_count; block++)
		for (size_t row = table->blocks[block]; row < table->blocks[block + 1]; row++) {
			const uint64_t address = table->start +
						 ((uint64_t)block << UNWIND_BLOCK_BITS) +
						 table->rows[row].offset;

			check(table->rows[row].rule < table->rule_count);
			check(unwind_table_find(table, address) ==
			      &table->rules[table->rows[row].rule]);
		}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct unwind_module *module = unwind_module_new("input");
	struct pp_error err = { 0 };
	uint64_t address;

	if (elf_frames_read(data, size, module, &err))
		check(err.text[0]);
	else
		check_table(&module->table);
	unwind_module_address(module, 0x1000, &address);
	unwind_module_unref(module);
	return 0;
}
