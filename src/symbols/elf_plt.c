/* SPDX-License-Identifier: MIT */
/*
 * Names for entries of the PLT, which have no symbols. An entry jumps to the address in a slot of
 * the GOT, and a relocation says which function the dynamic linker puts there.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "symbols/elf_parts.h"

struct got_slot {
	uint64_t address;
	const char *name;
};

struct got_slots {
	struct got_slot *list;
	size_t count, capacity;
};

/* An entry that was found in a section of code. */
struct plt_entry {
	size_t at, size; /* in the section */
	uint64_t slot;
};

struct plt_code {
	const uint8_t *bytes;
	size_t size;
	uint64_t address;
	size_t entry_size;
};

typedef bool plt_decoder(const struct plt_code *code, size_t at, struct plt_entry *entry);

static uint32_t u32_at(const struct plt_code *code, size_t at)
{
	uint32_t value;

	memcpy(&value, code->bytes + at, sizeof(value));
	return value;
}

static bool has_bytes(const struct plt_code *code, size_t at, const char *bytes, size_t size)
{
	return code->size - at >= size && !memcmp(code->bytes + at, bytes, size);
}

/* endbr64 (maybe), bnd (maybe), jmp *offset(%rip) */
static bool decode_x86_64(const struct plt_code *code, size_t at, struct plt_entry *entry)
{
	size_t jump = at;

	if (has_bytes(code, jump, "\xf3\x0f\x1e\xfa", 4))
		jump += 4;
	if (has_bytes(code, jump, "\xf2", 1))
		jump += 1;
	if (!has_bytes(code, jump, "\xff\x25", 2) || code->size - jump < 6)
		return false;
	*entry = (struct plt_entry){
		.at = at,
		.size = code->entry_size,
		.slot = code->address + jump + 6 + (uint64_t)(int32_t)u32_at(code, jump + 2),
	};
	return true;
}

/* How far from its own page an adrp points. */
static uint64_t adrp_pages(uint32_t adrp)
{
	const uint32_t pages = (adrp >> 29 & 3) | (adrp >> 5 & 0x7ffff) << 2;
	const int64_t signed_pages = (int64_t)(pages ^ 0x100000) - 0x100000; /* it has 21 bits */

	return (uint64_t)signed_pages * 4096;
}

#define AARCH64_BTI_C 0xd503245fu

/* bti c (maybe), adrp x16, page; ldr x17, [x16, #offset]; add x16, ...; br x17 */
static bool decode_aarch64(const struct plt_code *code, size_t at, struct plt_entry *entry)
{
	const size_t adrp =
		code->size - at >= 20 && u32_at(code, at) == AARCH64_BTI_C ? at + 4 : at;

	if (code->size - adrp < 16 || (u32_at(code, adrp) & 0x9f00001f) != 0x90000010 ||
	    (u32_at(code, adrp + 4) & 0xffc003ff) != 0xf9400211)
		return false;
	*entry = (struct plt_entry){
		.at = at,
		.size = adrp + 16 - at,
		.slot = ((code->address + adrp) & ~UINT64_C(4095)) +
			adrp_pages(u32_at(code, adrp)) +
			(u32_at(code, adrp + 4) >> 10 & 0xfff) * sizeof(uint64_t),
	};
	return true;
}

static const struct plt_machine {
	unsigned machine;
	plt_decoder *decode;
	unsigned step; /* where entries may begin: 0 for each entry_size bytes only */
	unsigned jump_slot, glob_dat;
} machines[] = {
	{ EM_X86_64, decode_x86_64, 0, R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT },
	{ EM_AARCH64, decode_aarch64, 4, R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT },
};

static const struct plt_machine *machine_of(const struct elf_file *file)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		if (machines[i].machine == file->header.e_machine &&
		    file->header.e_ident[EI_DATA] == ELFDATA2LSB)
			return &machines[i];
	return NULL;
}

static void add_slot(struct got_slots *slots, uint64_t address, const char *name)
{
	if (!*name)
		return;
	slots->list = xgrow(slots->list, slots->count, &slots->capacity, sizeof(*slots->list));
	slots->list[slots->count++] = (struct got_slot){ address, name };
}

static void read_relocations(const struct elf_file *file, const struct plt_machine *machine,
			     const struct elf_section *section, struct got_slots *slots)
{
	const struct elf_section *symtab = elf_file_section(file, SHT_DYNSYM, NULL);
	Elf_Data *symbols = elf_section_data(symtab);
	Elf_Data *data = elf_section_data(section);
	struct elf_strings names;
	GElf_Rela rela;
	GElf_Sym symbol;

	if (!data || !symbols)
		return;
	names = elf_file_strings(file, symtab->header.sh_link);
	for (int i = 0; gelf_getrela(data, i, &rela); i++) {
		const uint64_t type = GELF_R_TYPE(rela.r_info);

		if ((type == machine->jump_slot || type == machine->glob_dat) &&
		    gelf_getsym(symbols, (int)(GELF_R_SYM(rela.r_info) & INT32_MAX), &symbol))
			add_slot(slots, rela.r_offset, elf_string(&names, symbol.st_name));
	}
}

static int by_address(const void *a, const void *b)
{
	const uint64_t left = ((const struct got_slot *)a)->address;
	const uint64_t right = ((const struct got_slot *)b)->address;

	return left < right ? -1 : left > right;
}

static void read_slots(const struct elf_file *file, const struct plt_machine *machine,
		       struct got_slots *slots)
{
	for (size_t i = 1; i < file->section_count; i++)
		if (file->sections[i].header.sh_type == SHT_RELA)
			read_relocations(file, machine, &file->sections[i], slots);
	if (slots->count)
		qsort(slots->list, slots->count, sizeof(*slots->list), by_address);
}

static void add_entry(struct symbol_list *list, const struct plt_code *code,
		      const struct plt_entry *entry, const char *called)
{
	struct buffer name = { 0 };

	buffer_text(&name, called);
	buffer_bytes(&name, "@plt", sizeof("@plt"));
	symbol_list_add(list, &(struct symbol){ .start = code->address + entry->at,
						.size = entry->size,
						.name = (const char *)name.bytes,
						.rank = SYMBOL_MADE_UP });
	buffer_release(&name);
}

static void read_entries(const struct plt_machine *machine, const struct plt_code *code,
			 const struct got_slots *slots, struct symbol_list *list)
{
	const size_t step = machine->step ? machine->step : code->entry_size;
	struct plt_entry entry;

	for (size_t at = 0; at < code->size;) {
		const bool decoded = machine->decode(code, at, &entry);
		const struct got_slot *slot =
			decoded ? bsearch(&(struct got_slot){ entry.slot, NULL }, slots->list,
					  slots->count, sizeof(*slots->list), by_address)
				: NULL;

		if (slot)
			add_entry(list, code, &entry, slot->name);
		at += step;
	}
}

static void read_plt(const struct elf_file *file, const char *name, const struct got_slots *slots,
		     struct symbol_list *list)
{
	const struct elf_section *section = elf_file_section(file, SHT_PROGBITS, name);
	const Elf_Data *data = elf_section_data(section);
	struct plt_code code;

	if (!data)
		return;
	code = (struct plt_code){ .bytes = data->d_buf,
				  .size = data->d_size,
				  .address = section->header.sh_addr,
				  .entry_size = 16 };
	if (section->header.sh_entsize == 8)
		code.entry_size = 8;
	read_entries(machine_of(file), &code, slots, list);
}

void elf_plt_list_symbols(const struct elf_file *file, struct symbol_list *list)
{
	static const char *const sections[] = { ".plt", ".plt.sec", ".plt.got", ".plt.bnd" };
	const struct plt_machine *machine = machine_of(file);
	struct got_slots slots = { 0 };

	if (!machine)
		return;
	read_slots(file, machine, &slots);
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections) && slots.count; i++)
		read_plt(file, sections[i], &slots, list);
	xfree(slots.list);
}
