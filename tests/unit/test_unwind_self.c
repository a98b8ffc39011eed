/* SPDX-License-Identifier: MIT */
/* Unwinds this very program, on whatever machine it runs, with libgcc's backtrace() as the referee.
 */
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>
#include <cmocka.h>

#include "unwind/elf_frames.h"
#include "unwind/unwind.h"

#define FRAMES	    128
#define STACK_BYTES 32768

struct captured {
	struct unwind_registers registers;
	uint8_t stack[STACK_BYTES];
	size_t stack_size;
	void *backtrace[FRAMES];
	size_t backtrace_count;
};

#if defined(__x86_64__)
#define MACHINE (&unwind_x86_64)

static void take_registers(struct unwind_registers *to, const ucontext_t *from)
{
	static const int numbers[] = { REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
				       REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
				       REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP };

	for (unsigned i = 0; i <= X86_64_RIP; i++)
		register_set(to, i, (uint64_t)from->uc_mcontext.gregs[numbers[i]]);
}
#else
#define MACHINE (&unwind_aarch64)

static void take_registers(struct unwind_registers *to, const ucontext_t *from)
{
	for (unsigned i = 0; i <= AARCH64_LR; i++)
		register_set(to, i, from->uc_mcontext.regs[i]);
	register_set(to, AARCH64_SP, from->uc_mcontext.sp);
	register_set(to, AARCH64_PC, from->uc_mcontext.pc);
	/* getcontext() gives its caller the address it returns to in the link register */
	if (!from->uc_mcontext.pc)
		register_set(to, AARCH64_PC, from->uc_mcontext.regs[AARCH64_LR]);
}
#endif

/* The bytes above the stack pointer, as a sample has them: without asking whose they are. */
__attribute__((noinline, no_sanitize("address"))) static void take_stack(struct captured *to)
{
	extern void *__libc_stack_end;
	const uint64_t sp = to->registers.value[MACHINE->sp];
	const volatile uint8_t *from = (const volatile uint8_t *)(uintptr_t)sp;
	const size_t size = (uintptr_t)__libc_stack_end - sp;

	to->stack_size = size < STACK_BYTES ? size : STACK_BYTES;
	for (size_t i = 0; i < to->stack_size; i++)
		to->stack[i] = from[i];
}

__attribute__((noinline)) static void capture(struct captured *to)
{
	ucontext_t context;

	assert_int_equal(getcontext(&context), 0);
	take_registers(&to->registers, &context);
	to->backtrace_count = (size_t)backtrace(to->backtrace, FRAMES);
	take_stack(to);
}

/* Frames of several kinds: the machine decides what is kept where. */
__attribute__((noinline)) static unsigned recurse(unsigned depth, struct captured *to)
{
	volatile unsigned local[3] = { depth, depth + 1, depth + 2 };

	if (depth)
		return recurse(depth - 1, to) + local[depth % 3];
	capture(to);
	return local[0];
}

static struct captured in_library;

/* Called by a function of libc. */
static int compare(const void *a, const void *b)
{
	if (!in_library.backtrace_count)
		recurse(3, &in_library);
	return *(const int *)a - *(const int *)b;
}

static struct unwind_module *read_module(const char *path)
{
	struct unwind_module *module = unwind_module_new(path);
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct pp_error err = { 0 };
	struct stat status;
	void *bytes;

	if (fd < 0 || fstat(fd, &status)) {
		unwind_module_unref(module);
		return NULL; /* the vDSO */
	}
	bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	assert_ptr_not_equal(bytes, MAP_FAILED);
	assert_int_equal(elf_frames_read(bytes, (size_t)status.st_size, module, &err), 0);
	munmap(bytes, (size_t)status.st_size);
	close(fd);
	return module;
}

static int map_module(struct dl_phdr_info *info, size_t size, void *space)
{
	struct unwind_module *module =
		read_module(*info->dlpi_name ? info->dlpi_name : "/proc/self/exe");

	(void)size;
	for (size_t i = 0; module && i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		const uint64_t start = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type == PT_LOAD && segment->p_flags & PF_X)
			address_space_map(space, start, start + segment->p_memsz, module,
					  segment->p_vaddr);
	}
	unwind_module_unref(module);
	return 0;
}

static void equals_backtrace(const struct captured *from)
{
	struct address_space space = { .machine = MACHINE };
	const struct captured_stack stack = { from->registers.value[MACHINE->sp], from->stack,
					      from->stack_size };
	struct unwound_frame frames[FRAMES];
	struct unwind_end end;
	size_t count, skipped = 0; /* of backtrace() itself, where a sanitizer has its own */

	dl_iterate_phdr(map_module, &space);
	count = unwind_stack(&space, &from->registers, &stack, &(struct unwound){ frames, FRAMES },
			     &end);
	assert_true(from->backtrace_count > 8);
	while (skipped < 4 && frames[1].ip != (uintptr_t)from->backtrace[skipped + 1])
		skipped++;
	assert_int_equal(count, from->backtrace_count - skipped);
	for (size_t i = 1; i < count; i++) {
		assert_int_equal(frames[i].ip, (uintptr_t)from->backtrace[i + skipped]);
		assert_int_equal(frames[i].by, UNWOUND_RULE);
	}
	assert_int_equal(end.reason, UNWIND_END_START);
	address_space_release(&space);
}

static void finds_the_callers_that_backtrace_finds(void **state)
{
	static struct captured captured;

	(void)state;
	assert_true(recurse(5, &captured) > 0);
	equals_backtrace(&captured);
}

static void finds_them_through_other_libraries(void **state)
{
	int numbers[] = { 3, 1, 2 };

	(void)state;
	qsort(numbers, 3, sizeof(numbers[0]), compare);
	assert_int_equal(numbers[0], 1);
	equals_backtrace(&in_library);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_callers_that_backtrace_finds),
		cmocka_unit_test(finds_them_through_other_libraries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
