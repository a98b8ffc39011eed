/* SPDX-License-Identifier: MIT */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "unwind/elf_frames.h"
#include "unwind/unwind.h"

#define PLT   0x1000u
#define MAP   UINT64_C(0x7f0000000000)
#define STACK UINT64_C(0x7ffd00000000)

/* A library of lld: a PLT of three entries, and no unwind information. */
struct plt_library {
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	Elf64_Shdr sections[3];
	char names[17];
};

static struct plt_library library(void)
{
	struct plt_library lib = { .names = "\0.plt\0.shstrtab" };

	memcpy(lib.header.e_ident, ELFMAG, SELFMAG);
	lib.header.e_ident[EI_CLASS] = ELFCLASS64;
	lib.header.e_ident[EI_DATA] = ELFDATA2LSB;
	lib.header.e_machine = EM_X86_64;
	lib.header.e_phoff = offsetof(struct plt_library, segment);
	lib.header.e_phentsize = sizeof(Elf64_Phdr);
	lib.header.e_phnum = 1;
	lib.header.e_shoff = offsetof(struct plt_library, sections);
	lib.header.e_shentsize = sizeof(Elf64_Shdr);
	lib.header.e_shnum = 3;
	lib.header.e_shstrndx = 2;
	lib.segment = (Elf64_Phdr){ .p_type = PT_LOAD,
				    .p_flags = PF_R | PF_X,
				    .p_vaddr = PLT,
				    .p_filesz = sizeof(lib),
				    .p_align = 0x1000 };
	lib.sections[1] = (Elf64_Shdr){
		.sh_name = 1, .sh_type = SHT_PROGBITS, .sh_addr = PLT, .sh_size = 0x30
	};
	lib.sections[2] = (Elf64_Shdr){ .sh_name = 6,
					.sh_type = SHT_STRTAB,
					.sh_offset = offsetof(struct plt_library, names),
					.sh_size = sizeof(lib.names) };
	return lib;
}

/* The second frame of a thread that is at an offset in the PLT and has these words on its stack. */
static uint64_t caller_from(uint64_t offset, const uint64_t *words, size_t size)
{
	const struct plt_library lib = library();
	struct address_space space = { .machine = &unwind_x86_64 };
	struct unwind_module *module = unwind_module_new("lib.so");
	const struct captured_stack stack = { STACK, (const uint8_t *)words, size };
	struct unwind_registers registers = { .known = 0 };
	struct unwound_frame frames[2] = { { 0 } };
	struct unwind_end end;
	struct pp_error err = { 0 };

	assert_int_equal(elf_frames_read(&lib, sizeof(lib), module, &err), 0);
	address_space_map(&space, MAP, MAP + 0x1000, module, PLT);
	register_set(&registers, X86_64_RSP, STACK);
	register_set(&registers, X86_64_RIP, MAP + offset);
	unwind_stack(&space, &registers, &stack, &(struct unwound){ frames, 2 }, &end);
	address_space_release(&space);
	unwind_module_unref(module);
	return frames[1].ip;
}

static void unwinds_a_plt_that_nobody_has_described(void **state)
{
	(void)state;
	const uint64_t words[] = { MAP + 0x100, MAP + 0x200, MAP + 0x300 };

	assert_int_equal(caller_from(16, words, sizeof(words)), MAP + 0x100);
	assert_int_equal(caller_from(38, words, sizeof(words)), MAP + 0x100); /* before the push */
	assert_int_equal(caller_from(43, words, sizeof(words)), MAP + 0x200);
	assert_int_equal(caller_from(0, words, sizeof(words)), MAP + 0x200);
	assert_int_equal(caller_from(6, words, sizeof(words)), MAP + 0x300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unwinds_a_plt_that_nobody_has_described),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
