/* SPDX-License-Identifier: MIT */
#include "base/partial_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *hint(const struct partial_file *file)
{
	return file->replace.hint ? file->replace.hint : "";
}

static int already_exists(const struct partial_file *file, struct pp_error *err)
{
	return error_set(err, PP_ERROR_USAGE, "%s already exists; choose another name%s",
			 file->path, hint(file));
}

static int left_over(const struct partial_file *file, struct pp_error *err)
{
	return error_set(err, PP_ERROR_USAGE,
			 "%s already exists, from a %s that is still running or was cut off; move "
			 "it away%s",
			 file->partial, file->what, hint(file));
}

/* Another process has finished it between our opening and our lock. */
static bool was_renamed(const struct partial_file *file)
{
	struct stat opened, named;

	return fstat(file->output.fd, &opened) || stat(file->partial, &named) ||
	       opened.st_ino != named.st_ino;
}

/* A file that another process is writing is not replaced even with `force`. */
static int claim(const struct partial_file *file, struct pp_error *err)
{
	if (flock(file->output.fd, LOCK_EX | LOCK_NB) || was_renamed(file))
		return error_set(err, PP_ERROR_USAGE, "another %s is writing to %s", file->what,
				 file->partial);
	if (ftruncate(file->output.fd, 0))
		return error_errno(err, "cannot write %s", file->partial);
	return 0;
}

static int open_partial(struct partial_file *file, struct pp_error *err)
{
	const int exclusive = file->replace.force ? 0 : O_EXCL;

	if (asprintf(&file->partial, "%s" PARTIAL_FILE_SUFFIX, file->path) < 0) {
		file->partial = NULL;
		return error_set(err, PP_ERROR_SYSTEM, "out of memory");
	}
	file->output.fd = open(file->partial, O_WRONLY | O_CREAT | O_CLOEXEC | exclusive, 0666);
	if (file->output.fd < 0)
		return errno == EEXIST ? left_over(file, err)
				       : error_errno(err, "cannot write %s", file->path);
	if (claim(file, err))
		return -1;
	file->uncommitted = true;
	return 0;
}

static int open_path(struct partial_file *file, struct pp_error *err)
{
	struct stat status;

	if (stat(file->path, &status))
		return open_partial(file, err);
	if (S_ISDIR(status.st_mode))
		return error_set(err, PP_ERROR_USAGE, "%s is a directory; name a file in it",
				 file->path);
	if (S_ISREG(status.st_mode))
		return file->replace.force ? open_partial(file, err) : already_exists(file, err);
	file->output.fd = open(file->path, O_WRONLY | O_CLOEXEC);
	return file->output.fd < 0 ? error_errno(err, "cannot write %s", file->path) : 0;
}

int partial_file_open(struct partial_file *file, struct pp_error *err)
{
	file->output = (struct output){ .fd = -1, .path = file->path };
	if (!strcmp(file->path, "-"))
		return output_open_stdout(&file->output, file->give_up_fd, err);
	return open_path(file, err);
}

/* Without RENAME_NOREPLACE there is a short race with another process creating the file. */
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

static int give_name(struct partial_file *file, struct pp_error *err)
{
	const int failed = file->replace.force
				   ? rename(file->partial, file->path)
				   : rename_without_replacing(file->partial, file->path);
	const int reason = errno;

	if (!failed) {
		file->uncommitted = false;
		return 0;
	}
	if (!file->keep) {
		partial_file_discard(file);
		errno = reason;
		return reason == EEXIST ? already_exists(file, err)
					: error_errno(err, "cannot write %s", file->path);
	}
	if (reason == EEXIST)
		return error_set(err, PP_ERROR_SYSTEM, "%s was created meanwhile; the %s is in %s",
				 file->path, file->what, file->partial);
	return error_errno(err, "cannot rename the %s to %s; it is in %s", file->what, file->path,
			   file->partial);
}

int partial_file_commit(struct partial_file *file, struct pp_error *err)
{
	const int failed = output_close(&file->output, err);

	if (!file->uncommitted)
		return failed;
	if (failed && !file->keep) {
		partial_file_discard(file);
		return -1;
	}
	return give_name(file, err) || failed ? -1 : 0;
}

void partial_file_discard(struct partial_file *file)
{
	if (file->uncommitted)
		unlink(file->partial);
	file->uncommitted = false;
}

void partial_file_close(struct partial_file *file)
{
	if (!file->keep)
		partial_file_discard(file);
	if (file->output.fd > 0)
		close(file->output.fd);
	free(file->partial);
	*file = (struct partial_file){ 0 };
}
