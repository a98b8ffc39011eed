/* SPDX-License-Identifier: MIT */
/* The input is a PE file: every address of its code has a rule or none, and no offset leads out of
 * its sections. */
#include "input_file.h"
#include "unwind/pe_frames.h"

#define RVAS 4096u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_rule(const struct unwind_rule *rule)
{
	check(rule->kind == UNWIND_NO_RULE || rule->kind == UNWIND_BY_REGISTER);
	if (rule->kind == UNWIND_BY_REGISTER)
		check(rule->cfa_register < X86_64_RIP && rule->saved[0] == -1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct unwind_module *module = unwind_module_new("fuzzed");
	struct pp_error err = { 0 };
	uint64_t address;

	if (pe_frames_read(data, size, module, &err)) {
		check(err.text[0] && !module->segment_count);
		unwind_module_unref(module);
		return 0;
	}
	for (uint64_t offset = 0; offset < size; offset += 64)
		if (unwind_module_address(module, offset, &address))
			check_rule(unwind_table_find(&module->table, address));
	for (uint64_t i = 0; i < RVAS; i++)
		check_rule(unwind_table_find(&module->table, module->table.start + i));
	unwind_module_unref(module);
	return 0;
}
