/* SPDX-License-Identifier: MIT */
#include "analyze/span_time.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "model/samples_by_time.h"

#define SHORTEST_NS 1000000 /* of a gap that counts */
#define DEEPEST	    64	    /* nested activities; hostile ones may be cyclic */

/* Samples, awaits and spans are each in order of time; they are merged in one walk. */
struct merging {
	const struct model *model;
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

static void know_until(struct span_time *time, int64_t from_ns, int64_t to_ns)
{
	if (from_ns - time->known_until_ns >= SHORTEST_NS)
		time->unknown_ns += (uint64_t)(from_ns - time->known_until_ns);
	if (to_ns > time->known_until_ns)
		time->known_until_ns = to_ns;
}

static uint64_t *part_of(struct span_time *time, enum sample_kind kind)
{
	return kind == SAMPLE_EXTERNAL || kind == SAMPLE_SWITCH ? &time->blocked_ns : &time->cpu_ns;
}

/* Adds time to the activity's span and to all around it. `kind` is NULL for an await. */
static void add_time(struct merging *m, uint32_t activity, int64_t from_ns, int64_t size_ns,
		     const enum sample_kind *kind)
{
	for (int depth = 0; depth < DEEPEST && activity != MODEL_NONE; depth++) {
		const uint32_t number = m->open[activity];
		const struct model_span *span;
		struct span_time *time;
		int64_t to_ns = from_ns + size_ns;

		if (!number)
			return;
		span = &m->model->spans[number - 1];
		time = &m->times[number - 1];
		if (!is_over(span, from_ns)) {
			if (is_over(span, to_ns))
				to_ns = span->stop_ns;
			know_until(time, from_ns, to_ns);
			*(kind ? part_of(time, *kind) : &time->await_ns) +=
				(uint64_t)(to_ns - from_ns);
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
		if (task->await && !task->nested && task->started_ns > task->made_ns)
			add_time(m, task->activity, task->made_ns, task->started_ns - task->made_ns,
				 NULL);
	}
}

static void add_samples(struct merging *m, const struct sample_query *query)
{
	struct samples_by_time walk;
	struct model_sample sample;

	samples_by_time_begin(&walk, &m->model->samples, UNTIL_EVENT);
	while (samples_by_time_next(&walk, &sample)) {
		const int64_t ns = thread_time_weight(query, m->model, &sample, true);
		const enum sample_kind kind = sample.kind;

		if (ns <= 0 || !sample.activity)
			continue;
		add_awaits(m, sample.time_ns);
		open_spans(m, sample.time_ns);
		add_time(m, sample.activity - 1, sample.time_ns, ns, &kind);
	}
	samples_by_time_end(&walk);
}

struct span_time *span_time_of(const struct model *model, const struct sample_query *query)
{
	struct merging m = { .model = model };

	m.times = xcalloc(model->span_count + 1, sizeof(*m.times));
	m.open = xcalloc(model->activity_count + 1, sizeof(*m.open));
	add_samples(&m, query);
	add_awaits(&m, INT64_MAX);
	open_spans(&m, INT64_MAX);
	for (size_t i = 0; i < model->span_count; i++)
		if (model->spans[i].stop_ns == INT64_MIN)
			m.times[i].unknown_ns = 0;
		else
			know_until(&m.times[i], model->spans[i].stop_ns, model->spans[i].stop_ns);
	free(m.open);
	return m.times;
}
