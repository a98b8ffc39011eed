/* SPDX-License-Identifier: MIT */
/*
 * trace_state.h - the state of a public trace: perfpipe/trace.h and perfpipe/fields.h.
 */
#ifndef LIBRARY_TRACE_STATE_H
#define LIBRARY_TRACE_STATE_H

#include "base/arena.h"
#include "base/heap.h"
#include "input/trace_file.h"
#include "library/kind_names.h"
#include "payload/payload.h"
#include "perfpipe/nettrace.h"
#include "perfpipe/trace.h"

/* What calls about the fields of the current event have left. */
struct trace_fields {
	bool used;    /* any of this is set */
	bool walking; /* all fields of an event, by `walk` */
	struct arena texts;
	struct plans plans;
	struct payload walk;
	struct payload one; /* a single field, so that a walk can go on afterwards */
};

struct pp_trace {
	struct heap *heap;
	struct pp_nettrace *reader; /* of the file, or of the caller's bytes */
	struct trace_file *file;    /* NULL: the caller has the bytes */
	bool asks;		    /* the reader wants bytes, and there is no event */
	struct kind_names names;
	struct trace_fields fields;
};

enum pp_trace_state trace_state_of(const struct trace_file *file);

/* The current event is over, and so are its texts. */
void trace_fields_forget(struct trace_fields *fields);

#endif
