/* SPDX-License-Identifier: MIT */
#include "symbols/elf_parts.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"

/* Of the machine's pages at most: mappings begin on one, and segments need not. */
#define LARGEST_PAGE 0x10000u

static void drop_handle(void *object)
{
	struct elf_file *file = object;

	elf_end(file->handle);
}

static void drop_descriptor(void *object)
{
	close((int)(intptr_t)object);
}

static struct elf_file *new_file(int fd, const char *name)
{
	/* before any memory is asked for: the descriptor is already ours */
	struct heap_drop *fd_drop =
		fd < 0 ? NULL : heap_on_drop(drop_descriptor, (void *)(intptr_t)fd);
	struct elf_file *file = xcalloc(1, sizeof(*file));

	elf_version(EV_CURRENT);
	file->fd = fd;
	file->fd_drop = fd_drop;
	file->handle_drop = heap_on_drop(drop_handle, file);
	file->name = xstrdup(name);
	return file;
}

void elf_file_settle(struct elf_file *file)
{
	heap_forget_drop(file->handle_drop);
	heap_forget_drop(file->fd_drop);
	elf_end(file->handle);
	if (file->fd >= 0)
		close(file->fd);
	xfree(file->sections);
	xfree(file->image);
	file->handle_drop = file->fd_drop = NULL;
	file->handle = NULL;
	file->fd = -1;
	file->sections = NULL;
	file->section_count = 0;
	file->image = NULL;
	file->alt_name = NULL;
}

void elf_file_close(struct elf_file *file)
{
	if (!file)
		return;
	elf_file_settle(file);
	xfree(file->segments);
	xfree(file->alt_build_id);
	xfree(file->build_id);
	xfree(file->name);
	xfree(file);
}

/* What dwz makes for several debug files says that it is an object file, but has no code or data.
 */
static bool is_only_debug(const struct elf_file *file)
{
	for (size_t i = 1; i < file->section_count; i++)
		if (file->sections[i].header.sh_flags & SHF_ALLOC)
			return false;
	return file->section_count > 1;
}

static int check_kind(const struct elf_file *file, struct pp_error *err)
{
	static const char *const refused[] = {
		[ET_NONE] = "an ELF file of no type",
		[ET_REL] = "an object file: name the program or library",
		[ET_CORE] = "a core dump: name the program or library",
	};
	const unsigned type = file->header.e_type;

	if (type == ET_EXEC || type == ET_DYN || (type == ET_REL && is_only_debug(file)))
		return 0;
	return error_set(err, PP_ERROR_UNSUPPORTED, "%s is %s", file->name,
			 type <= ET_CORE ? refused[type] : "an ELF file of an unknown type");
}

static int read_header(struct elf_file *file, struct pp_error *err)
{
	if (elf_kind(file->handle) == ELF_K_ELF && gelf_getehdr(file->handle, &file->header))
		return 0;
	return error_set(err, PP_ERROR_FORMAT, "%s is not an ELF file", file->name);
}

/* Those that make no sense are left out: libelf knows how many fit in the file. */
static void read_segments(struct elf_file *file)
{
	size_t count = 0;

	if (elf_getphdrnum(file->handle, &count))
		return;
	if (count > ELF_SEGMENTS_MOST)
		count = ELF_SEGMENTS_MOST;
	file->segments = xcalloc(count + 1, sizeof(*file->segments));
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(file->handle, (int)i, &file->segments[file->segment_count]))
			file->segment_count++;
}

struct elf_strings elf_file_strings(const struct elf_file *file, size_t section)
{
	const Elf_Data *data =
		section < file->section_count ? elf_section_data(&file->sections[section]) : NULL;
	const char *last = data ? memrchr(data->d_buf, '\0', data->d_size) : NULL;

	if (!last)
		return (struct elf_strings){ 0 };
	return (struct elf_strings){ data->d_buf, (size_t)(last + 1 - (const char *)data->d_buf) };
}

static void name_sections(struct elf_file *file)
{
	struct elf_strings names;
	size_t section = 0;

	elf_getshdrstrndx(file->handle, &section);
	names = elf_file_strings(file, section);
	for (size_t i = 0; i < file->section_count; i++)
		file->sections[i].name = elf_string(&names, file->sections[i].header.sh_name);
}

static void read_sections(struct elf_file *file)
{
	size_t count = 0;

	if (elf_getshdrnum(file->handle, &count))
		return;
	file->sections = xcalloc(count + 1, sizeof(*file->sections));
	file->section_count = count;
	for (size_t i = 0; i < count; i++) {
		struct elf_section *section = &file->sections[i];

		section->handle = elf_getscn(file->handle, i);
		if (!section->handle || !gelf_getshdr(section->handle, &section->header))
			section->header = (GElf_Shdr){ 0 }; /* SHT_NULL */
	}
	name_sections(file);
}

char *elf_build_id_text(const uint8_t *bytes, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	char *text = xcalloc(size + 1, 2);

	for (size_t i = 0; i < size; i++) {
		text[2 * i] = digits[bytes[i] >> 4];
		text[2 * i + 1] = digits[bytes[i] & 15];
	}
	return text;
}

/* Finds the build id among notes. */
static void read_notes(struct elf_file *file, Elf_Data *data)
{
	size_t at = 0, next, name, desc;
	GElf_Nhdr note;

	while (data && !file->build_id && (next = gelf_getnote(data, at, &note, &name, &desc))) {
		const char *bytes = data->d_buf;

		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof("GNU") &&
		    !memcmp(bytes + name, "GNU", sizeof("GNU")) && note.n_descsz &&
		    note.n_descsz <= ELF_BUILD_ID_MOST)
			file->build_id =
				elf_build_id_text((const uint8_t *)bytes + desc, note.n_descsz);
		at = next;
	}
}

/* By segments first, since hardened files have no sections; then by sections, of debug files. */
static void find_build_id(struct elf_file *file)
{
	for (size_t i = 0; i < file->segment_count; i++) {
		const GElf_Phdr *segment = &file->segments[i];

		if (segment->p_type == PT_NOTE && segment->p_filesz)
			read_notes(file, elf_getdata_rawchunk(
						 file->handle, (int64_t)segment->p_offset,
						 segment->p_filesz,
						 segment->p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR));
	}
	for (size_t i = 0; i < file->section_count; i++)
		if (file->sections[i].header.sh_type == SHT_NOTE)
			read_notes(file, elf_section_data(&file->sections[i]));
}

static struct elf_file *read_file(struct elf_file *file, struct pp_error *err)
{
	if (!file->handle || read_header(file, err)) {
		if (!file->handle)
			error_set(err, PP_ERROR_FORMAT, "%s is not an ELF file: %s", file->name,
				  elf_errmsg(-1));
		elf_file_close(file);
		return NULL;
	}
	read_segments(file);
	read_sections(file);
	if (check_kind(file, err)) {
		elf_file_close(file);
		return NULL;
	}
	find_build_id(file);
	elf_file_read_alt_link(file);
	return file;
}

/* A pipe or a device would never end. */
static int check_regular(struct elf_file *file, struct pp_error *err)
{
	struct stat status;

	if (fstat(file->fd, &status))
		return error_errno(err, "cannot inspect %s", file->name);
	if (!S_ISREG(status.st_mode))
		return error_set(err, PP_ERROR_FORMAT, "%s is not a file with code", file->name);
	file->size = (size_t)status.st_size;
	return 0;
}

struct elf_file *elf_file_open(int fd, const char *name, struct pp_error *err)
{
	struct elf_file *file = new_file(fd, name);

	if (check_regular(file, err)) {
		elf_file_close(file);
		return NULL;
	}
	/* a file that is truncated while it is mapped ends the process, which must be ours */
	file->handle = elf_begin(fd, guard_is_on() ? ELF_C_READ : ELF_C_READ_MMAP, NULL);
	return read_file(file, err);
}

struct elf_file *elf_file_reopen(const struct elf_file *file)
{
	const int fd = fcntl(file->fd, F_DUPFD_CLOEXEC, 0);
	struct pp_error err = { 0 };

	return fd < 0 ? NULL : elf_file_open(fd, file->name, &err);
}

struct elf_file *elf_file_over(void *bytes, size_t size, const char *name, struct pp_error *err)
{
	struct elf_file *file = new_file(-1, name);

	file->image = bytes;
	file->size = size;
	file->handle = elf_memory(bytes, size);
	return read_file(file, err);
}

const char *elf_file_name(const struct elf_file *file)
{
	return file->name;
}

const char *elf_file_build_id(const struct elf_file *file)
{
	return file->build_id;
}

Elf *elf_file_handle(struct elf_file *file)
{
	return file->handle;
}

/* How well a segment explains an offset: code before data, and bytes before the rest of a page. */
static unsigned explains(const GElf_Phdr *segment, uint64_t offset)
{
	const uint64_t begin = segment->p_offset & ~(uint64_t)(LARGEST_PAGE - 1);
	const bool code = segment->p_flags & PF_X;

	if (segment->p_type != PT_LOAD || offset < begin ||
	    offset - begin >= segment->p_filesz + (segment->p_offset - begin))
		return 0;
	return offset >= segment->p_offset ? 3 + code : 1 + code;
}

bool elf_file_address(const struct elf_file *file, uint64_t offset, uint64_t *address)
{
	unsigned best = 0;

	for (size_t i = 0; i < file->segment_count; i++) {
		const GElf_Phdr *segment = &file->segments[i];
		const unsigned how = explains(segment, offset);

		if (how > best) {
			best = how;
			*address = segment->p_vaddr + (offset - segment->p_offset);
		}
	}
	return best;
}

const struct elf_section *elf_file_section(const struct elf_file *file, uint32_t type,
					   const char *name)
{
	for (size_t i = 1; i < file->section_count; i++)
		if (file->sections[i].header.sh_type == type && file->sections[i].header.sh_size &&
		    (!name || !strcmp(file->sections[i].name, name)))
			return &file->sections[i];
	return NULL;
}

Elf_Data *elf_section_data(const struct elf_section *section)
{
	Elf_Data *data;

	if (!section || section->header.sh_type == SHT_NOBITS ||
	    section->header.sh_type == SHT_NULL || section->header.sh_flags & SHF_COMPRESSED)
		return NULL;
	data = elf_getdata(section->handle, NULL);
	return data && data->d_buf && data->d_size ? data : NULL;
}

bool elf_file_has_code(const struct elf_file *file)
{
	for (size_t i = 1; i < file->section_count; i++)
		if (elf_section_is_code(&file->sections[i]) && file->sections[i].header.sh_size &&
		    file->sections[i].header.sh_type != SHT_NOBITS)
			return true;
	for (size_t i = 0; i < file->segment_count && file->section_count < 2; i++)
		if (file->segments[i].p_type == PT_LOAD && file->segments[i].p_flags & PF_X &&
		    file->segments[i].p_filesz)
			return true;
	return false;
}

bool elf_file_has_symtab(const struct elf_file *file)
{
	return elf_file_section(file, SHT_SYMTAB, NULL);
}

bool elf_file_has_lines(const struct elf_file *file)
{
	return (elf_file_section(file, SHT_PROGBITS, ".debug_info") &&
		elf_file_section(file, SHT_PROGBITS, ".debug_line")) ||
	       (elf_file_section(file, SHT_PROGBITS, ".zdebug_info") &&
		elf_file_section(file, SHT_PROGBITS, ".zdebug_line"));
}
