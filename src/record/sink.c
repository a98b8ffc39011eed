/* SPDX-License-Identifier: MIT */
#include "record/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"

#define SUFFIX	  ".partial"
#define HELD_MOST ((size_t)64 * 1024 * 1024) /* no block is as large: it is no trace */

static int is_there(const char *path, struct pp_error *err)
{
	return error_set(err, PP_ERROR_USAGE,
			 "%s is there already; choose another name or replace it with --force",
			 path);
}

static const char *what(const struct sink *sink)
{
	return sink->what ? sink->what : "recording";
}

static int left_over(const struct sink *sink, struct pp_error *err)
{
	return error_set(err, PP_ERROR_USAGE,
			 "%s is there already, of a %s that still runs or was cut off; "
			 "move it away or replace it with --force",
			 sink->partial, what(sink));
}

/* What another recording writes to is not replaced even then. */
static int replace(const struct sink *sink, struct pp_error *err)
{
	if (flock(sink->output.fd, LOCK_EX | LOCK_NB))
		return error_set(err, PP_ERROR_USAGE, "another %s writes to %s", what(sink),
				 sink->partial);
	if (ftruncate(sink->output.fd, 0))
		return error_errno(err, "cannot write %s", sink->partial);
	return 0;
}

static int open_partial(struct sink *sink, struct pp_error *err)
{
	const int exclusive = sink->force ? 0 : O_EXCL;

	if (asprintf(&sink->partial, "%s" SUFFIX, sink->path) < 0)
		return error_set(err, PP_ERROR_SYSTEM, "out of memory");
	sink->output.fd = open(sink->partial, O_WRONLY | O_CREAT | O_CLOEXEC | exclusive, 0666);
	if (sink->output.fd >= 0)
		return replace(sink, err);
	if (errno == EEXIST)
		return left_over(sink, err);
	return error_errno(err, "cannot write %s", sink->path);
}

static int open_file(struct sink *sink, struct pp_error *err)
{
	struct stat status;

	if (stat(sink->path, &status))
		return open_partial(sink, err);
	if (S_ISDIR(status.st_mode))
		return error_set(err, PP_ERROR_USAGE, "%s is a folder: name a file in it",
				 sink->path);
	if (S_ISREG(status.st_mode))
		return sink->force ? open_partial(sink, err) : is_there(sink->path, err);
	sink->output.fd = open(sink->path, O_WRONLY | O_CLOEXEC);
	return sink->output.fd < 0 ? error_errno(err, "cannot write %s", sink->path) : 0;
}

static int begin_packing(struct sink *sink, struct pp_error *err)
{
	if (!sink->compressor)
		return 0;
	sink->compressing = xcalloc(1, sink->compressor->ops->size);
	sink->compressing->out = &sink->packed;
	return sink->compressor->ops->begin(sink->compressing, err);
}

static int open_output(struct sink *sink, struct pp_error *err)
{
	if (sink->fd) {
		sink->output.fd = fcntl(sink->fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		return sink->output.fd < 0 ? error_errno(err, "cannot write %s", sink->path) : 0;
	}
	if (!strcmp(sink->path, "-"))
		return output_open_stdout(&sink->output, sink->give_up_fd, err);
	return open_file(sink, err);
}

int sink_open(struct sink *sink, struct pp_error *err)
{
	sink->output = (struct output){ .fd = -1, .path = sink->path };
	if (begin_packing(sink, err) || open_output(sink, err))
		return -1;
	sink->holds = sink->settles && (sink->compressor || !sink->partial);

	return 0;
}

static void pack(struct sink *sink, const void *bytes, size_t size, enum compress_mode mode)
{
	if (sink->output.failed.code)
		return;
	sink->compressor->ops->pack(sink->compressing, bytes, size, mode, &sink->output.failed);
	output_write(&sink->output, sink->packed.bytes, sink->packed.size);
	buffer_rewind(&sink->packed, 0);
}

static void write_out(struct sink *sink, const void *bytes, size_t size)
{
	sink->unflushed = true;
	if (sink->compressing)
		pack(sink, bytes, size, COMPRESS_MORE);
	else
		output_write(&sink->output, bytes, size);
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

void sink_drop_held(struct sink *sink)
{
	buffer_rewind(&sink->held, 0);
	sink->holds = false;
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

/* Some file systems cannot be asked to keep what is there; then the moment between is a risk. */
static int rename_without_replacing(const char *from, const char *to)
{
	struct stat status;

	if (!renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE))
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	if (!lstat(to, &status)) {
		errno = EEXIST;
		return -1;
	}
	return rename(from, to);
}

static int remove_partial(const struct sink *sink, int reason, struct pp_error *err)
{
	unlink(sink->partial);
	if (reason == EEXIST)
		return is_there(sink->path, err); /* since we began */
	errno = reason;
	return error_errno(err, "cannot write %s", sink->path);
}

static int give_name(struct sink *sink, struct pp_error *err)
{
	const int result = sink->force ? rename(sink->partial, sink->path)
				       : rename_without_replacing(sink->partial, sink->path);

	if (!result) {
		free(sink->partial);
		sink->partial = NULL;
		return 0;
	}
	if (sink->all_or_none)
		return remove_partial(sink, errno, err);
	if (errno == EEXIST)
		return error_set(err, PP_ERROR_SYSTEM,
				 "%s has appeared meanwhile; the recording is in %s", sink->path,
				 sink->partial);
	return error_errno(err, "cannot name the recording %s; it is in %s", sink->path,
			   sink->partial);
}

int sink_finish(struct sink *sink, struct pp_error *err)
{
	let_go(sink);
	if (sink->compressing)
		pack(sink, NULL, 0, COMPRESS_END);
	output_close(&sink->output, err);
	if (sink->partial && sink->all_or_none && sink->output.failed.code)
		unlink(sink->partial);
	else if (sink->partial && give_name(sink, err))
		return -1;
	return sink->output.failed.code ? -1 : 0;
}

void sink_discard(struct sink *sink)
{
	if (sink->partial && sink->output.fd >= 0)
		unlink(sink->partial);
}

void sink_release(struct sink *sink)
{
	if (sink->output.fd > 0)
		close(sink->output.fd);
	if (sink->compressing)
		sink->compressor->ops->end(sink->compressing);
	free(sink->compressing);
	buffer_release(&sink->packed);
	buffer_release(&sink->held);
	free(sink->partial);
	*sink = (struct sink){ 0 };
}
