/* SPDX-License-Identifier: MIT */
/* The functions that the symbol tables of an ELF file have. */
#include <string.h>

#include "base/buffer.h"
#include "symbols/elf_parts.h"

/* One symbol table while it is read. */
struct symtab {
	const struct elf_file *file;
	Elf_Data *data;
	struct elf_strings names;
	struct buffer text;
	struct symbol_list *list;
};

/* $x and $d separate code from data, for disassemblers. */
static bool is_mapping_symbol(const struct elf_file *file, const char *name)
{
	const unsigned machine = file->header.e_machine;

	return (machine == EM_AARCH64 || machine == EM_ARM || machine == EM_RISCV) &&
	       name[0] == '$' && name[1] && strchr("adtx", name[1]);
}

/* NULL: one of no section, or absolute, or of a section number that makes no sense. */
static const struct elf_section *section_of(const struct elf_file *file, const GElf_Sym *symbol)
{
	return symbol->st_shndx && symbol->st_shndx < file->section_count
		       ? &file->sections[symbol->st_shndx]
		       : NULL;
}

/* Where the code ends that the symbol is part of; 0: it is of none. For files without sections. */
static uint64_t segment_end(const struct elf_file *file, const GElf_Sym *symbol)
{
	for (size_t i = 0; i < file->segment_count && symbol->st_shndx; i++) {
		const GElf_Phdr *segment = &file->segments[i];

		if (segment->p_type == PT_LOAD && segment->p_flags & PF_X &&
		    symbol->st_value >= segment->p_vaddr &&
		    symbol->st_value - segment->p_vaddr < segment->p_filesz)
			return segment->p_vaddr + segment->p_filesz;
	}
	return 0;
}

static bool has_sections(const struct elf_file *file)
{
	return file->section_count > 1;
}

/* Assembler code often has no type; so have labels of linkers, in sections of data. */
static bool is_function(const struct elf_file *file, const GElf_Sym *symbol)
{
	const struct elf_section *section = section_of(file, symbol);

	switch (GELF_ST_TYPE(symbol->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
		if (!has_sections(file))
			return segment_end(file, symbol);
		return symbol->st_shndx == SHN_XINDEX ||
		       (section && section->header.sh_flags & SHF_ALLOC);
	case STT_NOTYPE:
		return section && elf_section_is_code(section);
	default:
		return false;
	}
}

static enum symbol_rank rank_of(const GElf_Sym *symbol)
{
	if (GELF_ST_TYPE(symbol->st_info) == STT_NOTYPE)
		return SYMBOL_MADE_UP;
	switch (GELF_ST_BIND(symbol->st_info)) {
	case STB_GLOBAL:
	case STB_GNU_UNIQUE:
		return SYMBOL_GLOBAL;
	case STB_WEAK:
		return SYMBOL_WEAK;
	default:
		return SYMBOL_LOCAL;
	}
}

/* The name without a version, as in "name@VERS" and "name@@VERS"; NULL: it is not a name. */
static const char *name_of(struct symtab *tab, const GElf_Sym *symbol)
{
	const char *name = elf_string(&tab->names, symbol->st_name);
	const char *version = *name ? strchr(name + 1, '@') : NULL;

	if (!*name || is_mapping_symbol(tab->file, name))
		return NULL;
	if (!version)
		return name;
	buffer_rewind(&tab->text, 0);
	buffer_bytes(&tab->text, name, (size_t)(version - name));
	buffer_u8(&tab->text, 0);
	return (const char *)tab->text.bytes;
}

static uint64_t address_of(const struct elf_file *file, const GElf_Sym *symbol)
{
	/* the lowest bit says which instructions these are, Thumb or not */
	return file->header.e_machine == EM_ARM ? symbol->st_value & ~UINT64_C(1)
						: symbol->st_value;
}

static uint64_t limit_of(const struct elf_file *file, const GElf_Sym *symbol)
{
	const struct elf_section *section = section_of(file, symbol);

	if (!has_sections(file))
		return segment_end(file, symbol);
	return section ? section->header.sh_addr + section->header.sh_size : UINT64_MAX;
}

static void add_symbol(struct symtab *tab, const GElf_Sym *symbol)
{
	const char *name = is_function(tab->file, symbol) ? name_of(tab, symbol) : NULL;

	if (!name)
		return;
	symbol_list_add(tab->list, &(struct symbol){
					   .start = address_of(tab->file, symbol),
					   .size = symbol->st_size,
					   .limit = limit_of(tab->file, symbol),
					   .name = name,
					   .rank = rank_of(symbol),
				   });
}

static void list_entries(struct symtab *tab)
{
	GElf_Sym symbol;

	symbol_list_reserve(tab->list,
			    tab->data->d_size /
				    gelf_fsize(tab->file->handle, ELF_T_SYM, 1, EV_CURRENT),
			    tab->names.size);
	for (int i = 0; gelf_getsym(tab->data, i, &symbol); i++)
		add_symbol(tab, &symbol);
	buffer_release(&tab->text);
}

/* Returns whether it has any function. */
static bool list_symtab(const struct elf_file *file, uint32_t type, struct symbol_list *list)
{
	const struct elf_section *section = elf_file_section(file, type, NULL);
	struct symtab tab = { .file = file, .data = elf_section_data(section), .list = list };
	const size_t before = list->count;

	if (!tab.data)
		return false;
	tab.names = elf_file_strings(file, section->header.sh_link);
	list_entries(&tab);
	return list->count > before;
}

/* Hardened files have no sections. */
static void list_dynamic(const struct elf_file *file, struct symbol_list *list)
{
	struct symtab tab = { .file = file, .list = list };

	if (!has_sections(file) && elf_dynamic_symbols(file, &tab.data, &tab.names))
		list_entries(&tab);
}

static bool list_minidebug(const struct elf_file *file, struct symbol_list *list)
{
	struct elf_file *mini = elf_minidebug_open(file);
	const bool listed = mini && list_symtab(mini, SHT_SYMTAB, list);

	elf_file_close(mini);
	return listed;
}

static uint64_t size_of(const struct elf_file *file, uint32_t type)
{
	const struct elf_section *section = elf_file_section(file, type, NULL);

	return section ? section->header.sh_size : 0;
}

/* Linkers put all of .dynsym into .symtab, too: if that has less, the file is stripped but for
 * names that somebody kept. */
static bool has_all_symbols(const struct elf_file *file)
{
	return size_of(file, SHT_SYMTAB) >= size_of(file, SHT_DYNSYM);
}

void elf_file_list_symbols(struct elf_file *file, struct symbol_list *list)
{
	list->whole = list_symtab(file, SHT_SYMTAB, list) && has_all_symbols(file);
	if (!list->whole) {
		list_symtab(file, SHT_DYNSYM, list);
		list_dynamic(file, list);
		list->whole = list_minidebug(file, list);
	}
	elf_plt_list_symbols(file, list);
}
