/* SPDX-License-Identifier: MIT */
#include "analyze/sample_query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/guid.h"
#include "clr/activity_path.h"

/* After the slashes and the process in front. */
static const char *numbers_of(const char *path)
{
	path += strspn(path, "/");
	if (*path == '#') {
		path += strcspn(path, "/");
		path += strspn(path, "/");
	}
	return path;
}

/* The wanted path, with or without slashes around it, is equal to `path` or around it. */
static bool is_inside(const char *path, const char *wanted)
{
	size_t size;

	path = numbers_of(path);
	wanted = numbers_of(wanted);
	size = strlen(wanted);
	while (size && wanted[size - 1] == '/')
		size--;
	return size && !strncmp(path, wanted, size) && path[size] == '/';
}

/* The wanted id as a path, so that nested activities are found, too. */
static void wanted_path(const struct sample_query *query, const struct model *model,
			int64_t process_id, char path[static ACTIVITY_PATH_SIZE])
{
	char guid[GUID_TEXT_SIZE];

	snprintf(path, ACTIVITY_PATH_SIZE, "%s", query->activity);
	for (size_t i = 0; i < model->activity_count; i++) {
		guid_text(model->activities[i], guid);
		if (!strcasecmp(guid, query->activity)) {
			activity_path(model->activities[i], process_id, path);
			return;
		}
	}
}

bool sample_query_find_activities(struct sample_query *query, const struct model *model)
{
	const int64_t process_id = model->process_count ? model->processes[0].id : -1;
	char wanted[ACTIVITY_PATH_SIZE];
	char path[ACTIVITY_PATH_SIZE];
	char guid[GUID_TEXT_SIZE];
	bool any = false;

	wanted_path(query, model, process_id, wanted);
	query->activities = xcalloc(model->activity_count + 1, sizeof(*query->activities));
	for (size_t i = 0; i < model->activity_count; i++) {
		guid_text(model->activities[i], guid);
		query->activities[i] = !strcasecmp(guid, query->activity) ||
				       (activity_path(model->activities[i], process_id, path) &&
					is_inside(path, wanted));
		any |= query->activities[i];
	}
	return any;
}

void sample_query_release(struct sample_query *query)
{
	xfree(query->activities);
	query->activities = NULL;
}

bool sample_query_passes_at(const struct sample_query *query, const struct model *model,
			    uint32_t thread, int64_t time_ns)
{
	const struct model_thread *t = &model->threads[thread];

	return event_query_passes_thread(&query->events, model->processes[t->process].id, t->id,
					 time_ns);
}

int64_t sample_query_length_ns(const struct sample_query *query, const struct model *model)
{
	const int64_t from_ns = event_query_from(&query->events, model->first_ns);
	const int64_t to_ns = event_query_to(&query->events, model->last_ns);

	return to_ns > from_ns ? to_ns - from_ns : 0;
}

bool sample_query_passes_stack(const struct sample_query *query, uint32_t stack)
{
	return !query->stacks || calltree_node(query->stacks, stack) != MODEL_NONE;
}

bool sample_query_passes_activity(const struct sample_query *query, uint32_t activity)
{
	return !query->activities || (activity != MODEL_NONE && query->activities[activity]);
}

bool sample_query_passes(const struct sample_query *query, const struct model *model,
			 const struct model_sample *sample)
{
	return sample_query_passes_at(query, model, sample->thread, sample->time_ns) &&
	       sample_query_passes_activity(query,
					    sample->activity ? sample->activity - 1 : MODEL_NONE) &&
	       sample_query_passes_stack(query, sample->stack);
}

int64_t sample_query_weight(const struct sample_query *query, const struct model *model,
			    const struct model_sample *sample)
{
	if (!sample_query_passes(query, model, sample))
		return -1;
	if (query->events.to_ns == INT64_MAX ||
	    sample->time_ns + sample->weight <= query->events.to_ns)
		return sample->weight;
	return query->events.to_ns - sample->time_ns;
}

uint32_t sample_query_process(const struct sample_query *query, const struct model *model)
{
	struct sample_walk walk;
	struct model_sample sample;
	uint32_t only = MODEL_NONE;
	bool several = false;

	if (model->process_count == 1)
		return 0;
	sample_walk_begin(&walk, &model->samples, UNTIL_NOTHING);
	while (!several && sample_walk_next(&walk, &sample)) {
		const uint32_t process = model->threads[sample.thread].process;

		if (process == only || !sample_query_passes(query, model, &sample))
			continue;
		several = only != MODEL_NONE;
		only = process;
	}
	sample_walk_end(&walk);
	return several ? MODEL_NONE : only;
}
