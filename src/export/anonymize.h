/* SPDX-License-Identifier: MIT */
/*
 * anonymize.h - events without paths, arguments and texts of users.
 *
 * A text is written over with a token of its own length, the same for equal texts in all
 * traces, so that no layout changes. Kept are names of methods, types, modules, counters and
 * events, and all numbers; of a path the last part stays. Of events that nobody describes, and
 * of bytes whose meaning nobody knows, nothing stays.
 *
 *	struct anonymizer anonymizer = { 0 };
 *	const struct buffer *payload = anonymize_payload(&anonymizer, header, event);
 *	anonymizer_release(&anonymizer);
 */
#ifndef EXPORT_ANONYMIZE_H
#define EXPORT_ANONYMIZE_H

#include "base/arena.h"
#include "base/buffer.h"
#include "payload/payload.h"
#include "perfpipe/nettrace.h"

struct anonymizer {
	struct plans plans;
	struct payload payload;
	struct buffer bytes;
	struct arena arena;   /* of names */
	struct arena passing; /* of the event at hand */
};

void anonymizer_release(struct anonymizer *a);

/* The event's payload; good until the next call. */
const struct buffer *anonymize_payload(struct anonymizer *a, const struct pp_trace_header *header,
				       const struct pp_event *event);

/* Good until the next call; NULL for NULL. */
const struct pp_labels *anonymize_labels(struct anonymizer *a, const struct pp_labels *labels);

/* A copy whose texts live as long as the anonymizer. */
struct pp_thread anonymize_thread(struct anonymizer *a, const struct pp_thread *thread);

/* As many as there are; they live as long as the anonymizer. */
const struct pp_pair *anonymize_properties(struct anonymizer *a,
					   const struct pp_trace_header *header);

#endif
