/* SPDX-License-Identifier: MIT */
/*
 * event_format.h - events as text: what a format of `perfpipe events` must offer.
 *
 * A format appends one event after the other to `out`, which the caller writes. To add a format:
 * a file that defines a `const struct event_format`, and a line in event_formats.c.
 *
 *	struct event_output output = { 0 };
 *	event_output_begin(&output, format, header);
 *	format->event(&output, event);
 *	event_output_release(&output);
 */
#ifndef EXPORT_EVENT_FORMAT_H
#define EXPORT_EVENT_FORMAT_H

#include "base/arena.h"
#include "base/buffer.h"
#include "export/event_frames.h"
#include "payload/payload.h"
#include "perfpipe/nettrace.h"

/* What all events of a kind share, made for the first one. */
struct kind_text {
	const char *name; /* as the .NET tools show it */
	int opcode;	  /* -1: none */
	const char *json; /* members of an object, each with a comma before it */
	size_t json_size;
};

#define KEY_TEXTS   256 /* a power of two */
#define KEY_PLACES  8	/* that a name may have */
#define KEY_LONGEST 40

/* The name of a field in JSON, made when it is first needed: `,"name":`. */
struct key_text {
	const char *name; /* compared by address; NULL: none yet */
	size_t size;
	uint8_t text[KEY_LONGEST];
};

/* The members that name the thread of an event. */
struct thread_text {
	int64_t process_id;
	int64_t id;
	size_t size; /* 0: none yet */
	uint8_t text[80];
};

/* Brackets that are open, innermost last. */
struct nesting {
	unsigned depth;
	char closers[PLAN_DEEPEST + 1];
};

struct event_output {
	struct buffer out;
	const struct pp_trace_header *header;
	bool stacks;
	struct event_frames *frames; /* names for stacks, or NULL; borrowed */
	bool colour;
	const char *const *fields; /* of the payload to show; NULL: all */
	size_t field_count;

	struct plans plans;
	struct payload payload;
	unsigned depth;	    /* of the next value in the payload */
	struct value value; /* of event_values_step() */
	struct kind_text *kinds;
	size_t kind_count;
	struct key_text keys[KEY_TEXTS]; /* by the name's address */
	struct nesting nesting;
	struct thread_text thread; /* of the event before */
	struct arena arena;
	int64_t second; /* that `second_text` stands for */
	char second_text[32];
	bool begun; /* by event_output_begin() */
};

struct event_format {
	const char *name;
	void (*begin)(struct event_output *output); /* before the first event; or NULL */
	void (*event)(struct event_output *output, const struct pp_event *event);
};

extern const struct event_format event_json, event_text, event_csv;

extern const struct result_kind event_line_kind; /* of event_json */

/* NULL: there is no such format. */
const struct event_format *event_format_find(const char *name);

/* Due before the first event, also if there is none; later calls do nothing. */
void event_output_begin(struct event_output *output, const struct event_format *format,
			const struct pp_trace_header *header);
void event_output_release(struct event_output *output);

const struct kind_text *event_kind_text(struct event_output *output, const struct pp_kind *kind);

/* The event's name, with its labels applied. Valid as long as the arena. */
const char *event_name(struct event_output *output, const struct pp_event *event);

/* Level, version, keywords and opcode: those of its labels, else those of its kind. */
uint32_t event_level(const struct pp_event *event);
uint32_t event_version(const struct pp_event *event);
uint64_t event_keywords(const struct pp_event *event);
int event_opcode(struct event_output *output, const struct pp_event *event);

static inline bool event_has_label(const struct pp_event *event, unsigned bit)
{
	return event->labels && event->labels->present & bit;
}

#define EVENT_TIMESTAMP 28 /* bytes of "2026-11-15T03:25:46.5440000Z" */

/* Writes the event's time where EVENT_TIMESTAMP bytes are free; returns where it ends. */
uint8_t *event_timestamp(struct event_output *output, int64_t time_ns, uint8_t *at);

/* Walks the values of the fields to show. */
void event_values_begin(struct event_output *output, const struct pp_event *event);
bool event_values_next_wanted(struct event_output *output, struct value *value);

static inline bool event_values_next(struct event_output *output, struct value *value)
{
	return output->fields ? event_values_next_wanted(output, value)
			      : payload_next(&output->payload, value);
}

/* The same without a copy; NULL at the end. */
static inline const struct value *event_values_step(struct event_output *output)
{
	if (!output->fields)
		return payload_step(&output->payload);
	return event_values_next_wanted(output, &output->value) ? &output->value : NULL;
}

/* The bracket that opens or closes a nested value; false if it is a plain one. */
bool event_put_bracket(struct event_output *output, const struct value *value);

/* A plain value as JSON. */
void event_put_json_value(struct buffer *out, const struct value *value);

/* The whole payload as an object; false, and nothing written, if it has no fields. */
bool event_put_payload(struct event_output *output, const struct pp_event *event,
		       struct buffer *errors);

#endif
