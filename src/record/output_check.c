/* SPDX-License-Identifier: MIT */
#include "record/output_check.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "record/file_name.h"

/* Names are made with figures of our own, to see which parts of them depend on what. */
struct naming {
	const struct recording_options *options;
	time_t time;
	struct arena arena;
};

static const char *make_name(struct naming *naming, long process, unsigned number)
{
	const struct compressor *compressor = naming->options->compressor;
	char *made = file_name_make(
		naming->options->output,
		&(struct file_name_parts){ .process_id = process,
					   .name = process == 1 ? "a" : "b",
					   .time = naming->time,
					   .number = number,
					   .suffix = compressor ? compressor->suffix : NULL });
	const char *kept = arena_printf(&naming->arena, "%s", made ? made : "");

	xfree(made);
	return kept;
}

static size_t first_difference(const char *a, const char *b)
{
	size_t i = 0;

	while (a[i] && a[i] == b[i])
		i++;
	return i;
}

/* Up to the last slash; 0: the current one. */
static size_t directory_size(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

static const char *directory_of(struct naming *naming, const char *path)
{
	const size_t size = directory_size(path);

	return size ? arena_text(&naming->arena, path, size) : ".";
}

static int check_directory(struct naming *naming, const char *path, struct pp_error *err)
{
	const char *directory = directory_of(naming, path);

	if (faccessat(AT_FDCWD, directory, W_OK | X_OK, AT_EACCESS))
		return error_errno(err, "cannot write to the directory %s", directory);
	return 0;
}

static int check_file(const struct naming *naming, const char *path, struct pp_error *err)
{
	const struct recording_options *options = naming->options;
	const struct partial_file file = { .path = path,
					   .what = "recording",
					   .replace = options->replace };

	if (partial_file_check(&file, err))
		return -1;
	return options->check_file ? options->check_file(options->check_context, path, err) : 0;
}

/* The path of a file in the directory if the series would come to it; else NULL. */
static const char *find_in_series(struct naming *naming, const char *first, size_t number_at,
				  const char *file)
{
	const size_t directory = directory_size(first);
	const size_t before = number_at - directory; /* characters of the name */
	unsigned long number;
	const char *path;

	if (strncmp(file, first + directory, before) != 0)
		return NULL;
	number = strtoul(file + before, NULL, 10);
	if (!number || number >= UINT_MAX)
		return NULL;
	path = make_name(naming, 1, (unsigned)number);
	return strcmp(path + directory, file) ? NULL : path;
}

/* A file of an earlier series would end this one when its number comes. */
static int check_series(struct naming *naming, const char *first, struct pp_error *err)
{
	const size_t number_at =
		first_difference(make_name(naming, 1, 1111), make_name(naming, 1, 2222));
	DIR *directory =
		number_at < directory_size(first) ? NULL : opendir(directory_of(naming, first));
	const struct dirent *entry;

	while (directory && !err->code && (entry = readdir(directory))) {
		const char *path = find_in_series(naming, first, number_at, entry->d_name);

		if (path)
			check_file(naming, path, err);
	}
	if (directory)
		closedir(directory);
	return err->code ? -1 : 0;
}

static int check_names(struct naming *naming, struct pp_error *err)
{
	const bool rolls = naming->options->roll_bytes || naming->options->roll_ns;
	const char *path = make_name(naming, 1, rolls ? 1 : 0);
	const char *other = make_name(naming, 2, rolls ? 1 : 0);

	if (first_difference(path, other) <
	    directory_size(path)) /* not even the directory is known */
		return 0;
	if (strcmp(path, other) != 0)
		return check_directory(naming, path, err);
	return check_file(naming, path, err) || (rolls && check_series(naming, path, err)) ? -1 : 0;
}

int output_check(const struct recording_options *options, struct pp_error *err)
{
	struct naming naming = { .options = options, .time = time(NULL) };
	const int failed = options->no_file ? 0 : check_names(&naming, err);

	arena_release(&naming.arena);
	return failed;
}
