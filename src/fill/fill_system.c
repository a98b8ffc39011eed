/* SPDX-License-Identifier: MIT */
/*
 * Processes, mapped files and symbols by the collector's events of Universal.System, and the
 * runtime's events about its own process and threads.
 */
#include <string.h>

#include "base/unicode.h"
#include "fill/fill_rows.h"

/* 16 bits of size and as many bytes. */
static const char *read_text(struct fill *fill, struct cursor *c)
{
	const uint16_t size = cursor_u16(c);
	const uint8_t *bytes = cursor_bytes(c, size);
	const char *kept;

	if (!bytes)
		return "";
	kept = model_text(fill->model, utf8_text(&fill->scratch, bytes, size));
	arena_clear(&fill->scratch);
	return kept;
}

void fill_process(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct cursor c = event_payload(at);
	const char *name;

	cursor_varint64(&c); /* its namespace */
	name = read_text(fill, &c);
	if (!c.failed && *name)
		model_name_process(fill->model, fill_process_now(fill), fill_file_name(fill, name),
				   NULL);
}

void fill_mapping(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct cursor c = event_payload(at);
	struct model_module module = { .process = fill_process_now(fill), .mapped = true };

	module.id = cursor_varint64(&c);
	module.start = cursor_varint64(&c);
	module.end = cursor_varint64(&c);
	module.file_offset = cursor_varint64(&c);
	module.path = read_text(fill, &c);
	module.build_id = map_find(&fill->build_ids, cursor_varint64(&c));
	module.from_ns = at->time_ns;
	if (c.failed)
		return;
	fill_name_module(fill, &module);
	model_add_module(fill->model, &module);
}

void fill_symbol(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct cursor c = event_payload(at);
	struct model_method method = { .process = fill_process_now(fill),
				       .symbol = true,
				       .type = "",
				       .signature = "",
				       .from_ns = INT64_MIN,
				       .to_ns = INT64_MAX };
	uint64_t last;

	method.id = cursor_varint64(&c);
	method.module_id = cursor_varint64(&c);
	method.start = cursor_varint64(&c);
	last = cursor_varint64(&c); /* the last byte itself */
	method.name = read_text(fill, &c);
	if (c.failed || last < method.start || last == UINT64_MAX)
		return;
	method.size = last - method.start + 1;
	model_add_method(fill->model, &method);
}

/* The quoted text after "build_id":, or NULL. */
static const char *build_id(struct fill *fill, const char *json)
{
	static const char key[] = "\"build_id\"";
	const char *at = strstr(json, key);
	const char *end;

	if (!at)
		return NULL;
	at += strlen(key);
	at += strspn(at, " :");
	end = *at == '"' ? strchr(at + 1, '"') : NULL;
	return end ? strings_intern(&fill->model->strings, at + 1, (size_t)(end - at - 1)) : NULL;
}

/* It comes before the mapping that refers to it by id. */
void fill_mapping_metadata(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct cursor c = event_payload(at);
	const uint64_t id = cursor_varint64(&c);
	const char *text = read_text(fill, &c);
	const char *found = c.failed ? NULL : build_id(fill, text);

	if (found)
		map_put(&fill->build_ids, id, (void *)found);
}

static const char *name_of_word(struct fill *fill, const char *word, size_t size)
{
	return fill_file_name(fill, strings_intern(&fill->model->strings, word, size));
}

/* As `perfpipe ps` names it: "/usr/bin/dotnet /srv/app.dll" is called app. */
static const char *name_of_command(struct fill *fill, const char *line)
{
	const size_t program_size = strcspn(line, " ");
	const char *program = name_of_word(fill, line, program_size);

	if (strcmp(program, "dotnet") != 0)
		return program;
	for (const char *word = line + program_size; *word;) {
		const size_t size = strcspn(word += strspn(word, " "), " ");

		if (size > 4 && !memcmp(word + size - 4, ".dll", 4))
			return name_of_word(fill, word, size);
		word += size;
	}
	return program;
}

void fill_recording_end(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct cursor c = event_payload(at);
	const char *text = fill_utf16z(fill, &c);

	if (fill->options.notes)
		fill_note(fill, at);
	losses_stopped_by(&fill->model->losses, c.failed ? NULL : text);
}

void fill_process_info(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct cursor c = event_payload(at);
	const char *line = fill_utf16z(fill, &c);

	if (fill->options.notes)
		fill_note(fill, at);
	if (c.failed)
		return;
	model_name_process(fill->model, fill_process_now(fill), name_of_command(fill, line), line);
}

static void name_thread(struct fill *fill, const char *name)
{
	if (!fill->model->threads[fill->thread].name)
		model_name_thread(fill->model, fill->thread, name);
}

void fill_pool_thread(void *self, const struct event_context *at)
{
	(void)at;
	name_thread(self, ".NET ThreadPool Worker");
}

void fill_compiler_thread(void *self, const struct event_context *at)
{
	(void)at;
	name_thread(self, ".NET Tiered Compilation Worker");
}

void fill_finalizer_thread(void *self, const struct event_context *at)
{
	(void)at;
	name_thread(self, ".NET Finalizer");
}
