/* SPDX-License-Identifier: MIT */
/*
 * fields.h - names of events, and the fields of their payloads.
 *
 * The runtime's own events come without names, which are known here; events of EventSources and of
 * C programs bring theirs. A field that the event does not have, or that cannot be decoded, is
 * PP_VALUE_NULL; nothing is an error, and any bytes are safe. When memory is gone, there are no
 * names and no fields any more, and the next pp_trace_next() fails with PP_ERROR_MEMORY.
 *
 *	if (!strcmp(pp_event_name(trace, event), "GC/Start"))
 *		printf("GC %" PRId64 "\n", pp_event_number(trace, event, "Count", -1));
 *
 * All fields, also those of nested objects and arrays, come in their order:
 *
 *	struct pp_value value;
 *
 *	pp_fields_begin(trace, event);
 *	while (pp_fields_next(trace, &value))
 *		show(&value);
 */
#ifndef PERFPIPE_FIELDS_H
#define PERFPIPE_FIELDS_H

#include "perfpipe/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

enum pp_value_kind {
	PP_VALUE_NULL,
	PP_VALUE_BOOL,	 /* `number` is 0 or 1 */
	PP_VALUE_SIGNED, /* `number` */
	PP_VALUE_UNSIGNED,
	PP_VALUE_ADDRESS, /* unsigned: pointers, and ids that are addresses */
	PP_VALUE_REAL,	  /* `real` */
	PP_VALUE_TEXT,	  /* UTF-8 */
	PP_VALUE_BYTES,
	PP_VALUE_GUID,	 /* 16 bytes, in .NET's order */
	PP_VALUE_TIME,	 /* `number` is Unix time in units of 100 ns */
	PP_VALUE_OBJECT, /* the fields follow, then PP_VALUE_END */
	PP_VALUE_ARRAY,	 /* the elements follow, then PP_VALUE_END */
	PP_VALUE_END,
};

/* Texts and bytes are valid as long as the event: until the next pp_trace_next(). */
struct pp_value {
	enum pp_value_kind kind;
	const char *name; /* of the field; NULL for array elements and PP_VALUE_END */
	int64_t number;	  /* of numbers; unsigned ones are cast */
	double real;
	const char *text;     /* NUL-terminated, after `size` bytes, which may contain NUL */
	const uint8_t *bytes; /* of PP_VALUE_BYTES and PP_VALUE_GUID: `size` of them */
	size_t size;
	const char *symbol; /* name of the number, such as "AllocSmall"; or NULL */
	const char *error;  /* why it could not be decoded; or NULL */
};

/* As .NET's tools name it: "GC/Start"; valid as long as the trace. "" when memory is gone. */
PP_API const char *pp_event_name(struct pp_trace *trace, const struct pp_event *event);

/*
 * A field by its name; false if there is none, and the value is PP_VALUE_NULL. "Payload.Mean" is a
 * field of an object, "Arguments.Key" one of the first element of an array that has it. Of objects
 * and arrays themselves only the kind is returned.
 */
PP_API bool pp_event_field(struct pp_trace *trace, const struct pp_event *event, const char *name,
			   struct pp_value *value);

/* The same for one that is a number, a boolean or a time, or else `otherwise`; */
PP_API int64_t pp_event_number(struct pp_trace *trace, const struct pp_event *event,
			       const char *name, int64_t otherwise);
/* for any number as a real, or else NaN; */
PP_API double pp_event_real(struct pp_trace *trace, const struct pp_event *event, const char *name);
/* and for a text, or else NULL. */
PP_API const char *pp_event_text(struct pp_trace *trace, const struct pp_event *event,
				 const char *name);

/* All fields of the event, until it is over or another is begun; the calls above may be mixed in.
 */
PP_API void pp_fields_begin(struct pp_trace *trace, const struct pp_event *event);
PP_API bool pp_fields_next(struct pp_trace *trace, struct pp_value *value);

#ifdef __cplusplus
}
#endif

#endif
