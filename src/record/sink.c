/* SPDX-License-Identifier: MIT */
#include "record/sink.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"

#define HELD_MOST ((size_t)64 * 1024 * 1024) /* no block is as large: then it is not a trace */

static int begin_packing(struct sink *sink, struct pp_error *err)
{
	if (!sink->compressor)
		return 0;
	sink->compressing = xcalloc(1, sink->compressor->ops->size);
	sink->compressing->out = &sink->packed;
	return sink->compressor->ops->begin(sink->compressing, err);
}

/* A file without a name, which stays the caller's. */
static int open_unnamed(struct sink *sink, struct pp_error *err)
{
	struct output *output = &sink->file.output;

	output->fd = fcntl(sink->fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	return output->fd < 0 ? error_errno(err, "cannot write %s", sink->path) : 0;
}

int sink_open(struct sink *sink, struct pp_error *err)
{
	sink->file = (struct partial_file){
		.path = sink->path,
		.what = "recording",
		.replace = sink->replace,
		.keep = true,
		.give_up_fd = sink->stop_fd,
		.output = { .fd = -1, .path = sink->path },
	};
	if (begin_packing(sink, err) ||
	    (sink->fd ? open_unnamed(sink, err) : partial_file_open(&sink->file, err)))
		return -1;
	sink->file.output.give_up_fd = sink->give_up_fd;
	sink->holds = sink->settles && (sink->compressor || !sink->file.partial);
	return 0;
}

static void pack(struct sink *sink, const void *bytes, size_t size, enum compress_mode mode)
{
	struct output *output = &sink->file.output;

	if (output->failed.code)
		return;
	sink->compressor->ops->pack(sink->compressing, bytes, size, mode, &output->failed);
	output_write(output, sink->packed.bytes, sink->packed.size);
	buffer_rewind(&sink->packed, 0);
}

static void write_out(struct sink *sink, const void *bytes, size_t size)
{
	sink->unflushed = sink->begun = true;
	if (sink->compressing)
		pack(sink, bytes, size, COMPRESS_MORE);
	else
		output_write(&sink->file.output, bytes, size);
}

void sink_settle(struct sink *sink, uint64_t offset)
{
	const uint64_t more = offset > sink->settled ? offset - sink->settled : 0;
	const size_t size = more < sink->held.size ? (size_t)more : sink->held.size;

	if (!size)
		return;
	write_out(sink, sink->held.bytes, size);
	sink->settled += size;
	memmove(sink->held.bytes, sink->held.bytes + size, sink->held.size - size);
	buffer_rewind(&sink->held, sink->held.size - size);
}

/* Also after a failed write: a full disk has room for an end then. */
static int truncate_file(struct sink *sink, uint64_t offset)
{
	struct output *output = &sink->file.output;

	if (sink->compressing || !sink->file.made || offset > output->size)
		return -1;
	if (ftruncate(output->fd, (off_t)offset) || lseek(output->fd, (off_t)offset, SEEK_SET) < 0)
		return error_errno(&output->failed, "cannot truncate %s", output->path);
	output->size = offset;
	output->failed = (struct pp_error){ 0 };
	return 0;
}

int sink_cut(struct sink *sink, uint64_t offset)
{
	if (!sink->holds)
		return truncate_file(sink, offset);
	sink_settle(sink, offset);
	buffer_rewind(&sink->held, 0);
	sink->holds = false;
	return sink->file.output.failed.code ? -1 : 0;
}

static void let_go(struct sink *sink)
{
	sink_settle(sink, UINT64_MAX);
	sink->holds = false;
}

void sink_write(struct sink *sink, const void *bytes, size_t size)
{
	if (sink->holds && (size > HELD_MOST - sink->held.size || sink->held.failed ||
			    !buffer_grow(&sink->held, size)))
		let_go(sink);
	if (sink->holds)
		buffer_bytes(&sink->held, bytes, size);
	else
		write_out(sink, bytes, size);
}

void sink_flush(struct sink *sink)
{
	if (sink->compressing && sink->unflushed)
		pack(sink, NULL, 0, COMPRESS_FLUSH);
	sink->unflushed = false;
}

int sink_finish(struct sink *sink, struct pp_error *err)
{
	let_go(sink);
	if (!sink->begun)
		partial_file_discard(&sink->file);
	else if (sink->compressing)
		pack(sink, NULL, 0, COMPRESS_END);
	return partial_file_commit(&sink->file, err);
}

void sink_discard(struct sink *sink)
{
	buffer_rewind(&sink->held, 0);
	sink->file.output.size = 0;
	sink->begun = false;
}

void sink_release(struct sink *sink)
{
	partial_file_close(&sink->file);
	if (sink->compressing)
		sink->compressor->ops->end(sink->compressing);
	xfree(sink->compressing);
	buffer_release(&sink->packed);
	buffer_release(&sink->held);
	*sink = (struct sink){ 0 };
}
