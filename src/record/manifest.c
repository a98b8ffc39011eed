/* SPDX-License-Identifier: MIT */
#include "record/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#ifdef HAVE_JANSSON
#include <jansson.h>
#endif

#include "base/alloc.h"
#include "base/in_root.h"
#include "base/json.h"
#include "base/sha256.h"
#include "base/shell_words.h"
#include "base/time.h"
#include "ipc/process_read.h"

#define SUFFIX	     ".manifest.json"
#define PIECE	     ((size_t)256 * 1024)
#define LONGEST_LINE 4096

static char *manifest_path(const char *artifact)
{
	const size_t size = strlen(artifact) + sizeof(SUFFIX);
	char *path = xcalloc(1, size);

	snprintf(path, size, "%s" SUFFIX, artifact);
	return path;
}

struct file_sum {
	uint64_t size;
	char sha256[SHA256_TEXT_SIZE];
};

/* A pipe would make us wait, and has nothing to read twice. */
static int cannot_read(const char *path, struct pp_error *err)
{
	if (errno == EINVAL)
		return error_set(err, PP_ERROR_SYSTEM, "%s is not a regular file", path);
	return error_errno(err, "cannot read %s", path);
}

static int file_sum(const char *path, struct file_sum *sum, struct pp_error *err)
{
	struct sha256 adding = sha256_start();
	const int fd = in_root_read(open(path, O_PATH | O_CLOEXEC));
	FILE *file = fd < 0 ? NULL : fdopen(fd, "rb");
	char *bytes;
	size_t got;

	*sum = (struct file_sum){ 0 };
	if (!file)
		return cannot_read(path, err);
	bytes = xcalloc(1, PIECE);
	while ((got = fread(bytes, 1, PIECE, file)) > 0) {
		sha256_add(&adding, bytes, got);
		sum->size += got;
	}
	if (ferror(file))
		error_errno(err, "cannot read %s", path);
	xfree(bytes);
	fclose(file);
	sha256_text(&adding, sum->sha256);
	return err->code ? -1 : 0;
}

/* Where a text goes; it is cut to fit. */
struct text_room {
	char *text;
	size_t size;
};

/* The value of KEY=value or KEY="value" in a file as the process sees it. */
static void read_setting(struct process_files *files, long process_id, const char *file,
			 const char *key, struct text_room room)
{
	const size_t length = strlen(key);
	struct process_text text;

	*room.text = 0;
	if (!process_read_inside(files, (int32_t)process_id, file, &text))
		return;
	while (text.size) {
		const struct process_text line = part_next(&text, '\n');
		struct process_text value;

		if (line.size <= length || memcmp(line.at, key, length) || line.at[length] != '=')
			continue;
		value = part_from(line, length + 1);
		if (value.size && *value.at == '"')
			value = part_from(value, 1);
		value = part_next(&value, '"');
		snprintf(room.text, room.size, "%.*s", (int)value.size, value.at);
		return;
	}
}

static void put_if_known(struct json *json, const char *key, const char *text)
{
	json_put_text(json, key, text && *text ? text : NULL);
}

void manifest_look_around(struct manifest_place *place, long process_id)
{
	struct process_files files;
	struct pp_error ignored = { 0 };

	*place = (struct manifest_place){ 0 };
	if (process_files_open(&files, "/proc", &ignored))
		return;
	read_setting(&files, process_id, "/etc/os-release", "PRETTY_NAME",
		     (struct text_room){ place->os, sizeof(place->os) });
	/* by Podman; other runtimes do not expose the name of the image */
	read_setting(&files, process_id, "/run/.containerenv", "image",
		     (struct text_room){ place->image, sizeof(place->image) });
	process_files_close(&files);
}

static void put_machine(struct json *json, const struct manifest *manifest)
{
	struct utsname kernel;

	put_if_known(json, "distribution", manifest->place.os);
	put_if_known(json, "kernel", uname(&kernel) ? NULL : kernel.release);
	put_if_known(json, "architecture", manifest->architecture);
	put_if_known(json, "container", manifest->container);
	put_if_known(json, "image", manifest->place.image);
}

/* Our own, quoted so that a shell can run it again. */
static void put_command(struct json *json)
{
	struct process_files files = { .fd = -1 };
	struct process_text words = { "", 0 };
	struct arena arena = { 0 };

	process_read_path(&files, "/proc/self/cmdline", &words);
	put_if_known(json, "command", shell_words(&arena, words.at, words.size));
	arena_release(&arena);
	process_files_close(&files);
}

static void put_manifest(struct json *json, const struct manifest *manifest,
			 const struct file_sum *sum)
{
	char time[TIME_TEXT_SIZE];

	json_open_object(json, NULL);
	json_put_text(json, "schema", MANIFEST_SCHEMA);
	json_put_text(json, "perfpipe_version", PERFPIPE_VERSION);
	json_put_text(json, "file", manifest->artifact);
	json_put_u64(json, "size_bytes", sum->size);
	json_put_text(json, "sha256", sum->sha256);
	json_put_i64(json, "process_id", manifest->process_id);
	put_if_known(json, "process_name", manifest->name);
	put_if_known(json, "runtime", manifest->runtime);
	put_machine(json, manifest);
	json_put_text(json, "start_time", time_text(manifest->start_ns, time));
	json_put_text(json, "end_time", time_text(manifest->end_ns, time));
	put_command(json);
	put_if_known(json, "stopped_by", manifest->stopped_by);
	json_put_u64(json, "events", manifest->events);
	json_put_u64(json, "events_lost", manifest->events_lost);
	json_put_bool(json, "events_lost_at_least", manifest->events_lost_at_least);
	json_close(json);
}

static struct partial_file manifest_file(const char *path, struct replace_choice replace)
{
	return (struct partial_file){ .path = path, .what = "manifest", .replace = replace };
}

int manifest_check(const char *artifact, struct replace_choice replace, struct pp_error *err)
{
	char *path = manifest_path(artifact);
	const struct partial_file file = manifest_file(path, replace);
	const int failed = partial_file_check(&file, err);

	xfree(path);
	return failed;
}

int manifest_write(const struct manifest *manifest, struct replace_choice replace,
		   struct pp_error *err)
{
	struct buffer text = { 0 };
	struct json json = { .out = &text, .indent = 2 };
	struct partial_file file;
	struct file_sum sum;
	char *path;

	if (file_sum(manifest->artifact, &sum, err))
		return -1;
	put_manifest(&json, manifest, &sum);
	path = manifest_path(manifest->artifact);
	file = manifest_file(path, replace);
	if (!partial_file_open(&file, err)) {
		output_write(&file.output, text.bytes, text.size);
		partial_file_commit(&file, err);
	}
	partial_file_close(&file);
	xfree(path);
	buffer_release(&text);
	return err->code ? -1 : 0;
}

#ifdef HAVE_JANSSON

static void take_facts(json_t *root, const struct file_sum *sum, struct manifest_found *found)
{
	const char *sha256 = json_string_value(json_object_get(root, "sha256"));
	struct arena *arena = &found->arena;
	const char *key;
	json_t *value;

	found->matches = sha256 && !strcmp(sha256, sum->sha256);
	found->facts = arena_array(arena, struct manifest_fact, json_object_size(root));
	json_object_foreach(root, key, value)
	{
		if (!json_is_string(value) && !json_is_integer(value))
			continue;
		found->facts[found->count++] = (struct manifest_fact){
			.key = arena_printf(arena, "%s", key),
			.text = json_is_string(value)
					? arena_printf(arena, "%s", json_string_value(value))
					: NULL,
			.number = json_integer_value(value),
		};
	}
}

static int read_facts(const char *path, struct process_text text, const struct file_sum *sum,
		      struct manifest_found *found, struct pp_error *err)
{
	json_error_t why = { 0 };
	json_t *root = json_loadb(text.at, text.size, 0, &why);

	if (json_is_object(root))
		take_facts(root, sum, found);
	else
		error_set(err, PP_ERROR_FORMAT, "%s is not a manifest: %s", path,
			  *why.text ? why.text : "it is not an object");
	json_decref(root);
	return err->code ? -1 : 0;
}

#else

static int read_facts(const char *path, struct process_text text, const struct file_sum *sum,
		      struct manifest_found *found, struct pp_error *err)
{
	(void)text;
	(void)sum;
	(void)found;
	return error_set(err, PP_ERROR_UNSUPPORTED,
			 "%s is not shown: this perfpipe was built without jansson", path);
}

#endif

static int read_manifest(const char *path, const char *artifact, struct manifest_found *found,
			 struct pp_error *err)
{
	struct process_files files = { .fd = -1 };
	struct process_text text;
	struct file_sum sum;
	int result = -1;

	if (!process_read_path(&files, path, &text))
		cannot_read(path, err);
	else if (!file_sum(artifact, &sum, err))
		result = read_facts(path, text, &sum, found, err);
	process_files_close(&files);
	return result;
}

int manifest_find(const char *artifact, struct manifest_found *found, struct pp_error *err)
{
	char *path = manifest_path(artifact);
	const bool exists = !access(path, F_OK);
	int failed = 0;

	*found = (struct manifest_found){ 0 };
	if (exists)
		failed = read_manifest(path, artifact, found, err);
	xfree(path);
	return failed ? -1 : exists;
}

void manifest_found_release(struct manifest_found *found)
{
	arena_release(&found->arena);
	*found = (struct manifest_found){ 0 };
}
