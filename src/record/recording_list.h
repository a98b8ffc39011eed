/* SPDX-License-Identifier: MIT */
/*
 * recording_list.h - recordings that have ended, and those that were asked to stop.
 *
 *	struct recording_list list = { 0 };
 *
 *	recording_list_add(&list, recording);	(for each; it stays)
 *	render_json.render(&(const struct result){ .kind = &recording_list_kind, .data = &list },
 *			   &options, &out);
 *	recording_list_release(&list);
 */
#ifndef RECORD_RECORDING_LIST_H
#define RECORD_RECORDING_LIST_H

#include "record/recording.h"
#include "report/result.h"

/* A recording; of one that was asked to stop only the process and the file are known. */
struct recording_row {
	int64_t process_id;
	const char *name;   /* of the process */
	const char *output; /* the last file, or NULL */
	uint64_t bytes, events, events_lost;
	bool events_lost_at_least;
	int64_t duration_ns;
	const char *stopped_by;
	bool complete;
	struct result_rows files;
};

struct recording_list {
	struct recording_row *list;
	size_t capacity;
	struct result_rows recordings;
	struct arena arena;
};

extern const struct result_kind recording_list_kind, stopped_list_kind, manifest_kind;

void recording_list_add(struct recording_list *list, const struct recording *recording);
void recording_list_add_stopped(struct recording_list *list, long process_id, const char *path);
void recording_list_release(struct recording_list *list);

#endif
