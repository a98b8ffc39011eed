/* SPDX-License-Identifier: MIT */
/*
 * anonymize.h - removes paths, arguments and texts of users from events.
 *
 * A text is overwritten with a token of the same length, the same for equal texts in all traces, so
 * that no layout changes. Names of methods, types, modules, counters and events, numbers, and the
 * last part of a path are kept; nothing is kept of bytes whose meaning is unknown.
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
	struct arena passing; /* of the current event */
};

void anonymizer_release(struct anonymizer *a);

/* The event's payload; valid until the next call. */
const struct buffer *anonymize_payload(struct anonymizer *a, const struct pp_trace_header *header,
				       const struct pp_event *event);

/* Valid until the next call; NULL for NULL. */
const struct pp_labels *anonymize_labels(struct anonymizer *a, const struct pp_labels *labels);

/* A copy whose texts live as long as the anonymizer. */
struct pp_thread anonymize_thread(struct anonymizer *a, const struct pp_thread *thread);

/* All of them; they live as long as the anonymizer. */
const struct pp_pair *anonymize_properties(struct anonymizer *a,
					   const struct pp_trace_header *header);

#endif
