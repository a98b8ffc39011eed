/* SPDX-License-Identifier: MIT */
#include "symbols/process_maps.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/error.h"
#include "symbols/held_file.h"

#define TEXT_MOST                                                                                  \
	((size_t)64 << 20) /* of the kernel's 65,530 mappings; longer paths are an attack */
#define READ_SIZE  ((size_t)64 << 10)
#define TASKS_MOST 4096

/* Fields of a line, before the path. */
struct fields {
	const char *at, *end;
};

static uint64_t hex(struct fields *line)
{
	uint64_t value = 0;

	for (; line->at < line->end; line->at++) {
		const char c = *line->at;
		const int digit = c >= '0' && c <= '9'	 ? c - '0'
				  : c >= 'a' && c <= 'f' ? c - 'a' + 10
							 : -1;

		if (digit < 0)
			break;
		value = value << 4 | (unsigned)digit;
	}
	return value;
}

static uint64_t decimal(struct fields *line)
{
	uint64_t value = 0;

	while (line->at < line->end && *line->at >= '0' && *line->at <= '9')
		value = value * 10 + (unsigned)(*line->at++ - '0');
	return value;
}

static bool skip(struct fields *line, char c)
{
	if (line->at == line->end || *line->at != c)
		return false;
	line->at++;
	return true;
}

/* "r-xp", with the space after it. */
static bool permissions(struct fields *line, struct process_mapping *mapping)
{
	if (line->end - line->at < 5 || line->at[4] != ' ')
		return false;
	mapping->executable = line->at[2] == 'x';
	line->at += 5;
	return true;
}

/* "START-END PERMS OFFSET MAJOR:MINOR INODE          PATH"; the line ends with a NUL. */
static bool parse_line(struct fields line, struct process_mapping *mapping)
{
	mapping->start = hex(&line);
	if (!skip(&line, '-'))
		return false;
	mapping->end = hex(&line);
	if (!skip(&line, ' ') || !permissions(&line, mapping))
		return false;
	mapping->file_offset = hex(&line);
	if (!skip(&line, ' '))
		return false;
	mapping->device_major = (uint32_t)hex(&line);
	if (!skip(&line, ':'))
		return false;
	mapping->device_minor = (uint32_t)hex(&line);
	if (!skip(&line, ' '))
		return false;
	mapping->inode = decimal(&line);
	while (skip(&line, ' '))
		;
	mapping->path = line.at;
	return mapping->start < mapping->end;
}

static bool starts(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

/* Files without a place in any folder, which the kernel shows as deleted ones. */
static bool is_memory(const struct process_mapping *mapping)
{
	static const char *const prefixes[] = { "/memfd:", "/dev/zero", "/SYSV", "/anon_hugepage" };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (starts(mapping->path, prefixes[i]))
			return true;
	return false;
}

static void strip_deleted(const struct process_maps *maps, struct process_mapping *mapping,
			  char *line_end)
{
	static const char mark[] = " (deleted)";
	const size_t size = sizeof(mark) - 1;

	mapping->memory = is_memory(mapping);
	if ((size_t)(line_end - mapping->path) < size || strcmp(line_end - size, mark) != 0)
		return;
	/* a file may really be called so: then it is still there */
	if (!mapping->memory && maps->task && process_mapping_has_path(maps, mapping))
		return;
	mapping->deleted = true;
	line_end[-(ptrdiff_t)size] = '\0';
}

static void add_line(struct process_maps *maps, char *line, char *end)
{
	struct process_mapping mapping = { 0 };

	*end = '\0';
	if (!parse_line((struct fields){ line, end }, &mapping))
		return;
	/* what the kernel lists is in order; what is not would not be found */
	if (maps->count && mapping.start < maps->list[maps->count - 1].end)
		return;
	mapping.file_start = mapping.start;
	mapping.file_end = mapping.end;
	strip_deleted(maps, &mapping, end);
	maps->list = xgrow(maps->list, maps->count, &maps->capacity, sizeof(*maps->list));
	maps->list[maps->count++] = mapping;
}

static bool is_anonymous_code(const struct process_mapping *mapping)
{
	return mapping->executable && (!*mapping->path || starts(mapping->path, "[anon:"));
}

/* Parts of one image: what is between them has the bytes of the file that are between them. */
static bool are_around(const struct process_mapping *left, const struct process_mapping *right)
{
	return left->inode && process_mapping_same_file(left, right) &&
	       right->file_offset - left->file_offset == right->start - left->start;
}

/*
 * Programs with much code (Chromium, HHVM, MySQL) copy it to anonymous memory, which can have huge
 * pages, and map that in the place of the file.
 */
static void adopt(struct process_mapping *code, const struct process_mapping *left)
{
	const uint64_t start = code->start, end = code->end;

	*code = *left;
	code->start = start;
	code->end = end;
	code->file_offset = left->file_offset + (start - left->start);
	code->executable = code->remapped = true;
}

static void adopt_remapped(struct process_maps *maps)
{
	for (size_t i = 1; i < maps->count; i++) {
		const struct process_mapping *left = &maps->list[i - 1];
		size_t end = i;

		while (end < maps->count && is_anonymous_code(&maps->list[end]) &&
		       maps->list[end].start == maps->list[end - 1].end)
			end++;
		if (end > i && end < maps->count &&
		    maps->list[end].start == maps->list[end - 1].end &&
		    are_around(left, &maps->list[end]))
			for (size_t k = i; k < end; k++)
				adopt(&maps->list[k], left);
		if (end > i)
			i = end;
	}
}

static void parse(struct process_maps *maps)
{
	char *at = maps->text, *end = maps->text + maps->size, *line_end;

	for (; at < end && (line_end = memchr(at, '\n', (size_t)(end - at))); at = line_end + 1)
		add_line(maps, at, line_end);
	adopt_remapped(maps);
}

void process_maps_parse(struct process_maps *maps, const char *text, size_t size)
{
	*maps = (struct process_maps){ .text = xstrndup(text, size), .size = size };
	parse(maps);
}

/* The whole file, as far as it is sane; the process may end meanwhile. 0, or -1 and errno. */
static int read_all(int fd, struct buffer *text)
{
	ssize_t got = 1;

	while (got > 0 && text->size < TEXT_MOST) {
		uint8_t *room = buffer_room(text, READ_SIZE);

		if (!room)
			break;
		got = read(fd, room, READ_SIZE);
		if (got > 0)
			buffer_wrote(text, room + got);
	}
	return got < 0 && !text->size ? -1 : 0;
}

static int read_task(int64_t task, struct buffer *text)
{
	struct held_file file;
	char path[64];
	int failed;

	snprintf(path, sizeof(path), "/proc/%lld/maps", (long long)task);
	file = hold_file(open(path, O_RDONLY | O_CLOEXEC));
	if (file.fd < 0)
		return -1;
	failed = read_all(file.fd, text);
	release_file(&file);
	return failed;
}

/* Of a process whose first thread has ended, another thread still has the memory. */
static int64_t read_other_tasks(int64_t pid, struct buffer *text)
{
	int64_t tasks[TASKS_MOST];
	size_t count = 0;
	struct dirent *entry;
	char path[64];
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%lld/task", (long long)pid);
	folder = opendir(path);
	while (folder && count < TASKS_MOST && (entry = readdir(folder)))
		if (*entry->d_name != '.')
			tasks[count++] = strtoll(entry->d_name, NULL, 10);
	if (folder)
		closedir(folder);
	for (size_t i = 0; i < count; i++)
		if (tasks[i] != pid && !read_task(tasks[i], text) && text->size)
			return tasks[i];
	return 0;
}

static int cannot_read(int64_t pid, struct pp_error *err)
{
	if (errno == ENOENT || errno == ESRCH)
		return error_set(err, PP_ERROR_SYSTEM, "there is no process %lld", (long long)pid);
	if (errno == EACCES || errno == EPERM)
		return error_set(
			err, PP_ERROR_SYSTEM,
			"no permission to read what process %lld has mapped: it belongs to "
			"another user, or has more rights; try sudo",
			(long long)pid);
	return error_errno(err, "cannot read what process %lld has mapped", (long long)pid);
}

int process_maps_read(struct process_maps *maps, int64_t pid, struct pp_error *err)
{
	struct buffer text = { 0 };

	*maps = (struct process_maps){ .pid = pid, .task = pid };
	if (read_task(pid, &text))
		return cannot_read(pid, err);
	if (!text.size)
		maps->task = read_other_tasks(pid, &text);
	if (!text.size)
		return error_set(err, PP_ERROR_SYSTEM,
				 "process %lld has no memory: it has ended, or is a kernel thread",
				 (long long)pid);
	maps->text = (char *)text.bytes;
	maps->size = text.size;
	parse(maps);
	return 0;
}

void process_maps_release(struct process_maps *maps)
{
	xfree(maps->list);
	xfree(maps->text);
	*maps = (struct process_maps){ 0 };
}

const struct process_mapping *process_maps_find(const struct process_maps *maps, uint64_t address)
{
	size_t low = 0, high = maps->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (maps->list[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < maps->count && maps->list[low].start <= address ? &maps->list[low] : NULL;
}
