/* SPDX-License-Identifier: MIT */
#include "tuples/tuple_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cursor.h"
#include "base/error.h"
#include "symbols/vdso.h"

#define MAGIC "PPTUPLE1"

static bool read_item(const struct tuple_file *file, struct cursor *all, struct tuple_item *item)
{
	uint64_t size;
	struct cursor c;

	*item = (struct tuple_item){ .position = (size_t)(all->at - file->bytes) };
	item->kind = cursor_u32(all);
	item->pid = cursor_u32(all);
	item->time_ns = cursor_u64(all);
	size = cursor_u64(all);
	c = cursor_within(all, (size_t)size);
	switch (item->kind) {
	case TUPLE_MAPPING:
		item->mapping.start = cursor_u64(&c);
		item->mapping.size = cursor_u64(&c);
		item->mapping.offset = cursor_u64(&c);
		item->mapping.path = (const char *)c.at;
		if (!memchr(c.at, '\0', cursor_left(&c)))
			cursor_fail(&c);
		break;
	case TUPLE_FORK:
		item->parent = (uint32_t)cursor_u64(&c);
		break;
	case TUPLE_SAMPLE:
		item->sample.tid = cursor_u32(&c);
		item->sample.in_kernel = cursor_u32(&c);
		item->sample.registers = cursor_bytes(&c, (size_t)file->register_count * 8);
		item->sample.stack_size = cursor_left(&c);
		item->sample.stack = cursor_bytes(&c, cursor_left(&c));
		break;
	default:
		break;
	}
	return !c.failed && !all->failed;
}

static int by_time(const void *a, const void *b)
{
	const struct tuple_item *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return (x->position > y->position) - (x->position < y->position);
}

static int read_items(struct tuple_file *file, const char *path, struct pp_error *err)
{
	struct cursor c = cursor_over(file->bytes, file->size);
	const uint8_t *magic = cursor_bytes(&c, strlen(MAGIC));

	file->elf_machine = cursor_u32(&c);
	file->register_count = cursor_u32(&c);
	file->vdso_size = (size_t)cursor_u64(&c);
	file->vdso = cursor_bytes(&c, file->vdso_size);
	if (c.failed || memcmp(magic, MAGIC, strlen(MAGIC)) != 0 ||
	    file->register_count > UNWIND_REGISTERS)
		return error_set(err, PP_ERROR_FORMAT, "%s has no tuples", path);
	while (cursor_left(&c)) {
		struct tuple_item item;

		if (!read_item(file, &c, &item))
			return error_set(err, PP_ERROR_FORMAT, "%s is cut short at %zu", path,
					 item.position);
		file->items =
			xgrow(file->items, file->count, &file->capacity, sizeof(*file->items));
		file->items[file->count++] = item;
		file->samples += item.kind == TUPLE_SAMPLE;
	}
	if (file->count)
		qsort(file->items, file->count, sizeof(*file->items), by_time);
	return 0;
}

struct tuple_file *tuple_file_open(const char *path, struct pp_error *err)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct tuple_file *file = xcalloc(1, sizeof(*file));
	struct stat info;
	void *bytes = MAP_FAILED;

	if (fd >= 0 && !fstat(fd, &info) && info.st_size > 0)
		bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (bytes == MAP_FAILED) {
		error_errno(err, "cannot read %s", path);
		tuple_file_close(file);
		return NULL;
	}
	file->bytes = bytes;
	file->size = (size_t)info.st_size;
	if (read_items(file, path, err)) {
		tuple_file_close(file);
		return NULL;
	}
	return file;
}

void tuple_file_close(struct tuple_file *file)
{
	if (!file)
		return;
	if (file->bytes)
		munmap((void *)(uintptr_t)file->bytes, file->size);
	xfree(file->items);
	xfree(file);
}

void tuple_item_state(const struct tuple_file *file, const struct tuple_item *item,
		      struct unwind_registers *registers, struct captured_stack *stack)
{
	const struct unwind_machine *machine = unwind_machine_find((uint16_t)file->elf_machine);

	registers->known = 0;
	for (unsigned i = 0; i < file->register_count; i++)
		register_set(registers, i, perf_word(item->sample.registers, i));
	*stack = (struct captured_stack){ .start = registers->value[machine->sp],
					  .bytes = item->sample.stack,
					  .size = item->sample.stack_size };
}

static void put_u32s(struct tuple_writer *writer, uint32_t first, uint32_t second)
{
	fwrite(&first, sizeof(first), 1, writer->file);
	fwrite(&second, sizeof(second), 1, writer->file);
}

static void put_u64(struct tuple_writer *writer, uint64_t value)
{
	fwrite(&value, sizeof(value), 1, writer->file);
}

static size_t padded(size_t size)
{
	return (size + 7) / 8 * 8;
}

static void put_padded(struct tuple_writer *writer, const void *bytes, size_t size)
{
	static const uint8_t zeros[8];

	fwrite(bytes, 1, size, writer->file);
	fwrite(zeros, 1, padded(size) - size, writer->file);
}

int tuple_writer_begin(struct tuple_writer *writer, struct pp_error *err)
{
	size_t size = 0;
	void *vdso = vdso_own_image(&size);

	writer->machine = perf_machine_here();
	if (!writer->machine) {
		xfree(vdso);
		return error_set(err, PP_ERROR_UNSUPPORTED, "this machine is not supported");
	}
	fwrite(MAGIC, 1, strlen(MAGIC), writer->file);
	put_u32s(writer, writer->machine->elf_machine, writer->machine->count);
	put_u64(writer, padded(size));
	if (vdso)
		put_padded(writer, vdso, size);
	xfree(vdso);
	return 0;
}

static void put_item(struct tuple_writer *writer, enum tuple_kind kind,
		     const struct perf_record *record, size_t size)
{
	put_u32s(writer, kind, record->pid);
	put_u64(writer, record->time_ns);
	put_u64(writer, size);
}

static void add_mapping(struct tuple_writer *writer, const struct perf_record *record)
{
	const struct perf_mapping *mapping = &record->mapping;
	const size_t path_size = strlen(mapping->path) + 1;

	put_item(writer, TUPLE_MAPPING, record, 24 + padded(path_size));
	put_u64(writer, mapping->start);
	put_u64(writer, mapping->size);
	put_u64(writer, mapping->offset);
	put_padded(writer, mapping->path, path_size);
}

static void add_sample(struct tuple_writer *writer, const struct perf_record *record)
{
	const struct perf_sample *sample = &record->sample;
	const struct perf_machine *machine = writer->machine;
	const size_t stack_size = sample->stack_size / 8 * 8;
	uint64_t registers[PERF_REGISTERS_MOST] = { 0 };

	if (sample->register_abi != machine->code_abi || !stack_size) {
		writer->unusable++;
		return;
	}
	for (unsigned i = 0; i < machine->count; i++)
		registers[machine->dwarf[i]] = perf_sample_register(sample, i);
	put_item(writer, TUPLE_SAMPLE, record, 8 + (size_t)machine->count * 8 + stack_size);
	put_u32s(writer, record->tid, perf_record_is_kernel(record));
	fwrite(registers, 8, machine->count, writer->file);
	fwrite(sample->stack, 1, stack_size, writer->file);
	writer->samples++;
}

bool tuple_writer_add(struct tuple_writer *writer, const struct perf_record *record)
{
	if (record->type == PERF_RECORD_SAMPLE) {
		add_sample(writer, record);
	} else if (record->type == PERF_RECORD_MMAP2) {
		add_mapping(writer, record);
	} else if (perf_record_is_exec(record)) {
		put_item(writer, TUPLE_EXEC, record, 0);
	} else if (record->type == PERF_RECORD_FORK && record->pid != record->parent.pid) {
		put_item(writer, TUPLE_FORK, record, 8);
		put_u64(writer, record->parent.pid);
	} else {
		return false;
	}
	return true;
}
