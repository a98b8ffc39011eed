/* SPDX-License-Identifier: MIT */
/*
 * Any stack, any registers and any call frame instructions: the walk ends, with a reason, and reads
 * nothing else. The input is
 *
 *	byte 0      the machine, by its lowest bit; bit 1: the code is managed
 *	byte 1      how many frames are asked for
 *	byte 2-3    the size of the section of call frame instructions that follows
 *	17 x 8      registers 0 to 16
 *
 * and then the stack. Code is at 0x10000, as .eh_frame is; the stack begins at 0x70000000.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/cursor.h"
#include "input_file.h"
#include "unwind/cfi_program.h"
#include "unwind/unwind.h"

#define CODE	  0x10000
#define CODE_SIZE 0x100000
#define STACK	  0x70000000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void compile(struct unwind_module *module, const struct unwind_machine *machine,
		    struct cursor bytes)
{
	const struct cfi_section section = {
		.machine = machine, .bytes = bytes.at, .size = cursor_left(&bytes), .address = CODE
	};
	struct table_builder builder = { .machine = machine };
	size_t offset = 0, at;
	struct cfi_fde fde;

	while (cfi_next(&section, &offset, &at))
		if (cfi_read_fde(&section, at, &fde) && fde.start >= CODE &&
		    fde.end <=
			    CODE + CODE_SIZE) /* as in a file, which has no more code than bytes */
			cfi_compile(&builder, &section, &fde);
	module->table = table_builder_seal(&builder);
}

/* What is on the stack is mostly near it, or code: so that mutations find frames. */
static void take_registers(struct unwind_registers *to, const struct unwind_machine *machine,
			   struct cursor *c)
{
	for (unsigned i = 0; i <= X86_64_RIP; i++)
		register_set(to, i, cursor_u64(c));
	register_set(to, machine->saved[1], STACK + (to->value[0] & 0xffff));
	register_set(to, machine->return_address, CODE + (to->value[1] & 0xfffff));
	register_set(to, machine->sp, STACK);
	register_set(to, machine->pc, CODE + (to->value[X86_64_RIP] & 0xfffff));
}

static void walk(const struct address_space *space, const struct unwind_registers *registers,
		 const struct captured_stack *stack, size_t most)
{
	struct unwound_frame frames[256];
	const struct unwound to = { frames, most };
	struct unwind_end end;
	const size_t count = unwind_stack(space, registers, stack, &to, &end);

	check(count >= 1 && count <= most);
	check(end.reason < UNWIND_REASONS && end.address == frames[count - 1].ip);
	check((end.reason == UNWIND_END_MOST) == (count == most));
	check(frames[0].by == UNWOUND_SAMPLE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cursor c = cursor_over(data, size);
	const uint8_t how = cursor_u8(&c);
	const size_t most = 1u + cursor_u8(&c);
	const struct unwind_machine *machine = how & 1 ? &unwind_aarch64 : &unwind_x86_64;
	struct address_space space = { .machine = machine };
	struct unwind_module *module = unwind_module_new("input");
	struct unwind_registers registers = { 0 };
	struct captured_stack stack;

	compile(module, machine, cursor_within(&c, cursor_u16(&c)));
	module->is_managed = how & 2;
	address_space_map(&space, CODE, CODE + CODE_SIZE, module, CODE);
	take_registers(&registers, machine, &c);
	stack = (struct captured_stack){ STACK, c.at, cursor_left(&c) };
	if (!c.failed)
		walk(&space, &registers, &stack, most);
	address_space_release(&space);
	unwind_module_unref(module);
	return 0;
}
