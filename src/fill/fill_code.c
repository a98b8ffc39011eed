/* SPDX-License-Identifier: MIT */
/*
 * Methods and modules of the runtime. Load and unload events limit the time of a body; a rundown
 * lists the bodies loaded at its time, and most names come in the one at the end.
 */
#include <stdlib.h>
#include <string.h>

#include "clr/method_name.h"
#include "fill/fill_rows.h"

#define JITTED		 8u
#define TIER(flags)	 ((flags) >> 7 & 7)
#define TIER_PRECOMPILED 8 /* not a tier of the runtime: code that was not jitted */

/* Identity and place of a body; its names follow in the cursor. */
static struct model_method read_place(const struct fill *fill, struct cursor *c)
{
	struct model_method method = { .process = fill_process_now(fill),
				       .from_ns = INT64_MIN,
				       .to_ns = INT64_MAX };
	uint32_t flags;

	method.id = cursor_u64(c);
	method.module_id = cursor_u64(c);
	method.start = cursor_u64(c);
	method.size = cursor_u32(c);
	cursor_u32(c); /* the token */
	flags = cursor_u32(c);
	method.tier = (uint8_t)(flags & JITTED ? TIER(flags) : TIER_PRECOMPILED);
	if (method.start > UINT64_MAX - method.size)
		cursor_fail(c);
	return method;
}

static void read_names(struct fill *fill, struct model_method *method, struct cursor *c)
{
	method->type = fill_utf16z(fill, c);
	method->name = fill_utf16z(fill, c);
	method->signature = fill_utf16z(fill, c);
}

static void add_method(struct fill *fill, struct model_method *method, struct cursor *c)
{
	read_names(fill, method, c);
	if (!c->failed)
		model_add_method(fill->model, method);
}

void fill_method_load(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct cursor c = event_payload(at);
	struct model_method method = read_place(fill, &c);

	if (c.failed)
		return;
	method.from_ns = at->time_ns;
	if (method.tier != TIER_PRECOMPILED)
		fill_spell_method(fill, &method);
	fill_code_changed(fill, fill_process_now(fill), method.start, method.size);
	add_method(fill, &method, &c);
}

void fill_method_unload(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct cursor c = event_payload(at);
	struct model_method method = read_place(fill, &c);
	uint32_t known;

	if (c.failed)
		return;
	known = model_find_method(fill->model, &method);
	method.to_ns = at->time_ns;
	if (known == MODEL_NONE)
		add_method(fill, &method, &c);
	else if (fill->model->methods[known].to_ns == INT64_MAX)
		fill->model->methods[known].to_ns = at->time_ns;
	fill_code_changed(fill, fill_process_now(fill), method.start, method.size);
}

void fill_method_rundown(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct cursor c = event_payload(at);
	struct model_method method = read_place(fill, &c);
	uint32_t known;

	if (c.failed)
		return;
	known = model_find_method(fill->model, &method);
	if (known != MODEL_NONE) {
		fill_spell_method(fill, &fill->model->methods[known]);
		if (fill->model->methods[known].to_ns == INT64_MAX)
			return;
		method.from_ns = fill->model->methods[known].to_ns; /* loaded again */
	}
	fill_spell_method(fill, &method);
	add_method(fill, &method, &c);
}

/* The runtime writes "NULL" for none. */
static const char *text_or_null(const char *text)
{
	return *text && strcmp(text, "NULL") != 0 ? text : NULL;
}

/* Version 2 has PDBs, version 3 a build id; fields after the end are empty. */
static void add_module(struct fill *fill, const struct event_context *at, int64_t from_ns)
{
	struct cursor c = event_payload(at);
	struct model_module module = { .process = fill_process_now(fill), .from_ns = from_ns };

	module.id = cursor_u64(&c);
	cursor_u64(&c); /* the assembly */
	cursor_u32(&c); /* flags */
	cursor_u32(&c);
	fill_spell_module(fill, module.id);
	module.path = fill_utf16z(fill, &c);
	module.native_path = text_or_null(fill_utf16z(fill, &c));
	if (c.failed)
		return;
	module.name = model_module_name(fill->model, module.path);
	cursor_u16(&c); /* the runtime's number */
	cursor_copy(&c, module.pdb_guid, sizeof(module.pdb_guid));
	module.pdb_age = cursor_u32(&c);
	module.pdb_path = text_or_null(fill_utf16z(fill, &c));
	module.has_pdb = !c.failed && module.pdb_path;
	cursor_bytes(&c, 16); /* the native PDB */
	cursor_u32(&c);
	fill_utf16z(fill, &c);
	module.build_id = text_or_null(fill_utf16z(fill, &c));
	model_add_module(fill->model, &module);
}

void fill_module_load(void *self, const struct event_context *at)
{
	add_module(self, at, at->time_ns);
}

void fill_module_rundown(void *self, const struct event_context *at)
{
	add_module(self, at, INT64_MIN);
}

static const char *const tier_names[] = {
	"Unknown",
	"MinOptJitted",
	"Optimized",
	"QuickJitted",
	"OptimizedTier1",
	"OptimizedTier1OSR",
	"QuickJittedInstrumented",
	"OptimizedTier1Instrumented",
	"ReadyToRun",
};

/* The size of the class in a symbol of C++, "ns::Class::method(int)"; 0: none. */
static size_t symbol_class_size(const char *symbol)
{
	const size_t bare = strcspn(symbol, "(<");

	for (size_t i = bare; i-- > 1;)
		if (symbol[i] == ':' && symbol[i - 1] == ':')
			return i - 1;
	return 0;
}

/* Returns the size of the class, which follows the tier. */
static size_t put_name(const struct fill *fill, const struct model_method *method,
		       struct buffer *text)
{
	const struct method_name name = { .type = method->type,
					  .name = method->name,
					  .signature = method->signature };

	if (!method->symbol)
		return fill->options.raw_names ? method_name_raw(text, &name)
					       : method_name_source(text, &name);
	buffer_text(text, method->name);
	return symbol_class_size(method->name);
}

static void name_method(struct fill *fill, struct model_method *method)
{
	struct strings *strings = &fill->model->strings;
	struct buffer *text = &fill->text;
	size_t start;
	size_t size;

	buffer_rewind(text, 0);
	if (fill->options.tiers && !method->symbol) {
		buffer_text(text, "[");
		buffer_text(text, tier_names[method->tier]);
		buffer_text(text, "]");
	}
	start = text->size;
	size = put_name(fill, method, text);
	method->text = strings_intern(strings, (const char *)text->bytes, text->size);
	if (size && !text->failed)
		method->class_text = strings_intern(strings, method->text + start, size);
}

const char *fill_method_text(struct fill *fill, uint32_t method)
{
	struct model_method *named = &fill->model->methods[method];

	if (!named->text)
		name_method(fill, named);
	return named->text;
}

void fill_name_methods(struct fill *fill)
{
	struct model *model = fill->model;

	for (size_t i = 0; i < model->method_count; i++)
		if (model->methods[i].used)
			name_method(fill, &model->methods[i]);
}
