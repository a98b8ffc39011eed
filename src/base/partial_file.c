/* SPDX-License-Identifier: MIT */
#include "base/partial_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/special_file.h"

#define MODE 0600 /* traces have command lines, messages and URLs */

static const char *hint(const struct partial_file *file)
{
	return file->replace.hint ? file->replace.hint : "";
}

static int already_exists(const struct partial_file *file, struct pp_error *err)
{
	return error_set(err, PP_ERROR_USAGE, "%s already exists; choose another name%s",
			 file->path, hint(file));
}

static const char *partial_name(const struct partial_file *file)
{
	return file->partial + (file->place.name - file->path);
}

/* Of any name: also by a hard link, a symbolic one or another mount. */
static bool is_input(const struct partial_file *file, const struct stat *output)
{
	struct stat input;

	if (!S_ISREG(output->st_mode) && !S_ISFIFO(output->st_mode))
		return false;
	for (size_t i = 0; i < file->input_count; i++) {
		const char *path = file->inputs[i];

		if (!(strcmp(path, "-") ? stat(path, &input) : fstat(STDIN_FILENO, &input)) &&
		    file_is_same(&input, output))
			return true;
	}
	return false;
}

static int check_not_input(const struct partial_file *file, const char *name, const char *path,
			   struct pp_error *err)
{
	struct stat status;

	if (fstatat(file->place.directory, name, &status, 0) || !is_input(file, &status))
		return 0;
	return error_set(err, PP_ERROR_USAGE, "%s is the trace itself; choose another name", path);
}

/* The name is that of a file, a link or nothing; or of what is written to directly. */
static int look_at_name(const struct partial_file *file, bool *direct, struct pp_error *err)
{
	const struct file_place *place = &file->place;
	struct stat found, target;

	*direct = false;
	if (!*place->name)
		return error_set(err, PP_ERROR_USAGE, "%s is a directory; name a file in it",
				 file->path);
	if (file_place_look(place, place->name, &found))
		return errno == ENOENT ? 0 : error_errno(err, "cannot write %s", file->path);
	if (!fstatat(place->directory, place->name, &target, 0) && S_ISDIR(target.st_mode))
		return error_set(err, PP_ERROR_USAGE, "%s is a directory; name a file in it",
				 file->path);
	*direct = special_file_is(place, &found);
	if (*direct)
		return 0;
	if (!S_ISREG(found.st_mode) && !S_ISLNK(found.st_mode))
		return error_set(err, PP_ERROR_USAGE,
				 "%s is a block device or a socket; name a file", file->path);
	return file->replace.force ? 0 : already_exists(file, err);
}

/* Opens the directory, and refuses what may not be written to. */
static int look(struct partial_file *file, bool *direct, struct pp_error *err)
{
	if (!*file->path)
		return error_set(err, PP_ERROR_USAGE, "the name of the output is empty");
	if (file_place_open(&file->place, file->path, err))
		return -1;
	file->partial = xcalloc(strlen(file->path) + sizeof(PARTIAL_FILE_SUFFIX), 1);
	stpcpy(stpcpy(file->partial, file->path), PARTIAL_FILE_SUFFIX);
	if (check_not_input(file, file->place.name, file->path, err) ||
	    look_at_name(file, direct, err))
		return -1;
	return *direct ? 0 : check_not_input(file, partial_name(file), file->partial, err);
}

static const char *why_not_ours(const struct stat *status)
{
	return S_ISLNK(status->st_mode)	     ? "a symbolic link"
	       : !S_ISREG(status->st_mode)   ? "not a regular file"
	       : status->st_uid != geteuid() ? "a file of another user"
					     : NULL;
}

/* What has the name of the partial file must be one that a writer of this user left. */
static int check_left_over(const struct partial_file *file, struct pp_error *err)
{
	struct stat found;
	const char *why;

	if (file_place_look(&file->place, partial_name(file), &found))
		return 0;
	why = why_not_ours(&found);
	if (why)
		return error_set(err, PP_ERROR_USAGE, "%s is %s; remove it, or choose another name",
				 file->partial, why);
	if (file->replace.force)
		return 0;
	return error_set(err, PP_ERROR_USAGE,
			 "%s already exists, from a %s that is still running or was cut off; move "
			 "it away%s",
			 file->partial, file->what, hint(file));
}

static int open_partial(const struct partial_file *file, int flags)
{
	return openat(file->place.directory, partial_name(file), flags | O_NOFOLLOW | O_CLOEXEC,
		      MODE);
}

/* Whether the descriptor is the file that has this name. */
static bool has_name(const struct partial_file *file, int fd, const char *name)
{
	struct stat opened, named;

	return !fstat(fd, &opened) && !file_place_look(&file->place, name, &named) &&
	       file_is_same(&opened, &named);
}

/*
 * A file that another process is writing is not replaced even with `force`. Whoever has the lock
 * of the file that has the name decides about the name. Some file systems have no locks.
 */
static int claim(const struct partial_file *file, int fd, struct pp_error *err)
{
	if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return error_set(err, PP_ERROR_USAGE, "another process is writing to %s",
				 file->partial);
	if (!has_name(file, fd, partial_name(file)))
		return error_set(err, PP_ERROR_SYSTEM, "another process has removed %s",
				 file->partial);
	return 0;
}

static int remove_left_over(const struct partial_file *file, struct pp_error *err)
{
	struct stat opened;
	int fd, failed;

	if (check_left_over(file, err))
		return -1;
	fd = open_partial(file, O_WRONLY | O_NONBLOCK);
	if (fd < 0)
		return error_errno(err, "cannot replace %s", file->partial);
	failed = claim(file, fd, err);
	if (!failed && (fstat(fd, &opened) || why_not_ours(&opened)))
		failed = error_set(err, PP_ERROR_USAGE, "%s was replaced meanwhile", file->partial);
	if (!failed && unlinkat(file->place.directory, partial_name(file), 0))
		failed = error_errno(err, "cannot replace %s", file->partial);
	close(fd);
	return failed;
}

/* Always a new file: what has the name already may lead anywhere. */
static int create(const struct partial_file *file, struct pp_error *err)
{
	int fd = open_partial(file, O_RDWR | O_CREAT | O_EXCL);

	if (fd < 0 && errno == EEXIST) {
		if (remove_left_over(file, err))
			return -1;
		fd = open_partial(file, O_RDWR | O_CREAT | O_EXCL);
	}
	if (fd < 0)
		return error_errno(err, "cannot write %s", file->path);
	if (!claim(file, fd, err))
		return fd;
	close(fd);
	return -1;
}

/* The lock is held after the output is closed, until the file has its name. */
static int open_new(struct partial_file *file, struct pp_error *err)
{
	const int fd = create(file, err);

	if (fd < 0)
		return -1;
	file->made = fd;
	file->uncommitted = true;
	file->output.fd = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	return file->output.fd < 0 ? error_errno(err, "cannot write %s", file->path) : 0;
}

static int open_direct(struct partial_file *file, struct pp_error *err)
{
	xfree(file->partial);
	file->partial = NULL;
	return special_file_open(&file->output, &file->place, err);
}

static int open_descriptor(struct partial_file *file, int fd, struct pp_error *err)
{
	struct stat status;

	if (!fstat(fd, &status) && is_input(file, &status))
		return error_set(err, PP_ERROR_USAGE, "%s is the trace itself", file->output.path);
	return special_file_open_descriptor(&file->output, fd, err);
}

int partial_file_open(struct partial_file *file, struct pp_error *err)
{
	const int descriptor = special_file_descriptor(file->path);
	bool direct = false;

	file->output = (struct output){ .fd = -1,
					.path = special_file_name(file->path),
					.give_up_fd = file->give_up_fd };
	if (descriptor >= 0)
		return open_descriptor(file, descriptor, err);
	if (look(file, &direct, err))
		return -1;
	return direct ? open_direct(file, err) : open_new(file, err);
}

int partial_file_check(const struct partial_file *wanted, struct pp_error *err)
{
	struct partial_file file = *wanted;
	bool direct = false;

	if (special_file_descriptor(file.path) >= 0)
		return 0;
	if (!look(&file, &direct, err) && !direct && !check_left_over(&file, err) &&
	    faccessat(file.place.directory, ".", W_OK | X_OK, AT_EACCESS))
		error_errno(err, "cannot write %s", file.path);
	partial_file_close(&file);
	return err->code ? -1 : 0;
}

/* Where the file is now, by its descriptor; NULL: it has no name any more, or none that is known.
 */
static char *find_moved(const struct partial_file *file)
{
	char link[32], target[PATH_MAX];
	struct stat made, named;
	ssize_t size;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", file->made);
	size = readlink(link, target, sizeof(target) - 1);
	target[size > 0 ? size : 0] = 0;
	if (fstat(file->made, &made) || lstat(target, &named) || !file_is_same(&made, &named))
		return NULL;
	return xstrdup(target);
}

/* The path does not lead to the file any more: it is elsewhere, or nowhere. */
static int say_moved(struct partial_file *file, const char *path, struct pp_error *err)
{
	file->uncommitted = false;
	file->moved = find_moved(file);
	file->gone = !file->moved;
	if (file->gone)
		return error_set(err, PP_ERROR_SYSTEM, "%s was deleted meanwhile; the %s is lost",
				 path, file->what);
	return error_set(err, PP_ERROR_SYSTEM, "%s was moved meanwhile; the %s is in %s", path,
			 file->what, file->moved);
}

/* The directory may be another one by now. */
static int check_path(struct partial_file *file, const char *path, struct pp_error *err)
{
	struct stat made, named;

	if (fstat(file->made, &made) || (!lstat(path, &named) && file_is_same(&made, &named)))
		return 0;
	return say_moved(file, path, err);
}

static int say_unnamed(struct partial_file *file, int reason, struct pp_error *err)
{
	if (!file->keep) {
		partial_file_discard(file);
		errno = reason;
		return reason == EEXIST ? already_exists(file, err)
					: error_errno(err, "cannot write %s", file->path);
	}
	if (reason == EEXIST)
		error_set(err, PP_ERROR_SYSTEM, "%s was created meanwhile; the %s is in %s",
			  file->path, file->what, file->partial);
	errno = reason;
	error_errno(err, "cannot rename the %s to %s; it is in %s", file->what, file->path,
		    file->partial);
	check_path(file, file->partial, err);
	return -1;
}

static int give_name(struct partial_file *file, struct pp_error *err)
{
	const struct file_place *place = &file->place;
	const char *from = partial_name(file);
	int failed;

	if (!has_name(file, file->made, from))
		return say_moved(file, file->partial, err);
	failed = file->replace.force
			 ? renameat(place->directory, from, place->directory, place->name)
			 : file_place_rename_new(place, from, place->name);
	if (failed)
		return say_unnamed(file, errno, err);
	file->uncommitted = false;
	return check_path(file, file->path, err);
}

int partial_file_commit(struct partial_file *file, struct pp_error *err)
{
	const int failed = output_close(&file->output, err);

	if (!file->uncommitted)
		return failed;
	if (failed && (!file->keep || !file->output.size)) {
		partial_file_discard(file);
		return -1;
	}
	return give_name(file, err) || failed ? -1 : 0;
}

const char *partial_file_found(const struct partial_file *file)
{
	if (file->gone)
		return NULL;
	if (file->moved)
		return file->moved;
	return file->uncommitted ? file->partial : file->path;
}

/* One that others have put in its place stays. */
void partial_file_discard(struct partial_file *file)
{
	if (file->uncommitted && has_name(file, file->made, partial_name(file)))
		unlinkat(file->place.directory, partial_name(file), 0);
	file->gone |= file->uncommitted;
	file->uncommitted = false;
}

void partial_file_close(struct partial_file *file)
{
	if (!file->keep)
		partial_file_discard(file);
	if (file->output.fd > STDERR_FILENO)
		close(file->output.fd);
	if (file->made > 0)
		close(file->made);
	file_place_close(&file->place);
	xfree(file->partial);
	xfree(file->moved);
	*file = (struct partial_file){ 0 };
}
