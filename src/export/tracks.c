/* SPDX-License-Identifier: MIT */
#include "export/tracks.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"

#define OTHER_TRACE 10000000 /* above what Linux gives away */
#define NO_ID	    9999999

/* Equal hashes of two threads would be one track, which nobody can bring about: see hash.h. */
static uint64_t key_of(uint32_t process, int64_t id)
{
	return hash_u64(hash_u64((uint64_t)id) + process);
}

static void add(struct tracks *tracks, const struct track *track)
{
	const uint64_t key = key_of(track->process, track->id);

	if (map_find(&tracks->by_id, key))
		return;
	tracks->list = xgrow(tracks->list, tracks->count, &tracks->capacity, sizeof(*tracks->list));
	tracks->list[tracks->count++] = *track;
	map_put(&tracks->by_id, key, (void *)(uintptr_t)tracks->count);
}

/* The one with the process's id, else its first, else one that is made for it. */
static void choose_main(struct tracks *tracks, const struct export_source *source)
{
	tracks->main = xcalloc(source->process_count + 1, sizeof(*tracks->main));
	for (size_t i = 0; i < source->process_count; i++)
		tracks->main[i] = UINT32_MAX;
	for (size_t i = tracks->count; i-- > 0;) {
		const struct track *track = &tracks->list[i];
		uint32_t *main = &tracks->main[track->process];
		const int64_t id = source->processes[track->process].id;

		if (*main == UINT32_MAX || track->id == id || tracks->list[*main].id != id)
			*main = (uint32_t)i;
	}
	for (uint32_t i = 0; i < source->process_count; i++)
		if (tracks->main[i] == UINT32_MAX) {
			tracks->main[i] = (uint32_t)tracks->count;
			add(tracks,
			    &(const struct track){ .process = i, .id = source->processes[i].id });
		}
}

static uint32_t fitting(uint64_t id)
{
	const uint32_t bits = id & INT32_MAX;

	return bits ? bits : NO_ID;
}

int64_t tracks_shown_id(const struct export_source *source, uint32_t process, int64_t id)
{
	const struct export_process *processes = source->processes;
	const uint32_t its = fitting((uint64_t)processes[process].id);
	uint64_t before = 0;

	for (uint32_t i = 0; i < process; i++)
		before += fitting((uint64_t)processes[i].id) == its;
	return fitting(fitting((uint64_t)id) + before * OTHER_TRACE);
}

uint32_t tracks_of_span(const struct tracks *tracks, const struct export_span *span)
{
	const void *found;

	if (!span->on_thread)
		return tracks->main[span->process];
	found = map_find(&tracks->by_id, key_of(span->process, span->thread_id));
	return (uint32_t)((uintptr_t)found - 1);
}

static void sort_spans(struct tracks *tracks, const struct export_source *source)
{
	size_t next = 0;

	tracks->spans = xcalloc(source->span_count + 1, sizeof(*tracks->spans));
	for (size_t i = 0; i < source->span_count; i++)
		tracks->list[tracks_of_span(tracks, &source->spans[i])].end++;
	for (size_t i = 0; i < tracks->count; i++) {
		const size_t count = tracks->list[i].end;

		tracks->list[i].first = tracks->list[i].end = next;
		next += count;
	}
	for (size_t i = 0; i < source->span_count; i++)
		tracks->spans[tracks->list[tracks_of_span(tracks, &source->spans[i])].end++] =
			(uint32_t)i;
}

void tracks_init(struct tracks *tracks, const struct export_source *source)
{
	*tracks = (struct tracks){ 0 };
	for (size_t i = 0; i < source->thread_count; i++)
		add(tracks, &(const struct track){ .process = source->threads[i].process,
						   .id = source->threads[i].id,
						   .name = source->threads[i].name,
						   .thread = &source->threads[i] });
	for (size_t i = 0; i < source->span_count; i++)
		if (source->spans[i].on_thread)
			add(tracks, &(const struct track){ .process = source->spans[i].process,
							   .id = source->spans[i].thread_id,
							   .name = source->spans[i].thread_name });
	choose_main(tracks, source);
	sort_spans(tracks, source);
}

void tracks_release(struct tracks *tracks)
{
	free(tracks->list);
	free(tracks->main);
	free(tracks->spans);
	map_release(&tracks->by_id);
}
