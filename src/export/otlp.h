/* SPDX-License-Identifier: MIT */
/*
 * otlp.h - what otlp.c and otlp_dictionary.c share: the tables that samples refer to.
 */
#ifndef EXPORT_OTLP_H
#define EXPORT_OTLP_H

#include "export/stack_table.h"
#include "export/format.h"
#include "export/stack_sums.h"
#include "export/string_table.h"
#include "export/proto_json.h"

#define TAG(number_, name_) ((struct tag){ (number_), (name_) })

/* Of a text, or of a number where that is NULL. */
struct otlp_attribute {
	const char *key;
	const char *text;
	int64_t number;
};

struct otlp {
	struct export_source *source;
	struct output_buffer *out;
	struct proto_json t;
	struct string_table strings;
	struct string_table mappings; /* by path */
	uint32_t *mapping_frames;     /* by mapping: a frame in it */
	struct string_table attribute_numbers;
	struct otlp_attribute *attributes;
	size_t attribute_count, attribute_capacity;
	struct stack_table all;
	uint32_t *numbers; /* by node of `all`: the stack's number, or 0 */
	size_t number_count;
	uint32_t *stacks; /* by number - 1: the node */
	size_t stack_count, stack_capacity;
	uint32_t *locations;	   /* by frame: its location, which is its function, too; or 0 */
	uint32_t *location_frames; /* by location - 1 */
	size_t location_count;
	struct stack_sums sums;
	bool counting; /* the profile at hand is of counts, not of weights */
};

uint32_t otlp_text(struct otlp *o, const char *text);
uint32_t otlp_attribute(struct otlp *o, const struct otlp_attribute *attribute);
void otlp_put_value(struct otlp *o, const struct otlp_attribute *attribute);
void otlp_put_dictionary(struct otlp *o);

#endif
