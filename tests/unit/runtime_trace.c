/* SPDX-License-Identifier: MIT */
#include "runtime_trace.h"

/* The events, in the versions that current runtimes write. */
static const struct {
	uint32_t id;
	uint32_t version;
} kinds[] = {
	{ 1, 2 },   { 2, 1 },	{ 3, 1 },   { 4, 2 },	{ 7, 1 },   { 8, 1 },	{ 9, 1 },
	{ 10, 4 },  { 15, 0 },	{ 20, 0 },  { 141, 2 }, { 143, 2 }, { 145, 1 }, { 146, 0 },
	{ 152, 2 }, { 159, 0 }, { 204, 3 }, { 205, 4 }, { 280, 0 }, { 303, 0 }, { 50, 0 },
	{ 51, 0 },  { 54, 0 },	{ 55, 0 },  { 57, 0 },	{ 59, 0 },  { 61, 0 },	{ 62, 0 },
	{ 63, 0 },  { 64, 0 },	{ 80, 1 },  { 81, 2 },	{ 90, 0 },  { 91, 1 },	{ 250, 0 },
	{ 251, 0 }, { 301, 0 }, { 302, 0 },
};

struct builder runtime_start(void)
{
	struct builder b = build_start(4);

	build_metadata(&b);
	for (size_t i = 0; i < COUNT(kinds); i++)
		kind(&b, .id = (uint32_t)i + 1, .provider = "Microsoft-Windows-DotNETRuntime",
		     .name = "", .event_id = kinds[i].id, .version = kinds[i].version);
	build_close(&b);
	build_events(&b, PLAIN);
	return b;
}

void runtime_event(struct builder *b, uint32_t id, uint64_t thread, int64_t ticks,
		   struct builder *payload)
{
	size_t at = 0;

	while (kinds[at].id != id && at < COUNT(kinds) - 1)
		at++;
	assert_int_equal(kinds[at].id, id);
	event(b, .kind = (uint32_t)at + 1, .thread = thread, .ticks = ticks,
	      .payload = payload ? built(payload) : BYTES("\0\0"));
	if (payload)
		builder_release(payload);
}

struct recorded_stack runtime_stack(void *object, const struct event_context *at)
{
	(void)object;
	return (struct recorded_stack){ (uint32_t)at->event->thread->id };
}

/* Analyses may use threads until they have finished. */
static void feed_all(struct reading *r, struct pass *pass)
{
	static const struct pp_trace_header header = { .ticks_per_second = 1000 * 1000 * 1000,
						       .pointer_size = 8 };
	static const struct pp_stack none;
	struct pp_thread threads[2 * RUNTIME_OTHER];

	for (size_t i = 0; i < r->count; i++) {
		const struct seen *seen = &r->events[i];
		const size_t id = (size_t)seen->thread->id;

		assert_in_range(id, 0, COUNT(threads) - 1);
		threads[id] = *seen->thread;
		threads[id].process_id = RUNTIME_PROCESS + (id >= RUNTIME_OTHER);
		pass_event(pass, &header,
			   &(struct pp_event){ .ticks = seen->ticks,
					       .payload = seen->payload,
					       .payload_size = (uint32_t)seen->payload_size,
					       .cpu = -1,
					       .kind = seen->kind,
					       .thread = &threads[id],
					       .stack = seen->stack ? seen->stack : &none });
	}
	pass_finish(pass, r->trace);
	reading_release(r);
}

void runtime_feed(struct builder *b, struct pass *pass)
{
	struct reading r;

	build_close(b);
	r = read_finished(b);
	feed_all(&r, pass);
}

static void *begin(const struct analysis *analysis, const struct event_query *query,
		   struct pass *pass)
{
	pass_init(pass, query);
	pass->stacks.find = runtime_stack;
	return pass_want(pass, analysis, NULL);
}

void *runtime_analyze(struct builder *b, const struct analysis *analysis,
		      const struct event_query *query, struct pass *pass)
{
	void *state = begin(analysis, query, pass);

	runtime_feed(b, pass);
	return state;
}

void *runtime_analyze_cut(struct builder *b, size_t size, const struct analysis *analysis,
			  struct pass *pass)
{
	void *state = begin(analysis, NULL, pass);
	struct reading r;

	build_close(b);
	build_end(b);
	r = read_bytes((struct literal){ b->bytes, size }, (struct reading_options){ 0 });
	builder_release(b);
	assert_false(r.totals.complete);
	feed_all(&r, pass);
	return state;
}

void runtime_waits(struct builder *b, uint64_t thread, int64_t now, uint64_t lock, uint64_t owner)
{
	struct builder p = { 0 };

	put_u8(&p, 0);
	put_u16(&p, 0);
	put_u64(&p, lock);
	put_u64(&p, lock + 1000);
	put_u64(&p, owner);
	runtime_event(b, 81, thread, now, &p);
}

void runtime_got_it_after(struct builder *b, uint64_t thread, int64_t now, double recorded_ns)
{
	struct builder p = { 0 };
	uint64_t bits;

	memcpy(&bits, &recorded_ns, sizeof(bits));
	put_u8(&p, 0);
	put_u16(&p, 0);
	put_u64(&p, bits);
	runtime_event(b, 91, thread, now, &p);
}
