/* SPDX-License-Identifier: MIT */
/*
 * Writes a group whose events were not added in order of time: they are read back from their block,
 * sorted, renumbered and compressed again. A gap in a thread's numbers stays before the same event.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/cursor.h"
#include "nettrace/write_group.h"

struct ordered {
	struct event_header header; /* `sequence` is the gap before it */
	struct thread_slot *capture;
	const uint8_t *payload;
};

struct key {
	int64_t ticks;
	size_t index; /* in the order they were added */
};

struct sorting {
	struct ordered *events;
	struct key *keys;
	struct key *spare; /* as long as `keys` */
	struct thread_slot **threads;
	struct buffer block;
};

static int by_serial(const void *a, const void *b)
{
	const struct thread_slot *const *left = a;
	const struct thread_slot *const *right = b;

	return ((*left)->serial > (*right)->serial) - ((*left)->serial < (*right)->serial);
}

/* The end of the run, in which time goes forward, that begins here. */
static size_t run_end(const struct key *keys, size_t begin, size_t count)
{
	while (++begin < count && keys[begin - 1].ticks <= keys[begin].ticks)
		;
	return begin < count ? begin : count;
}

static void merge(const struct key *from, size_t middle, size_t end, struct key *to)
{
	size_t left = 0;
	size_t right = middle;

	for (size_t i = 0; i < end; i++) /* at equal times, the one added first */
		to[i] = left < middle && (right == end || from[left].ticks <= from[right].ticks)
				? from[left++]
				: from[right++];
}

/* Merges pairs of runs; true if one run is left. */
static bool merge_runs(const struct key *from, size_t count, struct key *to)
{
	size_t end;

	for (size_t begin = 0; begin < count; begin = end) {
		const size_t middle = run_end(from, begin, count);

		end = middle < count ? run_end(from, middle, count) : count;
		merge(from + begin, middle - begin, end - begin, to + begin);
		if (begin == 0 && end == count)
			return true;
	}
	return false;
}

/* A natural merge sort: events often come as a few runs, one per CPU. */
static void sort(struct sorting *s, size_t count)
{
	bool done = false;

	while (!done) {
		struct key *from = s->keys;

		done = merge_runs(from, count, s->spare);
		s->keys = s->spare;
		s->spare = from;
	}
}

/* The threads of the group by serial number, with `sequence` as it was before the group. */
static struct thread_slot **active_threads(struct pp_writer *w)
{
	struct thread_slot **list =
		try_realloc(NULL, w->active_count, sizeof(struct thread_slot *));

	for (size_t i = 0; list && i < w->active_count; i++) {
		list[i] = &w->threads[w->active[i]];
		list[i]->sequence = list[i]->before;
	}
	if (list)
		qsort(list, w->active_count, sizeof(struct thread_slot *), by_serial);
	return list;
}

static struct thread_slot *find_thread(struct thread_slot **list, size_t count, uint64_t serial)
{
	const struct thread_slot key = { .serial = (uint32_t)serial };
	const struct thread_slot *wanted = &key;
	struct thread_slot **found =
		bsearch(&wanted, list, count, sizeof(struct thread_slot *), by_serial);

	return *found;
}

/* The inverse of header_put(), on trusted bytes. */
static void read_header(struct cursor *c, struct event_header *h)
{
	const uint8_t flags = cursor_u8(c);

	if (flags & HEADER_KIND)
		h->kind = cursor_varint32(c);
	h->sequence++;
	if (flags & HEADER_SEQUENCE) {
		h->sequence += cursor_varint32(c);
		h->capture = cursor_varint64(c);
		h->cpu = cursor_varint32(c);
	}
	if (flags & HEADER_THREAD)
		h->thread = cursor_varint64(c);
	if (flags & HEADER_STACK)
		h->stack = cursor_varint32(c);
	h->ticks += cursor_varint64(c);
	if (flags & HEADER_LABELS)
		h->labels = cursor_varint32(c);
	if (flags & HEADER_PAYLOAD_SIZE)
		h->payload_size = cursor_varint32(c);
}

static void read_events(struct pp_writer *w, struct sorting *s)
{
	const struct buffer *b = &w->out[OUT_EVENTS];
	struct cursor c = cursor_over(b->bytes, b->size);
	struct event_header header = { 0 };
	struct thread_slot *capture = NULL;

	cursor_bytes(&c, BLOCK_HEADER + EVENT_HEAD);
	for (size_t i = 0; i < w->group_events; i++) {
		struct ordered *event = &s->events[i];

		read_header(&c, &header);
		if (!capture || capture->serial != header.capture)
			capture = find_thread(s->threads, w->active_count, header.capture);
		*event = (struct ordered){ header, capture, cursor_bytes(&c, header.payload_size) };
		event->header.sequence = header.sequence - capture->sequence - 1;
		capture->sequence = header.sequence;
		s->keys[i] = (struct key){ (int64_t)header.ticks, i };
	}
}

static void write_block(struct pp_writer *w, struct buffer *b, int64_t oldest, int64_t newest)
{
	event_block_head(b, oldest, newest);
	group_write(w, b, EVENTS_KIND);
	buffer_rewind(b, BLOCK_HEADER + EVENT_HEAD);
}

static void put_event(struct buffer *b, const struct event_header *last,
		      const struct ordered *event)
{
	uint8_t *at = buffer_room(b, HEADER_MOST);

	if (!at)
		return;
	buffer_wrote(b, header_put(at, last, &event->header));
	buffer_bytes(b, event->payload, event->header.payload_size);
}

/* Compressed again, events may need more space than the group had: then a new block begins. */
static void write_events(struct pp_writer *w, struct sorting *s)
{
	struct buffer *b = &s->block;
	struct event_header last = { 0 };
	int64_t oldest = s->keys[0].ticks;

	buffer_take(b, BLOCK_HEADER + EVENT_HEAD);
	for (size_t i = 0; i < w->group_events && !b->failed; i++) {
		struct ordered *event = &s->events[s->keys[i].index];

		if (b->size > w->event_limit) {
			write_block(w, b, oldest, (int64_t)last.ticks);
			last = (struct event_header){ 0 };
			oldest = s->keys[i].ticks;
		}
		event->header.sequence = event->capture->sequence += event->header.sequence + 1;
		put_event(b, &last, event);
		last = event->header;
	}
	write_block(w, b, oldest, (int64_t)last.ticks);
	if ((int64_t)last.ticks > w->newest)
		w->newest = (int64_t)last.ticks;
}

static void write_sorted(struct pp_writer *w, struct sorting *s)
{
	read_events(w, s);
	sort(s, w->group_events);
	for (size_t i = 0; i < w->active_count; i++)
		s->threads[i]->sequence = s->threads[i]->before;
	write_events(w, s);
}

void group_write_ordered(struct pp_writer *w)
{
	struct sorting s = {
		.events = try_realloc(NULL, w->group_events, sizeof(*s.events)),
		.keys = try_realloc(NULL, w->group_events, sizeof(*s.keys)),
		.spare = try_realloc(NULL, w->group_events, sizeof(*s.spare)),
		.threads = active_threads(w),
	};

	if (s.events && s.keys && s.spare && s.threads)
		write_sorted(w, &s);
	else
		writer_no_memory(w, &w->failure);
	buffer_release(&s.block);
	xfree(s.threads);
	xfree(s.spare);
	xfree(s.keys);
	xfree(s.events);
}
