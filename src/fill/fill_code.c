/* SPDX-License-Identifier: MIT */
/*
 * Methods and modules of the runtime. Load and unload events limit the time of a body; a rundown
 * lists the bodies loaded at its time, and most names come in the one at the end.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "fill/fill_rows.h"

#define JITTED	    8u
#define TIER(flags) ((flags) >> 7 & 7)
#define TIER_OSR    5 /* on-stack replacement: it takes over a call that runs */

/* A body of code as an event has it. */
struct read_body {
	struct model_method method;
	struct fill_body own;
};

/* Identity and place of a body; its names follow in the cursor. */
static struct read_body read_place(const struct fill *fill, struct cursor *c)
{
	struct model_method method = { .process = fill_process_now(fill),
				       .from_ns = INT64_MIN,
				       .to_ns = INT64_MAX };
	uint32_t flags;
	uint8_t tier;

	method.id = cursor_u64(c);
	method.module_id = cursor_u64(c);
	method.start = cursor_u64(c);
	method.size = cursor_u32(c);
	cursor_u32(c); /* the token */
	flags = cursor_u32(c);
	tier = (uint8_t)(flags & JITTED ? TIER(flags) : TIER_PRECOMPILED);
	method.continues = tier == TIER_OSR;
	if (method.start > UINT64_MAX - method.size)
		cursor_fail(c);
	return (struct read_body){ .method = method, .own.tier = tier };
}

static void add_body(struct fill *fill, struct read_body *body, struct cursor *c)
{
	struct model_method *method = &body->method;
	uint32_t number;

	method->type = fill_utf16z(fill, c);
	method->name = fill_utf16z(fill, c);
	method->signature = fill_utf16z(fill, c);
	if (c->failed)
		return;
	number = model_add_method(fill->model, method);
	if (number != MODEL_NONE)
		*fill_body(fill, number) = body->own;
}

struct fill_body *fill_body(struct fill *fill, uint32_t method)
{
	fill->bodies = xroom(fill->bodies, &fill->body_count, method, sizeof(*fill->bodies));
	return &fill->bodies[method];
}

void fill_method_load(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct cursor c = event_payload(at);
	struct read_body body = read_place(fill, &c);

	if (c.failed)
		return;
	body.method.from_ns = at->time_ns;
	if (body.own.tier != TIER_PRECOMPILED)
		fill_spell_method(fill, body.method.module_id, &body.own);
	fill_code_changed(fill, fill_process_now(fill), body.method.start, body.method.size);
	add_body(fill, &body, &c);
}

void fill_method_unload(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct cursor c = event_payload(at);
	struct read_body body = read_place(fill, &c);
	uint32_t known;

	if (c.failed)
		return;
	known = model_find_method(fill->model, &body.method);
	body.method.to_ns = at->time_ns;
	if (known == MODEL_NONE)
		add_body(fill, &body, &c);
	else
		model_end_method(fill->model, known, at->time_ns);
	fill_code_changed(fill, fill_process_now(fill), body.method.start, body.method.size);
}

void fill_method_rundown(void *self, const struct event_context *at)
{
	struct fill *fill = self;
	struct cursor c = event_payload(at);
	struct read_body body = read_place(fill, &c);
	uint32_t known;

	if (c.failed)
		return;
	known = model_find_method(fill->model, &body.method);
	if (known != MODEL_NONE) {
		fill_spell_method(fill, body.method.module_id, fill_body(fill, known));
		if (fill->model->methods[known].to_ns == INT64_MAX)
			return;
		body.method.from_ns = fill->model->methods[known].to_ns; /* loaded again */
	}
	fill_spell_method(fill, body.method.module_id, &body.own);
	add_body(fill, &body, &c);
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
	fill_name_module(fill, &module);
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
