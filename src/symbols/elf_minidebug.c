/* SPDX-License-Identifier: MIT */
/*
 * MiniDebugInfo: a stripped binary's symbol table, as an ELF file that is packed by xz into its
 * section .gnu_debugdata.
 */
#include "symbols/elf_parts.h"

#ifdef HAVE_LZMA

#include <lzma.h>
#include <string.h>

#include "base/alloc.h"

/* Those of the largest libraries have a few megabytes. */
#define UNPACKED_MOST (256u * 1024 * 1024)
#define MEMORY_MOST   (128u * 1024 * 1024)

struct unpacking {
	lzma_stream stream;
	uint8_t *bytes;
	size_t size, capacity;
	struct heap_drop *drop;
};

static void drop_stream(void *object)
{
	lzma_end(&((struct unpacking *)object)->stream);
}

/* Memory grows with what was unpacked, so that no size has to be believed. */
static lzma_ret unpack_some(struct unpacking *unpacking)
{
	lzma_stream *stream = &unpacking->stream;
	lzma_ret result;

	unpacking->bytes =
		xgrow(unpacking->bytes, unpacking->size, &unpacking->capacity, sizeof(uint8_t));
	stream->next_out = unpacking->bytes + unpacking->size;
	stream->avail_out = unpacking->capacity - unpacking->size;
	result = lzma_code(stream, LZMA_FINISH);
	unpacking->size = unpacking->capacity - stream->avail_out;
	return result == LZMA_OK && unpacking->size > UNPACKED_MOST ? LZMA_MEMLIMIT_ERROR : result;
}

static bool unpack(struct unpacking *unpacking, const Elf_Data *data)
{
	lzma_ret result = lzma_stream_decoder(&unpacking->stream, MEMORY_MOST, 0);

	unpacking->stream.next_in = data->d_buf;
	unpacking->stream.avail_in = data->d_size;
	while (result == LZMA_OK)
		result = unpack_some(unpacking);
	return result == LZMA_STREAM_END;
}

struct elf_file *elf_minidebug_open(const struct elf_file *file)
{
	const Elf_Data *data =
		elf_section_data(elf_file_section(file, SHT_PROGBITS, ".gnu_debugdata"));
	struct unpacking *unpacking;
	struct elf_file *opened = NULL;

	if (!data)
		return NULL;
	unpacking = xcalloc(1, sizeof(*unpacking)); /* not on the stack, which a drop outlives */
	unpacking->stream = (lzma_stream)LZMA_STREAM_INIT;
	unpacking->drop = heap_on_drop(drop_stream, unpacking);
	if (unpack(unpacking, data))
		opened = elf_file_over(unpacking->bytes, unpacking->size, file->name, NULL);
	else
		xfree(unpacking->bytes);
	heap_forget_drop(unpacking->drop);
	lzma_end(&unpacking->stream);
	xfree(unpacking);
	return opened;
}

#else

struct elf_file *elf_minidebug_open(const struct elf_file *file)
{
	(void)file;
	return NULL;
}

#endif
