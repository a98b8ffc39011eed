/* SPDX-License-Identifier: MIT */
#include "small_elf.h"

#include <gelf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/alloc.h"

#define MOST 4096 /* bytes of a section */

static const char section_names[] =
	"\0.text\0.data\0.note.gnu.build-id\0.symtab\0.strtab\0.dynsym\0.shstrtab\0";

static uint32_t name_offset(const char *name)
{
	uint32_t at = 1;

	while (strcmp(section_names + at, name) != 0)
		at += (uint32_t)strlen(section_names + at) + 1;
	return at;
}

/* libelf keeps pointers to what it writes. */
struct building {
	Elf *elf;
	char names[MOST];
	size_t names_size;
	_Alignas(8) uint8_t symbols[MOST];
	uint8_t code[SMALL_ELF_CODE_SIZE];
	char strings[MOST];
	size_t strings_size;
	uint32_t note[7];
};

struct section {
	uint32_t type;
	uint64_t flags, address;
	Elf_Type data_type;
	void *bytes;
	size_t size;
	unsigned link;
};

static size_t add_section(struct building *b, uint32_t name, const struct section *section)
{
	Elf_Scn *added = elf_newscn(b->elf);
	Elf_Data *data = elf_newdata(added);
	GElf_Shdr header;

	assert_non_null(gelf_getshdr(added, &header));
	header.sh_name = name;
	header.sh_type = section->type;
	header.sh_flags = section->flags;
	header.sh_addr = section->address;
	header.sh_link = section->link;
	header.sh_entsize =
		section->data_type == ELF_T_SYM ? gelf_fsize(b->elf, ELF_T_SYM, 1, 1) : 0;
	gelf_update_shdr(added, &header);
	data->d_buf = section->bytes;
	data->d_size = section->size;
	data->d_type = section->data_type;
	data->d_align = section->data_type == ELF_T_BYTE ? 1 : 4;
	return elf_ndxscn(added);
}

static uint32_t add_string(struct building *b, const char *text)
{
	const size_t at = b->strings_size;

	assert_true(at + strlen(text) < sizeof(b->strings));
	memcpy(b->strings + at, text, strlen(text) + 1);
	b->strings_size += strlen(text) + 1;
	return (uint32_t)at;
}

static GElf_Sym symbol_of(struct building *b, const struct small_symbol *symbol)
{
	static const uint16_t sections[] = {
		[SMALL_CODE] = 1, [SMALL_DATA] = 2, [SMALL_NOWHERE] = SHN_UNDEF
	};

	return (GElf_Sym){ .st_name = add_string(b, symbol->name),
			   .st_value = symbol->value,
			   .st_size = symbol->size,
			   .st_info = (unsigned char)GELF_ST_INFO(symbol->bind, symbol->type),
			   .st_shndx = sections[symbol->section] };
}

/* Returns their size, in the form of this class and our byte order. */
static size_t add_symbols(struct building *b, const struct small_elf *from)
{
	b->strings_size = 1;
	assert_true((from->count + 1) * sizeof(Elf64_Sym) <= sizeof(b->symbols));
	for (size_t i = 0; i < from->count; i++) {
		const GElf_Sym sym = symbol_of(b, &from->symbols[i]);

		if (from->is_32_bit)
			((Elf32_Sym *)b->symbols)[i + 1] =
				(Elf32_Sym){ .st_name = sym.st_name,
					     .st_value = (uint32_t)sym.st_value,
					     .st_size = (uint32_t)sym.st_size,
					     .st_info = sym.st_info,
					     .st_shndx = sym.st_shndx };
		else
			((Elf64_Sym *)b->symbols)[i + 1] = sym;
	}
	return (from->count + 1) * (from->is_32_bit ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym));
}

static void add_all(struct building *b, const struct small_elf *from)
{
	const size_t symbols = add_symbols(b, from);
	const size_t kept = symbols / (from->count + 1) * (from->kept + 1);
	const bool dynamic = from->is_stripped;

	add_section(b, name_offset(".text"),
		    &(struct section){ SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, SMALL_ELF_CODE,
				       ELF_T_BYTE, b->code, sizeof(b->code), 0 });
	add_section(b, name_offset(".data"),
		    &(struct section){ SHT_PROGBITS, SHF_ALLOC | SHF_WRITE,
				       SMALL_ELF_CODE + SMALL_ELF_CODE_SIZE, ELF_T_BYTE, b->code,
				       16, 0 });
	add_section(
		b, name_offset(".strtab"),
		&(struct section){ SHT_STRTAB, 0, 0, ELF_T_BYTE, b->strings, b->strings_size, 0 });
	add_section(b, name_offset(dynamic ? ".dynsym" : ".symtab"),
		    &(struct section){ dynamic ? SHT_DYNSYM : SHT_SYMTAB, 0, 0, ELF_T_SYM,
				       b->symbols, symbols, 3 });
	if (from->kept)
		add_section(b, name_offset(".symtab"),
			    &(struct section){ SHT_SYMTAB, 0, 0, ELF_T_SYM, b->symbols, kept, 3 });
	if (!from->no_build_id)
		add_section(b, name_offset(".note.gnu.build-id"),
			    &(struct section){ SHT_NOTE, SHF_ALLOC, 0x100, ELF_T_NHDR, b->note, 24,
					       0 });
	if (from->section)
		add_section(b, sizeof(section_names),
			    &(struct section){ SHT_PROGBITS, 0, 0, ELF_T_BYTE, (void *)from->bytes,
					       from->size, 0 });
}

/* One that loads the code, from an offset that is its address. */
static void add_segment(struct building *b)
{
	GElf_Phdr segment = { .p_type = PT_LOAD,
			      .p_flags = PF_R | PF_X,
			      .p_align = 0x1000,
			      .p_vaddr = SMALL_ELF_CODE,
			      .p_filesz = SMALL_ELF_CODE_SIZE,
			      .p_memsz = SMALL_ELF_CODE_SIZE };
	GElf_Shdr text;

	assert_non_null(gelf_getshdr(elf_getscn(b->elf, 1), &text));
	segment.p_offset = text.sh_offset;
	assert_true(gelf_update_phdr(b->elf, 0, &segment));
}

static void add_header(struct building *b, const struct small_elf *from)
{
	GElf_Ehdr header;

	assert_non_null(gelf_newehdr(b->elf, from->is_32_bit ? ELFCLASS32 : ELFCLASS64));
	assert_non_null(gelf_newphdr(b->elf, 1));
	assert_non_null(gelf_getehdr(b->elf, &header));
	header.e_ident[EI_DATA] = from->is_big_endian ? ELFDATA2MSB : ELFDATA2LSB;
	header.e_type = (uint16_t)(from->type ? from->type : ET_DYN);
	header.e_machine = (uint16_t)(from->machine ? from->machine : EM_X86_64);
	header.e_version = EV_CURRENT;
	assert_true(gelf_update_ehdr(b->elf, &header));
}

static void add_names(struct building *b, const struct small_elf *from)
{
	GElf_Ehdr header;

	memcpy(b->names, section_names, sizeof(section_names));
	b->names_size = sizeof(section_names);
	if (from->section) {
		memcpy(b->names + b->names_size, from->section, strlen(from->section) + 1);
		b->names_size += strlen(from->section) + 1;
	}
	assert_non_null(gelf_getehdr(b->elf, &header));
	header.e_shstrndx = (uint16_t)add_section(
		b, name_offset(".shstrtab"),
		&(struct section){ SHT_STRTAB, 0, 0, ELF_T_BYTE, b->names, b->names_size, 0 });
	assert_true(gelf_update_ehdr(b->elf, &header));
}

static uint8_t *read_all(int fd, size_t *size)
{
	struct stat status;
	uint8_t *bytes;

	assert_int_equal(fstat(fd, &status), 0);
	*size = (size_t)status.st_size;
	bytes = xcalloc(1, *size);
	assert_int_equal(pread(fd, bytes, *size, 0), *size);
	return bytes;
}

uint8_t *small_elf_build(const struct small_elf *from, size_t *size)
{
	struct building b = { .note = { 4, 8, NT_GNU_BUILD_ID } };
	const int fd = memfd_create("small_elf", 0);
	uint8_t *bytes;

	memcpy(b.note + 3, "GNU\0\x01\x23\x45\x67\x89\xab\xcd\xef", 12);
	elf_version(EV_CURRENT);
	b.elf = elf_begin(fd, ELF_C_WRITE, NULL);
	assert_non_null(b.elf);
	add_header(&b, from);
	add_all(&b, from);
	add_names(&b, from);
	assert_true(elf_update(b.elf, ELF_C_NULL) > 0);
	add_segment(&b);
	assert_true(elf_update(b.elf, ELF_C_WRITE) > 0);
	elf_end(b.elf);
	bytes = read_all(fd, size);
	close(fd);
	return bytes;
}
