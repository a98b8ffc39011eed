/* SPDX-License-Identifier: MIT */
#include "export/tracks.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "export/spans_kept.h"

#define OTHER_TRACE 10000000 /* above all ids of Linux */
#define NO_ID	    9999999

static void add(struct tracks *tracks, const struct track *track)
{
	const uint64_t key = tracks_key(track->process, track->id);

	if (map_find(&tracks->by_id, key))
		return;
	tracks->list = xgrow(tracks->list, tracks->count, &tracks->capacity, sizeof(*tracks->list));
	tracks->list[tracks->count++] = *track;
	map_put(&tracks->by_id, key, (void *)(uintptr_t)tracks->count);
}

/* The thread with the process's id, else its first, else a new one. */
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

uint32_t tracks_shown_id(const struct export_source *source, uint32_t process, int64_t id)
{
	const struct export_process *processes = source->processes;
	const uint32_t its = fitting((uint64_t)processes[process].id);
	uint64_t before = 0;

	for (uint32_t i = 0; i < process; i++)
		before += fitting((uint64_t)processes[i].id) == its;
	return fitting(fitting((uint64_t)id) + before * OTHER_TRACE);
}

uint32_t tracks_shown_process(const struct export_source *source, uint32_t process)
{
	return tracks_shown_id(source, process, source->processes[process].id);
}

static struct track *track_of(const struct tracks *tracks, const struct export_span *span)
{
	const void *found;

	if (!span->on_thread)
		return &tracks->list[tracks->main[span->process]];
	found = map_find(&tracks->by_id, tracks_key(span->process, span->thread_id));
	return &tracks->list[(uintptr_t)found - 1];
}

static void add_threads_of_spans(struct tracks *tracks)
{
	struct span_reader reader = { .source = tracks->source };
	const struct export_span *span;

	while ((span = span_next(&reader)))
		if (span->on_thread)
			add(tracks, &(const struct track){ .process = span->process,
							   .id = span->thread_id,
							   .name = span->thread_name });
	span_reader_release(&reader);
}

static void deal_spans(struct tracks *tracks)
{
	struct span_reader reader = { .source = tracks->source };
	struct spool *spool = &tracks->source->spool;
	const struct export_span *span;

	while ((span = span_next(&reader))) {
		struct track *track = track_of(tracks, span);
		uint8_t *at = reel_room(&track->spans, spool);

		memcpy(at, reader.heads[reader.part], sizeof(struct kept_span));
		reel_wrote(&track->spans, at + sizeof(struct kept_span));
		track->span_count++;
	}
	span_reader_release(&reader);
}

const struct export_span *track_next(struct track_reader *reader)
{
	if (!reader->reel.reel)
		reader->reel = (struct reel_reader){ .spool = &reader->source->spool,
						     .reel = &reader->track->spans };
	if (!reel_next(&reader->reel))
		return NULL;
	spans_show(reader->source, (const void *)reader->reel.at, &reader->shown);
	reader->reel.at += sizeof(struct kept_span);
	return &reader->shown.span;
}

void tracks_init(struct tracks *tracks, struct export_source *source)
{
	*tracks = (struct tracks){ .source = source };
	for (size_t i = 0; i < source->thread_count; i++)
		add(tracks, &(const struct track){ .process = source->threads[i].process,
						   .id = source->threads[i].id,
						   .name = source->threads[i].name,
						   .thread = &source->threads[i] });
	add_threads_of_spans(tracks);
	choose_main(tracks, source);
	deal_spans(tracks);
}

void tracks_release(struct tracks *tracks)
{
	for (size_t i = 0; i < tracks->count; i++)
		reel_release(&tracks->list[i].spans, &tracks->source->spool);
	xfree(tracks->list);
	xfree(tracks->main);
	map_release(&tracks->by_id);
}
