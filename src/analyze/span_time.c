/* SPDX-License-Identifier: MIT */
#include "analyze/span_time.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/task_time.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"

#define SHORTEST_NS 1000000 /* of a gap that counts */
#define DEEPEST	    64	    /* nested activities; hostile ones may be cyclic */

/* Samples, awaits and spans are each in order of time; they are merged in one walk. */
struct merging {
	const struct model *model;
	const struct sample_query *query;
	struct span_time *times;
	uint32_t *open; /* by activity: its newest span + 1 */
	size_t next_span;
	size_t next_task;
};

static uint32_t activity_of(const struct model *model, const uint8_t id[static 16])
{
	const void *known = map_find(&model->activities_by_id, hash_bytes(id, 16));

	return known ? (uint32_t)((uintptr_t)known - 1) : MODEL_NONE;
}

static void open_spans(struct merging *m, int64_t now_ns)
{
	for (; m->next_span < m->model->span_count; m->next_span++) {
		const struct model_span *span = &m->model->spans[m->next_span];
		const uint32_t activity = activity_of(m->model, span->activity);

		if (span->start_ns > now_ns)
			return;
		m->times[m->next_span].known_until_ns = span->start_ns;
		if (activity != MODEL_NONE)
			m->open[activity] = (uint32_t)m->next_span + 1;
	}
}

static bool is_over(const struct model_span *span, int64_t now_ns)
{
	return span->stop_ns != INT64_MIN && span->stop_ns <= now_ns;
}

static void add_known(struct span_time *time, int64_t from_ns, int64_t to_ns)
{
	if (from_ns - time->known_until_ns >= SHORTEST_NS)
		time->unknown_ns += (uint64_t)(from_ns - time->known_until_ns);
	if (to_ns > time->known_until_ns)
		time->known_until_ns = to_ns;
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

/* Adds time to the activity's span and to all around it. */
static void add_time(struct merging *m, const struct spent *spent)
{
	const bool passes = sample_query_passes_stack(m->query, spent->stack);
	uint32_t activity = spent->activity;

	for (int depth = 0; depth < DEEPEST && activity != MODEL_NONE; depth++) {
		const uint32_t number = m->open[activity];
		const struct model_span *span;
		struct span_time *time;
		int64_t to_ns = spent->from_ns + spent->size_ns;

		if (!number)
			return;
		span = &m->model->spans[number - 1];
		time = &m->times[number - 1];
		if (!is_over(span, spent->from_ns)) {
			if (is_over(span, to_ns))
				to_ns = span->stop_ns;
			add_known(time, spent->from_ns, to_ns);
			if (passes)
				*(spent->kind ? part_of(time, *spent->kind) : &time->await_ns) +=
					(uint64_t)(to_ns - spent->from_ns);
		}
		activity = activity_of(m->model, span->parent);
	}
}

static void add_awaits(struct merging *m, int64_t now_ns)
{
	for (; m->next_task < m->model->task_count; m->next_task++) {
		const struct model_task *task = &m->model->tasks[m->next_task];

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

struct span_time *span_time_of(const struct model *model, const struct sample_query *query)
{
	struct merging m = { .model = model, .query = query };

	m.times = xcalloc(model->span_count + 1, sizeof(*m.times));
	m.open = xcalloc(model->activity_count + 1, sizeof(*m.open));
	add_samples(&m);
	add_awaits(&m, INT64_MAX);
	open_spans(&m, INT64_MAX);
	for (size_t i = 0; i < model->span_count; i++)
		if (model->spans[i].stop_ns == INT64_MIN)
			m.times[i].unknown_ns = 0;
		else
			add_known(&m.times[i], model->spans[i].stop_ns, model->spans[i].stop_ns);
	free(m.open);
	return m.times;
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

struct span_rows span_rows_of(const struct model *model, const struct sample_query *query)
{
	struct span_time *times = span_time_of(model, query);
	struct span_rows rows = { .rows = xcalloc(model->span_count + 1, sizeof(*rows.rows)) };
	struct map known = { 0 };

	for (size_t i = 0; i < model->span_count; i++) {
		const struct model_span *span = &model->spans[i];
		const uint64_t key = hash_u64((uintptr_t)span->name) ^ (uintptr_t)span->provider;
		const void *at = map_find(&known, key);

		if (!passes(model, query, span, &times[i]))
			continue;
		if (!at)
			map_put(&known, key, (void *)(uintptr_t)++rows.count);
		add_span(&rows.rows[at ? (uintptr_t)at - 1 : rows.count - 1], span, &times[i]);
	}
	map_release(&known);
	free(times);
	qsort(rows.rows, rows.count, sizeof(*rows.rows), by_time);
	return rows;
}

void span_rows_release(struct span_rows *rows)
{
	free(rows->rows);
	*rows = (struct span_rows){ 0 };
}
