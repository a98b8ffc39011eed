/* SPDX-License-Identifier: MIT */
#include "record/recording_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define ROW struct recording_row

static const struct result_field recording_fields[] = {
	FIELD(ROW, process_id, "process_id", NULL, UNIT_ID),
	FIELD(ROW, name, "process_name", NULL, UNIT_TEXT),
	FIELD(ROW, output, "file", NULL, UNIT_TEXT, .flags = OR_NULL),
	FIELD(ROW, bytes, "size_bytes", NULL, UNIT_SIZE),
	FIELD(ROW, duration_ns, "duration_ns", NULL, UNIT_TIME),
	FIELD(ROW, events, "events", NULL, UNIT_COUNT),
	FIELD(ROW, events_lost, "events_lost", NULL, UNIT_COUNT),
	FIELD(ROW, events_lost_at_least, "events_lost_at_least", NULL, UNIT_FLAG),
	FIELD(ROW, stopped_by, "stopped_by", NULL, UNIT_TEXT),
	FIELD(ROW, complete, "complete", NULL, UNIT_FLAG),
	FIELD(ROW, files, "files", NULL, UNIT_TEXTS),
	FIELD_END,
};
static const struct result_field stopped_fields[] = {
	FIELD(ROW, process_id, "process_id", NULL, UNIT_ID),
	FIELD(ROW, output, "file", NULL, UNIT_TEXT),
	FIELD_END,
};

/* clang-format off */
#define RECORDINGS(fields_) \
	SHAPE(((const struct result_field[]){ \
		LIST(struct recording_list, recordings, "recordings", NULL, SHAPE(fields_)), \
		FIELD_END, \
	}))
/* clang-format on */

const struct result_kind recording_list_kind = {
	.name = "collect",
	.version = 1,
	.summary = "recordings that have ended",
	.shape = RECORDINGS(recording_fields),
};

const struct result_kind stopped_list_kind = {
	.name = "stop",
	.version = 1,
	.summary = "recordings that were stopped",
	.shape = RECORDINGS(stopped_fields),
};

/* Written by manifest_write(), which is below results; a test compares the two. */
static const struct result_field manifest_fields[] = {
	COMPUTED("file", NULL, UNIT_TEXT),
	COMPUTED("size_bytes", NULL, UNIT_SIZE),
	COMPUTED("sha256", NULL, UNIT_TEXT),
	COMPUTED("process_id", NULL, UNIT_ID),
	COMPUTED("process_name", NULL, UNIT_TEXT, .flags = OR_NULL),
	COMPUTED("runtime", NULL, UNIT_TEXT, .flags = OR_NULL),
	COMPUTED("distribution", NULL, UNIT_TEXT, .flags = OR_NULL),
	COMPUTED("kernel", NULL, UNIT_TEXT, .flags = OR_NULL),
	COMPUTED("architecture", NULL, UNIT_TEXT, .flags = OR_NULL),
	COMPUTED("container", NULL, UNIT_TEXT, .flags = OR_NULL),
	COMPUTED("image", NULL, UNIT_TEXT, .flags = OR_NULL),
	COMPUTED("start_time", NULL, UNIT_TEXT),
	COMPUTED("end_time", NULL, UNIT_TEXT),
	COMPUTED("command", NULL, UNIT_TEXT, .flags = OR_NULL),
	COMPUTED("stopped_by", NULL, UNIT_TEXT, .flags = OR_NULL),
	COMPUTED("events", NULL, UNIT_COUNT),
	COMPUTED("events_lost", NULL, UNIT_COUNT),
	COMPUTED("events_lost_at_least", NULL, UNIT_FLAG),
	FIELD_END,
};
static const struct result_shape manifest_shape = { manifest_fields, NULL };

const struct result_kind manifest_kind = {
	.name = "manifest",
	.version = 1,
	.summary = "the file beside a recording that describes it",
	.shape = &manifest_shape,
};

static void add(struct recording_list *list, const struct recording_row *row)
{
	const size_t count = list->recordings.count;

	list->list = xgrow(list->list, count, &list->capacity, sizeof(*list->list));
	list->list[count] = *row;
	list->recordings = ROWS_OF(list->list, count + 1);
}

void recording_list_add(struct recording_list *list, const struct recording *recording)
{
	const struct recording_totals totals = recording_totals(recording);
	const size_t files = recording->file_count;

	add(list, &(struct recording_row){
			  .process_id = recording->process_id,
			  .name = recording->name,
			  .output = files ? recording->files[files - 1] : NULL,
			  .bytes = totals.bytes,
			  .events = totals.events,
			  .events_lost = totals.lost,
			  .events_lost_at_least = totals.lost_at_least,
			  .duration_ns = totals.elapsed_ns,
			  .stopped_by = stop_reason_text(recording->reason),
			  .complete = !recording->incomplete,
			  .files = ROWS_AT((const void *)recording->files, files),
		  });
}

void recording_list_add_stopped(struct recording_list *list, long process_id, const char *path)
{
	add(list,
	    &(struct recording_row){ .process_id = process_id,
				     .output = arena_text(&list->arena, path, strlen(path)) });
}

void recording_list_release(struct recording_list *list)
{
	xfree(list->list);
	arena_release(&list->arena);
}
