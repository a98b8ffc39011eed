/* SPDX-License-Identifier: MIT */
#include "trace_reading.h"

#include <stdlib.h>

#include "base/alloc.h"

#define FNV_OFFSET UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME  UINT64_C(0x100000001b3)

/* A pass over the bytes. */
struct run {
	struct pp_nettrace *trace;
	struct literal left; /* not yet fed */
	size_t size;	     /* in all */
	struct reading_options options;
	uint8_t *lent; /* freed when the reader asks for more */
	uint64_t digest;
	bool ended;
};

static size_t taken_out; /* pieces passed to the reader and not yet released */

static void add_bytes(uint64_t *digest, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;

	for (size_t i = 0; i < size; i++)
		*digest = (*digest ^ at[i]) * FNV_PRIME;
}

static void add_number(uint64_t *digest, uint64_t value)
{
	add_bytes(digest, &value, sizeof(value));
}

static void add_text(uint64_t *digest, const char *text)
{
	add_bytes(digest, text ? text : "(null)", text ? strlen(text) + 1 : 7);
}

static void add_pairs(uint64_t *digest, const struct pp_pair *pairs, size_t count)
{
	add_number(digest, count);
	for (size_t i = 0; i < count; i++) {
		add_text(digest, pairs[i].key);
		add_text(digest, pairs[i].value);
	}
}

static void add_type(uint64_t *digest, const struct pp_type *type);

static void add_fields(uint64_t *digest, struct pp_fields fields)
{
	add_number(digest, fields.count);
	for (size_t i = 0; i < fields.count; i++) {
		add_text(digest, fields.list[i].name);
		add_type(digest, &fields.list[i].type);
	}
}

static void add_type(uint64_t *digest, const struct pp_type *type)
{
	add_number(digest, type->code);
	add_number(digest, type->count);
	add_fields(digest, type->fields);
	if (type->element)
		add_type(digest, type->element);
}

static void add_kind(uint64_t *digest, const struct pp_kind *k)
{
	add_number(digest, k->index);
	add_text(digest, k->provider);
	add_text(digest, k->name);
	add_number(digest, (uint64_t)k->id << 32 | k->version);
	add_number(digest, (uint64_t)k->level << 32 | (uint32_t)k->opcode);
	add_number(digest, k->keywords);
	add_bytes(digest, k->provider_guid, k->provider_guid ? 16 : 0);
	add_text(digest, k->message);
	add_text(digest, k->description);
	add_pairs(digest, k->pairs, k->pair_count);
	add_fields(digest, k->fields);
	add_number(digest, k->fields_unreadable);
}

static void add_thread(uint64_t *digest, const struct pp_thread *t)
{
	add_number(digest, t->index);
	add_number(digest, (uint64_t)t->id);
	add_number(digest, (uint64_t)t->process_id);
	add_text(digest, t->name);
	add_pairs(digest, t->pairs, t->pair_count);
}

static void add_labels(uint64_t *digest, const struct pp_labels *l)
{
	add_number(digest, l->present);
	add_number(digest, (uint64_t)l->opcode << 16 | (uint64_t)l->level << 8 | l->version);
	add_bytes(digest, l->activity_id, 16);
	add_bytes(digest, l->related_activity_id, 16);
	add_bytes(digest, l->trace_id, 16);
	add_number(digest, l->span_id);
	add_number(digest, l->keywords);
	for (size_t i = 0; i < l->pair_count; i++) {
		add_text(digest, l->pairs[i].key);
		add_text(digest, l->pairs[i].text);
		add_number(digest, (uint64_t)l->pairs[i].number);
	}
}

static void add_event(uint64_t *digest, const struct pp_event *e)
{
	add_number(digest, (uint64_t)e->ticks);
	add_number(digest, (uint64_t)e->cpu);
	add_number(digest, e->kind->index);
	add_number(digest, e->thread->index);
	if (e->stack)
		add_bytes(digest, e->stack->addresses, 8 * e->stack->count);
	if (e->labels)
		add_labels(digest, e->labels);
	add_number(digest, e->payload_size);
	add_bytes(digest, e->payload, e->payload_size);
}

/* Everything that does not depend on when it is read. */
static void add_outcome(uint64_t *digest, const struct pp_nettrace *trace,
			const struct pp_error *err)
{
	const struct pp_trace_totals totals = pp_nettrace_totals(trace);
	const struct pp_thread *thread;
	const struct pp_kind *k;

	for (size_t i = 0; (k = pp_nettrace_kind(trace, i)); i++)
		add_kind(digest, k);
	for (size_t i = 0; (thread = pp_nettrace_thread(trace, i)); i++) {
		add_thread(digest, thread);
		add_number(digest, thread->events);
		add_number(digest, thread->lost);
	}
	add_number(digest, totals.events);
	add_number(digest, totals.lost);
	add_number(digest, totals.late);
	add_number(digest, totals.stacks);
	add_number(digest, totals.complete);
	add_text(digest, err->text);
}

static void poison(void *bytes, size_t size)
{
	memset(bytes, 0xdd, size);
	xfree(bytes);
	taken_out--;
}

static size_t next_piece(struct run *run)
{
	size_t size = run->options.piece ? run->options.piece : run->left.size;

	if (run->options.seed) {
		run->options.seed = run->options.seed * 1664525 + 1013904223;
		size = 1 + (run->options.seed >> 8) % size;
	}
	return size < run->left.size ? size : run->left.size;
}

static void free_lent(struct run *run)
{
	xfree(run->lent);
	run->lent = NULL;
}

static void feed_room(struct run *run, size_t size)
{
	size_t room;
	void *to = pp_nettrace_room(run->trace, &room);

	assert_true(room >= (size_t)64 * 1024);
	size = size < room ? size : room;
	memcpy(to, run->left.at, size);
	pp_nettrace_filled(run->trace, size);
	run->left.at = (const uint8_t *)run->left.at + size;
	run->left.size -= size;
}

static void feed_copy(struct run *run, size_t size)
{
	uint8_t *copy = xrealloc(NULL, size, 1); /* exact, so that a read past the end is noticed */

	memcpy(copy, run->left.at, size);
	run->left.at = (const uint8_t *)run->left.at + size;
	run->left.size -= size;
	if (run->options.feeding == FEED_TAKEN) {
		taken_out++;
		pp_nettrace_feed_taken(run->trace, copy, size, poison);
		return;
	}
	run->lent = copy;
	pp_nettrace_feed(run->trace, copy, size);
}

static void feed_next(struct run *run)
{
	const size_t size = next_piece(run);

	assert_false(run->ended); /* the end was signalled */
	free_lent(run);
	if (size && run->options.feeding == FEED_ROOM)
		feed_room(run, size);
	else if (size)
		feed_copy(run, size);
	if (!size || (run->options.end_at_once && !run->left.size)) {
		run->ended = true;
		pp_nettrace_end(run->trace);
	}
}

static enum pp_next next_event(struct run *run, const struct pp_event **event, struct pp_error *err)
{
	enum pp_next next;

	while ((next = pp_nettrace_next(run->trace, event, err)) == PP_NEXT_MORE)
		feed_next(run);
	if (next == PP_NEXT_ITEM)
		add_event(&run->digest, *event);
	return next;
}

static struct run run_begin(struct literal bytes, struct reading_options options)
{
	options.reader.size = sizeof(options.reader);
	return (struct run){
		.trace = pp_nettrace_new(&options.reader, &(struct pp_error){ 0 }),
		.left = bytes,
		.size = bytes.size,
		.options = options,
		.digest = FNV_OFFSET,
	};
}

static const struct pp_labels *copy_labels(const struct pp_labels *labels)
{
	struct pp_labels *copy;
	struct pp_label_pair *pairs;

	if (!labels)
		return NULL;
	copy = xcalloc(1, sizeof(*copy) + labels->pair_count * sizeof(*pairs));
	pairs = (struct pp_label_pair *)(copy + 1);
	*copy = *labels;
	for (size_t i = 0; i < labels->pair_count; i++) {
		const struct pp_label_pair *from = &labels->pairs[i];

		pairs[i] = (struct pp_label_pair){ xstrdup(from->key),
						   from->text ? xstrdup(from->text) : NULL,
						   from->number };
	}
	copy->pairs = pairs;
	return copy;
}

static void free_labels(const struct pp_labels *labels)
{
	for (size_t i = 0; labels && i < labels->pair_count; i++) {
		xfree((void *)labels->pairs[i].key);
		xfree((void *)labels->pairs[i].text);
	}
	xfree((void *)labels);
}

static void keep(struct reading *r, const struct pp_event *e, uint64_t at_byte)
{
	uint8_t *payload = xcalloc(1, e->payload_size + 1);

	memcpy(payload, e->payload, e->payload_size);
	r->events = xgrow(r->events, r->count, &r->capacity, sizeof(*r->events));
	r->events[r->count++] = (struct seen){
		.ticks = e->ticks,
		.cpu = e->cpu,
		.kind = e->kind,
		.thread = e->thread,
		.stack = e->stack,
		.labels = copy_labels(e->labels),
		.payload = payload,
		.payload_size = e->payload_size,
		.at_byte = at_byte,
	};
}

struct reading read_bytes(struct literal bytes, struct reading_options options)
{
	struct run run = run_begin(bytes, options);
	struct reading r = { .trace = run.trace };
	const struct pp_event *e;

	while ((r.last = next_event(&run, &e, &r.err)) == PP_NEXT_ITEM)
		keep(&r, e, run.size - run.left.size);
	free_lent(&run);
	r.totals = pp_nettrace_totals(run.trace);
	r.header = pp_nettrace_header(run.trace);
	add_outcome(&run.digest, run.trace, &r.err);
	r.digest = run.digest;
	return r;
}

struct reading read_built(const struct builder *b)
{
	return read_bytes(built(b), (struct reading_options){ 0 });
}

void reading_release(struct reading *r)
{
	for (size_t i = 0; i < r->count; i++) {
		xfree((void *)r->events[i].payload);
		free_labels(r->events[i].labels);
	}
	xfree(r->events);
	pp_nettrace_free(r->trace);
	assert_int_equal(taken_out, 0);
	*r = (struct reading){ 0 };
}

uint64_t digest_of(struct literal bytes, struct reading_options options)
{
	struct run run = run_begin(bytes, options);
	struct pp_error err = { 0 };
	const struct pp_event *e;

	while (next_event(&run, &e, &err) == PP_NEXT_ITEM)
		;
	free_lent(&run);
	add_outcome(&run.digest, run.trace, &err);
	pp_nettrace_free(run.trace);
	assert_int_equal(taken_out, 0);
	return run.digest;
}

void expect_whole(const struct reading *r, size_t count)
{
	assert_string_equal(r->err.text, "");
	assert_int_equal(r->last, PP_NEXT_END);
	assert_true(r->totals.complete);
	assert_int_equal(r->count, count);
	assert_int_equal(r->totals.events, count);
}

struct reading read_finished(struct builder *b)
{
	struct reading r;

	build_end(b);
	r = read_built(b);
	builder_release(b);
	assert_string_equal(r.err.text, "");
	assert_int_equal(r.last, PP_NEXT_END);
	assert_true(r.totals.complete);
	return r;
}

void expect_error(struct builder *b, size_t count, const char *sentence)
{
	struct reading r;

	build_end(b);
	r = read_built(b);
	builder_release(b);
	assert_string_equal(r.err.text, sentence);
	assert_int_equal(r.last, PP_NEXT_ERROR);
	assert_int_equal(r.err.code, PP_ERROR_FORMAT);
	assert_int_equal(r.count, count);
	assert_false(r.totals.complete);
	reading_release(&r);
}
