/* SPDX-License-Identifier: MIT */
/*
 * The parts of a PE file that are needed: the offset of the PE header at 0x3c; the header with the
 * number of sections and the size of the optional header; in that the debug directory; sections,
 * which say where in the file an RVA is. An entry of the debug directory is, of type 21, described
 * by readytorun-format of github.com/dotnet/runtime:
 *
 *	'R2RM'; 16 bytes of signature; u32 version; the name of the map, NUL-terminated
 */
#include "symbols/r2r_image.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "symbols/file_window.h"

#define PE_OFFSET      0x3Cu
#define PE_SIGNATURE   0x00004550u
#define HEADER_SIZE    24u /* with the signature */
#define MAGIC_64       0x20Bu
#define DIRECTORIES    96u /* offset in the optional header; of 64-bit images it is 16 more */
#define DEBUG	       6u  /* number of the directory */
#define SECTION_SIZE   40u
#define SECTIONS_MOST  96u /* as Windows does */
#define ENTRY_SIZE     28u
#define ENTRIES_MOST   64u
#define TYPE_PERF_MAP  21u
#define PERF_MAP_MAGIC 0x4D523252u
#define NAME_MOST      1024u

struct pe_file {
	struct file_window window;
	uint64_t optional; /* offset of the optional header */
	uint64_t sections;
	uint32_t debug_rva, debug_size;
};

static bool read_headers(struct pe_file *file, struct r2r_image *image)
{
	struct cursor c = file_window_at(&file->window, 0, PE_OFFSET + 4);
	const uint16_t dos = cursor_u16(&c);
	uint32_t header, signature;

	cursor_bytes(&c, PE_OFFSET - 2);
	header = cursor_u32(&c);
	c = file_window_at(&file->window, header, HEADER_SIZE);
	signature = cursor_u32(&c);
	cursor_u16(&c); /* machine */
	image->section_count = cursor_u16(&c);
	cursor_bytes(&c, 12); /* time, symbols of COFF */
	file->optional = (uint64_t)header + HEADER_SIZE;
	file->sections = file->optional + cursor_u16(&c);
	return !c.failed && dos == 0x5A4D && signature == PE_SIGNATURE &&
	       image->section_count <= SECTIONS_MOST;
}

static bool read_debug_directory(struct pe_file *file)
{
	struct cursor c = file_window_at(&file->window, file->optional, 2);
	const uint32_t wider = cursor_u16(&c) == MAGIC_64 ? 16 : 0;

	c = file_window_at(&file->window, file->optional + DIRECTORIES + wider + 8 * DEBUG, 8);
	file->debug_rva = cursor_u32(&c);
	file->debug_size = cursor_u32(&c);
	return !c.failed && file->debug_size >= ENTRY_SIZE;
}

static bool read_sections(struct pe_file *file, struct r2r_image *image)
{
	struct cursor c =
		file_window_at(&file->window, file->sections, image->section_count * SECTION_SIZE);

	image->sections = xcalloc(image->section_count, sizeof(*image->sections));
	for (size_t i = 0; i < image->section_count; i++) {
		struct r2r_section *section = &image->sections[i];

		cursor_bytes(&c, 12); /* name, size in memory */
		section->rva = cursor_u32(&c);
		section->size = cursor_u32(&c);
		section->offset = cursor_u32(&c);
		cursor_bytes(&c, 16);
	}
	return !c.failed;
}

static bool offset_of(const struct r2r_image *image, uint32_t rva, uint64_t *offset)
{
	for (size_t i = 0; i < image->section_count; i++) {
		const struct r2r_section *section = &image->sections[i];

		if (rva >= section->rva && rva - section->rva < section->size) {
			*offset = (uint64_t)section->offset + (rva - section->rva);
			return true;
		}
	}
	return false;
}

/* It may be a path where the image was made, and must not lead to another folder. */
static const char *last_part(const char *path)
{
	const char *last = path;

	for (const char *at = path; *at; at++)
		if (*at == '/' || *at == '\\')
			last = at + 1;
	return last;
}

static bool read_map_entry(struct pe_file *file, struct r2r_image *image, uint32_t offset,
			   uint32_t size)
{
	struct cursor c =
		file_window_at(&file->window, offset, size < NAME_MOST ? size : NAME_MOST);
	const uint32_t magic = cursor_u32(&c);
	char *path;

	cursor_copy(&c, image->signature, sizeof(image->signature));
	image->version = cursor_u32(&c);
	if (c.failed || magic != PERF_MAP_MAGIC)
		return false;
	path = xstrndup((const char *)c.at, cursor_left(&c));
	image->map_name = xstrdup(last_part(path));
	xfree(path);
	return *image->map_name;
}

static bool find_map_entry(struct pe_file *file, struct r2r_image *image)
{
	const uint32_t count = file->debug_size / ENTRY_SIZE;
	uint64_t at;

	if (!offset_of(image, file->debug_rva, &at))
		return false;
	for (uint32_t i = 0; i < count && i < ENTRIES_MOST; i++) {
		struct cursor c =
			file_window_at(&file->window, at + (uint64_t)i * ENTRY_SIZE, ENTRY_SIZE);
		uint32_t type, size, offset;

		cursor_bytes(&c, 12); /* flags, time, version */
		type = cursor_u32(&c);
		size = cursor_u32(&c);
		cursor_u32(&c); /* RVA */
		offset = cursor_u32(&c);
		if (!c.failed && type == TYPE_PERF_MAP)
			return read_map_entry(file, image, offset, size);
	}
	return false;
}

int r2r_image_read(int fd, struct r2r_image *image, struct pp_error *err)
{
	struct pe_file file = { 0 };
	bool found;

	*image = (struct r2r_image){ 0 };
	if (file_window_open(&file.window, fd, err))
		return -1;
	found = read_headers(&file, image) && read_debug_directory(&file) &&
		read_sections(&file, image) && find_map_entry(&file, image);
	file_window_close(&file.window);
	if (found)
		return 0;
	r2r_image_release(image);
	return error_set(err, PP_ERROR_FORMAT, "not a ReadyToRun image with a perf map");
}

void r2r_image_release(struct r2r_image *image)
{
	xfree(image->map_name);
	xfree(image->sections);
	*image = (struct r2r_image){ 0 };
}

bool r2r_image_has_map(const struct r2r_image *image, const struct r2r_map_header *header)
{
	return header->has_signature && header->version == image->version &&
	       !memcmp(header->signature, image->signature, sizeof(image->signature));
}

bool r2r_image_rva(const struct r2r_image *image, uint64_t offset, uint64_t *rva)
{
	for (size_t i = 0; i < image->section_count; i++) {
		const struct r2r_section *section = &image->sections[i];

		if (offset >= section->offset && offset - section->offset < section->size) {
			*rva = section->rva + (offset - section->offset);
			return true;
		}
	}
	return false;
}
