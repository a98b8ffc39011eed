/* SPDX-License-Identifier: MIT */
/*
 * The input is code of a method, and then a stack: the method has rules, any place in it has a kind
 * of stub, and a thread at any of its bytes can be unwound.
 */
#include <string.h>

#include "input_file.h"
#include "unwind/clr_method.h"
#include "unwind/clr_stub.h"
#include "unwind/unwind.h"

#define START  UINT64_C(0x7f0000000000)
#define STACK  UINT64_C(0x7ffd00000000)
#define FRAMES 32
#define PLACES 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Words below 64 KB are addresses in the method. */
static void unwind_at(const struct address_space *space, const uint8_t *bytes, size_t size,
		      uint64_t ip)
{
	struct unwound_frame frames[FRAMES];
	struct unwind_registers registers = { .known = 0 };
	const struct captured_stack stack = { STACK, bytes, size };
	struct unwind_end end;
	size_t count;

	for (unsigned i = 0; i <= X86_64_RIP; i++)
		register_set(&registers, i, STACK + i);
	register_set(&registers, X86_64_RSP, STACK);
	register_set(&registers, X86_64_RIP, ip);
	count = unwind_stack(space, &registers, &stack, &(struct unwound){ frames, FRAMES }, &end);
	check(count >= 1 && count <= FRAMES && frames[0].ip == ip);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const size_t code_size = size / 2;
	struct address_space space = { .machine = &unwind_x86_64 };
	struct unwind_module *module = unwind_module_new("[jitted]");
	struct method_frames stubs = { 0 };

	module->is_managed = true;
	address_space_map(&space, START, START + code_size + 64, module, 0);
	clr_method_add(&space.methods, START, data, code_size);
	for (size_t i = 0; i < code_size && i < PLACES; i++) {
		check(method_frames_find(&space.methods, START + i) != NULL);
		check((unsigned)clr_stub_add(&stubs, START, data, code_size, i) < CLR_STUB_KINDS);
		unwind_at(&space, data + code_size, size - code_size, START + i);
	}
	method_frames_release(&stubs);
	address_space_release(&space);
	unwind_module_unref(module);
	return 0;
}
