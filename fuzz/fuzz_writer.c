/* SPDX-License-Identifier: MIT */
/*
 * What is written must be read back unchanged: the input is a sequence of calls to a writer,
 * and every event, kind, thread, stack and label must come back as it went in.
 *
 *	byte 0: bit 0 32-bit addresses | bits 1-2 group size: 64, 1024, 64 KiB, 1 MiB
 *	then calls: a byte for the call, then its arguments, zeros after the end
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cursor.h"
#include "perfpipe/nettrace_writer.h"

#define MOST_CALLS   4096u
#define MOST_KINDS   64u
#define MOST_THREADS 256u
#define MOST_TYPES   256u
#define MOST_STACK   300u
#define MOST_PAIRS   4u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An event as it must be read back. */
struct expected {
	size_t group;
	size_t ordinal;
	uint32_t kind;
	uint32_t thread; /* index in `threads` */
	int32_t cpu;
	int64_t ticks;
	uint64_t *stack;
	size_t stack_count;
	struct pp_labels labels;
	bool labelled;
	uint8_t *payload;
	size_t payload_size;
};

struct model {
	struct cursor c;
	struct pp_writer *w;
	bool narrow;
	struct buffer file;
	size_t group;
	struct pp_kind kinds[MOST_KINDS];
	uint32_t kind_count;
	struct pp_thread threads[MOST_THREADS];
	uint64_t handles[MOST_THREADS]; /* 0: ended */
	uint64_t lost[MOST_THREADS];
	uint32_t thread_count;
	struct pp_type types[MOST_TYPES];
	struct pp_field fields[MOST_TYPES];
	size_t type_count;
	struct expected *events;
	size_t event_count;
};

static void must(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "fuzz_writer: %s\n", what);
	abort();
}

static int to_file(void *context, const void *bytes, size_t size)
{
	buffer_bytes(context, bytes, size);
	return 0;
}

static const char *a_text(struct model *m)
{
	static const char *const texts[] = {
		"",   "a", "Start", "Zo\xc3\xab", "name", "\xf0\x9f\x92\xa9", "Universal.System",
		"key"
	};

	return texts[cursor_u8(&m->c) % 8];
}

static const struct pp_pair *some_pairs(struct model *m, size_t *count)
{
	static const struct pp_pair pairs[MOST_PAIRS + 4] = {
		{ "a", "b" }, { "", "" },  { "a", "c" }, { "Zo\xc3\xab", "1" },
		{ "x", "y" }, { "", "z" }, { "k", "v" }, { "a", "b" },
	};

	*count = cursor_u8(&m->c) % (MOST_PAIRS + 1);
	return *count ? pairs + cursor_u8(&m->c) % 4 : NULL;
}

static struct pp_fields some_fields(struct model *m, unsigned depth);

static struct pp_type a_type(struct model *m, unsigned depth)
{
	static const enum pp_type_code nested[] = { PP_TYPE_OBJECT, PP_TYPE_ARRAY,
						    PP_TYPE_FIXED_ARRAY, PP_TYPE_REL_LOC,
						    PP_TYPE_DATA_LOC };
	const uint8_t byte = cursor_u8(&m->c);
	struct pp_type type = { .code = byte % 32 };

	if (byte >= 160)
		type.code = nested[byte % 5];
	if (type.code == PP_TYPE_OBJECT)
		type.fields = some_fields(m, depth + 1);
	if (type.code == PP_TYPE_FIXED_ARRAY)
		type.count = cursor_u16(&m->c);
	if ((type.code == PP_TYPE_ARRAY || type.code == PP_TYPE_FIXED_ARRAY ||
	     type.code == PP_TYPE_REL_LOC || type.code == PP_TYPE_DATA_LOC) &&
	    m->type_count < MOST_TYPES) {
		struct pp_type *element = &m->types[m->type_count++];

		*element = a_type(m, depth + 1);
		type.element = element;
	}
	return type;
}

/* May be deeper, or have more types, than the format allows: then the kind is rejected. */
static struct pp_fields some_fields(struct model *m, unsigned depth)
{
	const size_t count = cursor_u8(&m->c) % 5;
	struct pp_field *list;

	if (depth > 40 || count > MOST_TYPES - m->type_count)
		return (struct pp_fields){ 0 };
	list = m->fields + m->type_count;
	m->type_count += count;
	for (size_t i = 0; i < count; i++) {
		const char *name = a_text(m);

		list[i] = (struct pp_field){ name, a_type(m, depth) };
	}
	return (struct pp_fields){ list, count };
}

static void add_kind(struct model *m)
{
	static const uint8_t guid[17] = "0123456789abcdef";
	const uint8_t which = cursor_u8(&m->c);
	struct pp_error err = { 0 };
	struct pp_kind kind = { .provider = a_text(m), .name = a_text(m), .opcode = -1 };
	uint32_t handle;

	kind.id = cursor_u32(&m->c);
	kind.version = which & 1 ? cursor_u8(&m->c) : 0;
	kind.level = which & 2 ? cursor_u16(&m->c) : 0;
	kind.opcode = which & 4 ? cursor_u8(&m->c) : -1;
	kind.keywords = which & 8 ? cursor_u64(&m->c) : 0;
	kind.provider_guid = which & 16 ? guid : NULL;
	kind.message = which & 32 ? a_text(m) : NULL;
	kind.description = which & 64 ? a_text(m) : NULL;
	if (which & 128)
		kind.pairs = some_pairs(m, &kind.pair_count);
	kind.fields = some_fields(m, 0);
	if (m->kind_count == MOST_KINDS)
		return;
	handle = pp_writer_kind(m->w, &kind, &err);
	must(!handle == !!err.code, "a kind is refused without a word");
	if (!handle)
		return;
	must(handle == m->kind_count + 1, "handles of kinds do not count up");
	m->kinds[m->kind_count++] = kind;
}

static void add_thread(struct model *m)
{
	const uint8_t which = cursor_u8(&m->c);
	struct pp_error err = { 0 };
	struct pp_thread thread = { .process_id = -1, .id = -1 };

	if (which & 1)
		thread.process_id = (int64_t)(cursor_u64(&m->c) >> 1);
	if (which & 2)
		thread.id = (int64_t)(cursor_u64(&m->c) >> 1);
	if (which & 4)
		thread.name = a_text(m);
	if (which & 8)
		thread.pairs = some_pairs(m, &thread.pair_count);
	if (m->thread_count == MOST_THREADS)
		return;
	m->handles[m->thread_count] = pp_writer_thread(m->w, &thread, &err);
	must(m->handles[m->thread_count], err.text);
	if (thread.process_id < 0)
		thread.process_id = 0; /* that of the header, which does not have one */
	m->threads[m->thread_count++] = thread;
}

static void a_label_pair(struct model *m, struct pp_label_pair *pair)
{
	pair->key = a_text(m);
	if (cursor_u8(&m->c) & 1)
		pair->text = a_text(m);
	else
		pair->number = cursor_i64(&m->c);
}

static void some_labels(struct model *m, struct pp_labels *labels)
{
	struct pp_label_pair *pairs = calloc(MOST_PAIRS, sizeof(*pairs));

	labels->present = cursor_u8(&m->c);
	labels->pair_count = cursor_u8(&m->c) % (MOST_PAIRS + 1);
	labels->pairs = pairs;
	for (size_t i = 0; i < labels->pair_count; i++)
		a_label_pair(m, &pairs[i]);
	labels->opcode = cursor_u8(&m->c);
	labels->level = cursor_u8(&m->c);
	labels->version = cursor_u8(&m->c);
	labels->activity_id[3] = cursor_u8(&m->c);
	labels->related_activity_id[0] = cursor_u8(&m->c);
	labels->trace_id[15] = cursor_u8(&m->c);
	labels->span_id = cursor_u16(&m->c);
	labels->keywords = cursor_u16(&m->c);
}

static void a_stack(struct model *m, struct expected *e)
{
	e->stack_count = cursor_u8(&m->c);
	if (e->stack_count == 255)
		e->stack_count = MOST_STACK;
	e->stack = calloc(e->stack_count + 1, sizeof(*e->stack));
	for (size_t i = 0; i < e->stack_count && i < 4; i++)
		e->stack[i] = cursor_u16(&m->c) * (m->narrow ? 1 : UINT64_C(0x100000001));
	if (m->narrow && cursor_u8(&m->c) == 1)
		e->stack[e->stack_count / 2] = UINT64_C(1)
					       << 33; /* must be rejected, if there is one */
}

static void a_payload(struct model *m, struct expected *e)
{
	e->payload_size = cursor_u8(&m->c);
	if (e->payload_size > 250)
		e->payload_size = cursor_u16(&m->c);
	e->payload = malloc(e->payload_size + 1);
	memset(e->payload, cursor_u8(&m->c), e->payload_size + 1);
}

static int64_t a_time(struct model *m, uint8_t how)
{
	const int64_t before = m->event_count ? m->events[m->event_count - 1].ticks : 0;

	if (how & 4)
		return cursor_i64(&m->c);
	return (int64_t)((uint64_t)before + (uint64_t)(int64_t)(int16_t)cursor_u16(&m->c));
}

static void free_expected(struct expected *e)
{
	free(e->stack);
	free(e->payload);
	free((void *)e->labels.pairs);
}

static bool may_be_written(const struct model *m, const struct expected *e)
{
	bool fits = e->kind && e->kind <= m->kind_count && m->handles[e->thread];

	for (size_t i = 0; i < e->stack_count; i++)
		fits &= !m->narrow || e->stack[i] <= UINT32_MAX;
	return fits;
}

static void add_event(struct model *m)
{
	const uint8_t how = cursor_u8(&m->c);
	struct expected e = { .kind = cursor_u8(&m->c) % (m->kind_count + 2u),
			      .thread = cursor_u8(&m->c) };
	const uint64_t capture = how & 8 ? m->handles[cursor_u8(&m->c)] : 0;
	struct pp_error err = { 0 };
	const size_t before = m->file.size;
	int result;

	e.cpu = how & 16 ? cursor_i32(&m->c) : -1;
	if (how & 1)
		a_stack(m, &e);
	e.labelled = how & 2;
	if (how & 2)
		some_labels(m, &e.labels);
	a_payload(m, &e);
	e.ticks = a_time(m, how);
	result = pp_writer_event(m->w,
				 &(struct pp_new_event){
					 .kind = e.kind,
					 .cpu = e.cpu,
					 .thread = m->handles[e.thread],
					 .capture_thread = capture,
					 .ticks = e.ticks,
					 .stack = e.stack,
					 .stack_count = e.stack_count,
					 .labels = e.labelled ? &e.labels : NULL,
					 .payload = e.payload,
					 .payload_size = e.payload_size,
				 },
				 &err);
	m->group += m->file.size != before; /* a group is flushed before something is added */
	must(!result == !err.code, "an event is refused without a word");
	must(!result == may_be_written(m, &e), result ? err.text : "an event is not refused");
	if (result) {
		free_expected(&e);
		return;
	}
	e.group = m->group;
	e.ordinal = m->event_count;
	m->events = realloc(m->events, (m->event_count + 1) * sizeof(e));
	m->events[m->event_count++] = e;
}

static void end_thread(struct model *m)
{
	const uint8_t thread = cursor_u8(&m->c);
	struct pp_error err = { 0 };
	const int result = pp_writer_thread_end(m->w, m->handles[thread], &err);

	must(!result == !!m->handles[thread], "the wrong thread ended");
	m->handles[thread] = 0;
}

static void lose(struct model *m)
{
	const uint8_t thread = cursor_u8(&m->c);
	const uint16_t count = cursor_u16(&m->c);
	struct pp_error err = { 0 };

	if (!pp_writer_lost(m->w, m->handles[thread], count, &err))
		m->lost[thread] += count;
}

static void flush(struct model *m)
{
	struct pp_error err = { 0 };

	must(!pp_writer_flush(m->w, &err), err.text);
	m->group++;
}

static void call(struct model *m)
{
	static void (*const calls[])(struct model *) = { add_event, add_event,	add_event,
							 add_kind,  add_thread, end_thread,
							 lose,	    flush };
	const size_t before = m->file.size;
	const uint8_t which = cursor_u8(&m->c) % 8;

	calls[which](m);
	if (which > 2 && which != 7)
		m->group += m->file.size != before;
}

static int by_group_and_time(const void *a, const void *b)
{
	const struct expected *l = a;
	const struct expected *r = b;

	if (l->group != r->group)
		return l->group < r->group ? -1 : 1;
	if (l->ticks != r->ticks)
		return l->ticks < r->ticks ? -1 : 1;
	return (l->ordinal > r->ordinal) - (l->ordinal < r->ordinal);
}

static bool same_text(const char *a, const char *b)
{
	return (!a && !b) || (a && b && !strcmp(a, b));
}

static void same_pairs(const struct pp_pair *a, const struct pp_pair *b, size_t count)
{
	for (size_t i = 0; i < count; i++)
		must(same_text(a[i].key, b[i].key) && same_text(a[i].value, b[i].value), "a pair");
}

static void same_type(const struct pp_type *a, const struct pp_type *b);

static void same_fields(struct pp_fields a, struct pp_fields b)
{
	must(a.count == b.count, "a count of fields");
	for (size_t i = 0; i < a.count; i++) {
		must(same_text(a.list[i].name, b.list[i].name), "a field's name");
		same_type(&a.list[i].type, &b.list[i].type);
	}
}

static void same_type(const struct pp_type *a, const struct pp_type *b)
{
	must(a->code == b->code && a->count == b->count && !a->element == !b->element, "a type");
	if (a->element)
		same_type(a->element, b->element);
	same_fields(a->fields, b->fields);
}

static void same_kind(const struct pp_kind *a, const struct pp_kind *b)
{
	must(same_text(a->provider, b->provider) && same_text(a->name, b->name), "a kind's name");
	must(a->id == b->id && a->version == b->version && a->level == b->level &&
		     a->opcode == b->opcode && a->keywords == b->keywords,
	     "a kind's numbers");
	must(!a->provider_guid == !b->provider_guid &&
		     (!a->provider_guid || !memcmp(a->provider_guid, b->provider_guid, 16)),
	     "a GUID");
	must(same_text(a->message, b->message) && same_text(a->description, b->description),
	     "a kind's texts");
	must(a->pair_count == b->pair_count, "a kind's count of pairs");
	same_pairs(a->pairs, b->pairs, a->pair_count);
	same_fields(a->fields, b->fields);
}

static void same_thread(const struct pp_thread *a, const struct pp_thread *b)
{
	must(a->id == b->id && a->process_id == b->process_id && same_text(a->name, b->name) &&
		     a->pair_count == b->pair_count,
	     "a thread");
	same_pairs(a->pairs, b->pairs, a->pair_count);
}

static void same_labels(const struct pp_labels *a, const struct pp_labels *b)
{
	const unsigned p = a->present;

	must(p == b->present && a->pair_count == b->pair_count, "which labels there are");
	must(!(p & PP_LABEL_OPCODE) || a->opcode == b->opcode, "opcode");
	must(!(p & PP_LABEL_LEVEL) || a->level == b->level, "level");
	must(!(p & PP_LABEL_VERSION) || a->version == b->version, "version");
	must(!(p & PP_LABEL_SPAN) || a->span_id == b->span_id, "span");
	must(!(p & PP_LABEL_KEYWORDS) || a->keywords == b->keywords, "keywords");
	must(!(p & PP_LABEL_ACTIVITY) || !memcmp(a->activity_id, b->activity_id, 16), "activity");
	must(!(p & PP_LABEL_RELATED) || !memcmp(a->related_activity_id, b->related_activity_id, 16),
	     "related activity");
	must(!(p & PP_LABEL_TRACE) || !memcmp(a->trace_id, b->trace_id, 16), "trace");
	for (size_t i = 0; i < a->pair_count; i++)
		must(same_text(a->pairs[i].key, b->pairs[i].key) &&
			     same_text(a->pairs[i].text, b->pairs[i].text) &&
			     a->pairs[i].number == b->pairs[i].number,
		     "a label");
}

static void same_event(const struct model *m, const struct expected *e, const struct pp_event *b)
{
	must(e->ticks == b->ticks, "time");
	must(e->cpu == b->cpu, "cpu");
	must(e->payload_size == b->payload_size && !memcmp(e->payload, b->payload, e->payload_size),
	     "payload");
	must(e->stack_count == (b->stack ? b->stack->count : 0), "depth of a stack");
	if (e->stack_count)
		must(!memcmp(e->stack, b->stack->addresses, e->stack_count * 8), "stack");
	must((e->labelled && (e->labels.present || e->labels.pair_count)) == !!b->labels,
	     "whether there are labels");
	if (b->labels)
		same_labels(&e->labels, b->labels);
	same_kind(&m->kinds[e->kind - 1], b->kind);
	same_thread(&m->threads[e->thread], b->thread);
}

static void check_end(const struct model *m, const struct pp_nettrace *trace, size_t events)
{
	const struct pp_trace_totals totals = pp_nettrace_totals(trace);
	uint64_t lost = 0;

	must(totals.complete, "complete");
	must(events == m->event_count, "a count of events");
	for (uint32_t i = 0; i < m->thread_count; i++) {
		const struct pp_thread *thread = pp_nettrace_thread(trace, i);

		must(thread && thread->lost == m->lost[i], "a thread and its losses");
		same_thread(&m->threads[i], thread);
		lost += m->lost[i];
	}
	must(totals.lost == lost, "losses");
}

static void read_back(const struct model *m)
{
	struct pp_nettrace *trace = pp_nettrace_new(NULL, &(struct pp_error){ 0 });
	struct pp_error err = { 0 };
	const struct pp_event *event;
	size_t events = 0;
	bool fed = false;
	enum pp_next next;

	while ((next = pp_nettrace_next(trace, &event, &err)) > PP_NEXT_END) {
		if (next == PP_NEXT_ITEM) {
			must(events < m->event_count, "more events than were written");
			same_event(m, &m->events[events++], event);
		} else if (!fed) {
			pp_nettrace_feed(trace, m->file.bytes, m->file.size);
			fed = true;
		} else {
			pp_nettrace_end(trace);
		}
	}
	must(next == PP_NEXT_END, err.text);
	check_end(m, trace, events);
	pp_nettrace_free(trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const size_t groups[] = { 64, 1024, 65536, 0 };
	struct model *m = calloc(1, sizeof(*m));
	struct pp_error err = { 0 };
	struct pp_writer_options options = { .size = sizeof(options),
					     .sink = { to_file, &m->file },
					     .ticks_per_second = 1000 };
	uint8_t how;

	m->c = cursor_over(data, size);
	how = cursor_u8(&m->c);
	m->narrow = how & 1;
	options.pointer_size = m->narrow ? 4 : 8;
	options.group_size = groups[how >> 1 & 3];
	m->w = pp_writer_new(&options, &err);
	must(m->w, err.text);
	for (unsigned i = 0; i < MOST_CALLS && cursor_left(&m->c); i++)
		call(m);
	must(!pp_writer_close(m->w, &err), err.text);
	if (m->event_count)
		qsort(m->events, m->event_count, sizeof(*m->events), by_group_and_time);
	read_back(m);
	for (size_t i = 0; i < m->event_count; i++)
		free_expected(&m->events[i]);
	free(m->events);
	buffer_release(&m->file);
	free(m);
	return 0;
}
