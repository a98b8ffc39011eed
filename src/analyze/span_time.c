/* SPDX-License-Identifier: MIT */
#include "analyze/span_time.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/task_time.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/merge_heap.h"

#define SHORTEST_NS 1000000 /* of a gap that counts */
#define DEEPEST	    64	    /* nested activities; hostile ones may be cyclic */

/* A span to which time may still be added, or a free one. */
struct open_span {
	struct model_span span;
	struct span_time time;
	uint32_t activity; /* or MODEL_NONE */
	uint32_t next;	   /* free one: place + 1 */
	bool free;
};

struct activity_state {
	uint32_t span;	 /* its newest span, unless that is over: place + 1 */
	uint32_t around; /* activity around that span + 1; 0: none */
};

/* Samples, awaits and spans are each in order of time; they are merged in one walk. */
struct merging {
	const struct model *model;
	const struct sample_query *query;
	span_time_take *take;
	void *to;

	struct activity_state *activities; /* by number */
	struct open_span *open;
	size_t open_count, open_capacity;
	uint32_t first_free;	/* place + 1 */
	struct merge_heap ends; /* of open spans, by their places */

	struct span_walk spans;
	struct model_span span; /* the next one, if `has_span` */
	bool has_span;
	struct task_walk tasks;
	struct model_task task; /* the next one, if `has_task` */
	bool has_task;
};

static uint32_t activity_of(const struct model *model, const uint8_t id[static 16])
{
	const void *known = map_find(&model->activities_by_id, hash_bytes(id, 16));

	return known ? (uint32_t)((uintptr_t)known - 1) : MODEL_NONE;
}

static void add_known(struct span_time *time, int64_t from_ns, int64_t to_ns)
{
	if (from_ns - time->known_until_ns >= SHORTEST_NS)
		time->unknown_ns += (uint64_t)(from_ns - time->known_until_ns);
	if (to_ns > time->known_until_ns)
		time->known_until_ns = to_ns;
}

static bool is_over(const struct model_span *span, int64_t now_ns)
{
	return span->stop_ns != INT64_MIN && span->stop_ns <= now_ns;
}

static uint32_t new_place(struct merging *m)
{
	const uint32_t place = m->first_free - 1;

	if (m->first_free) {
		m->first_free = m->open[place].next;
		return place;
	}
	m->open = xgrow(m->open, m->open_count, &m->open_capacity, sizeof(*m->open));
	return (uint32_t)m->open_count++;
}

/* All of its time is known. */
static void close_span(struct merging *m, uint32_t place)
{
	struct open_span *open = &m->open[place];

	if (open->span.stop_ns == INT64_MIN)
		open->time.unknown_ns = 0;
	else
		add_known(&open->time, open->span.stop_ns, open->span.stop_ns);
	if (open->activity != MODEL_NONE && m->activities[open->activity].span == place + 1)
		m->activities[open->activity].span = 0;
	m->take(m->to, &open->span, &open->time);
	*open = (struct open_span){ .next = m->first_free, .free = true };
	m->first_free = place + 1;
}

static void close_spans(struct merging *m, int64_t now_ns)
{
	while (m->ends.count && m->ends.heap[0].time <= now_ns) {
		const uint32_t place = m->ends.heap[0].number;

		merge_heap_next(&m->ends, false, 0);
		close_span(m, place);
	}
}

/* From now on, the activity's time is that of its newest span. */
static void enter_span(struct merging *m, uint32_t place)
{
	const struct open_span *open = &m->open[place];
	struct activity_state *state = &m->activities[open->activity];
	const uint32_t around = activity_of(m->model, open->span.parent);
	const uint32_t before = state->span;

	state->span = place + 1;
	state->around = around == MODEL_NONE ? 0 : around + 1;
	if (before && m->open[before - 1].span.stop_ns == INT64_MIN)
		close_span(m, before - 1);
}

static void open_span(struct merging *m, const struct model_span *span)
{
	const uint32_t place = new_place(m);

	m->open[place] = (struct open_span){ .span = *span,
					     .time.known_until_ns = span->start_ns,
					     .activity = activity_of(m->model, span->activity) };
	if (span->stop_ns != INT64_MIN)
		merge_heap_add(&m->ends, span->stop_ns, place);
	if (m->open[place].activity != MODEL_NONE)
		enter_span(m, place);
}

static void open_spans(struct merging *m, int64_t now_ns)
{
	while (m->has_span && m->span.start_ns <= now_ns) {
		close_spans(m, m->span.start_ns);
		open_span(m, &m->span);
		m->has_span = span_walk_next(&m->spans, &m->span);
	}
	close_spans(m, now_ns);
}

static uint64_t *part_of(struct span_time *time, enum sample_kind kind)
{
	if (kind == SAMPLE_READY)
		return &time->ready_ns;
	return kind == SAMPLE_EXTERNAL || kind == SAMPLE_SWITCH ? &time->blocked_ns : &time->cpu_ns;
}

/* Time that a thread spent, or that an await took. */
struct spent {
	uint32_t activity;
	uint32_t stack;
	int64_t from_ns;
	int64_t size_ns;
	const enum sample_kind *kind; /* NULL: an await */
};

/* Adds time to a span in which it was spent. */
static void add_to_span(struct open_span *open, const struct spent *spent, bool passes)
{
	int64_t to_ns = spent->from_ns + spent->size_ns;

	if (is_over(&open->span, spent->from_ns))
		return;
	if (is_over(&open->span, to_ns))
		to_ns = open->span.stop_ns;
	add_known(&open->time, spent->from_ns, to_ns);
	if (passes)
		*(spent->kind ? part_of(&open->time, *spent->kind) : &open->time.await_ns) +=
			(uint64_t)(to_ns - spent->from_ns);
}

/* Adds time to the activity's span and to all around it. */
static void add_time(struct merging *m, const struct spent *spent)
{
	const bool passes = sample_query_passes_stack(m->query, spent->stack);
	uint32_t activity = spent->activity;

	for (int depth = 0; depth < DEEPEST && activity != MODEL_NONE; depth++) {
		const struct activity_state *state = &m->activities[activity];

		if (state->span)
			add_to_span(&m->open[state->span - 1], spent, passes);
		activity = state->around ? state->around - 1 : MODEL_NONE;
	}
}

static void add_awaits(struct merging *m, int64_t now_ns)
{
	for (; m->has_task; m->has_task = task_walk_next(&m->tasks, &m->task)) {
		const struct model_task *task = &m->task;

		if (task->made_ns > now_ns)
			return;
		open_spans(m, task->made_ns);
		if (task_awaited_ns(task) > 0)
			add_time(m, &(const struct spent){ .activity = task->activity,
							   .stack = task->joined,
							   .from_ns = task->made_ns,
							   .size_ns = task_awaited_ns(task) });
	}
}

/* At whatever stack: time elsewhere is not unknown. */
static void add_samples(struct merging *m)
{
	struct sample_query query = *m->query;
	struct samples_by_time walk;
	struct model_sample sample;

	query.stacks = NULL;
	samples_by_time_begin(&walk, &m->model->samples, UNTIL_EVENT);
	while (samples_by_time_next(&walk, &sample)) {
		const int64_t ns = thread_time_weight(&query, m->model, &sample, true);
		const enum sample_kind kind = sample.kind;

		if (ns <= 0 || !sample.activity)
			continue;
		add_awaits(m, sample.time_ns);
		open_spans(m, sample.time_ns);
		add_time(m, &(const struct spent){ .activity = sample.activity - 1,
						   .stack = sample.stack,
						   .from_ns = sample.time_ns,
						   .size_ns = ns,
						   .kind = &kind });
	}
	samples_by_time_end(&walk);
}

static void merge(struct merging *m)
{
	add_samples(m);
	add_awaits(m, INT64_MAX);
	open_spans(m, INT64_MAX);
	for (uint32_t i = 0; i < m->open_count; i++)
		if (!m->open[i].free)
			close_span(m, i);
}

void span_times(const struct model *model, const struct sample_query *query, span_time_take *take,
		void *to)
{
	struct merging m = { .model = model, .query = query, .take = take, .to = to };

	m.activities = xcalloc(model->activity_count + 1, sizeof(*m.activities));
	span_walk_begin(&m.spans, &model->spans);
	m.has_span = span_walk_next(&m.spans, &m.span);
	task_walk_begin(&m.tasks, &model->tasks);
	m.has_task = task_walk_next(&m.tasks, &m.task);
	merge(&m);
	span_walk_end(&m.spans);
	task_walk_end(&m.tasks);
	merge_heap_release(&m.ends);
	xfree(m.activities);
	xfree(m.open);
}

static int by_time(const void *left, const void *right)
{
	const struct span_row *a = left;
	const struct span_row *b = right;

	if (a->total_ns != b->total_ns)
		return a->total_ns < b->total_ns ? 1 : -1;
	return strcmp(a->name, b->name) ? strcmp(a->name, b->name)
					: strcmp(a->provider, b->provider);
}

static void add_span(struct span_row *row, const struct model_span *span,
		     const struct span_time *time)
{
	const uint64_t size =
		span->stop_ns > span->start_ns ? (uint64_t)(span->stop_ns - span->start_ns) : 0;

	row->provider = span->provider;
	row->name = span->name;
	row->count++;
	if (span->stop_ns == INT64_MIN)
		row->unfinished++;
	row->total_ns += size;
	row->time.cpu_ns += time->cpu_ns;
	row->time.ready_ns += time->ready_ns;
	row->time.blocked_ns += time->blocked_ns;
	row->time.await_ns += time->await_ns;
	row->time.unknown_ns += time->unknown_ns;

	if (size > row->longest_ns)
		row->longest_ns = size;
}

static bool passes(const struct model *model, const struct sample_query *query,
		   const struct model_span *span, const struct span_time *time)
{
	return sample_query_passes_at(query, model, span->thread, span->start_ns) &&
	       sample_query_passes_activity(query, activity_of(model, span->activity)) &&
	       (!query->stacks || time->cpu_ns || time->ready_ns || time->blocked_ns ||
		time->await_ns);
}

struct adding_rows {
	const struct model *model;
	const struct sample_query *query;
	struct span_rows rows;
	struct map known; /* by name and provider: number + 1 */
};

static void add_to_row(void *to, const struct model_span *span, const struct span_time *time)
{
	struct adding_rows *adding = to;
	struct span_rows *rows = &adding->rows;
	const uint64_t key = hash_u64((uintptr_t)span->name) ^ (uintptr_t)span->provider;
	uintptr_t row = (uintptr_t)map_find(&adding->known, key);

	if (!passes(adding->model, adding->query, span, time))
		return;
	if (!row) {
		rows->rows = xgrow(rows->rows, rows->count, &rows->capacity, sizeof(*rows->rows));
		rows->rows[rows->count] = (struct span_row){ 0 };
		row = ++rows->count;
		map_put(&adding->known, key, (void *)row);
	}
	add_span(&rows->rows[row - 1], span, time);
}

struct span_rows span_rows_of(const struct model *model, const struct sample_query *query)
{
	struct adding_rows adding = { .model = model, .query = query };

	span_times(model, query, add_to_row, &adding);
	map_release(&adding.known);
	if (adding.rows.rows)
		qsort(adding.rows.rows, adding.rows.count, sizeof(*adding.rows.rows), by_time);
	return adding.rows;
}

void span_rows_release(struct span_rows *rows)
{
	xfree(rows->rows);
	*rows = (struct span_rows){ 0 };
}
