/* SPDX-License-Identifier: MIT */
#include "library/report_state.h"

#define FRAME struct result_frame

static const struct result_field first_fields[] = {
	FIELD(FRAME, schema, "schema", NULL, UNIT_TEXT),
	FIELD(FRAME, perfpipe_version, "perfpipe_version", NULL, UNIT_TEXT),
	FIELD_END,
};

static const struct result_field answer_fields[] = {
	FIELD(FRAME, available, "available", NULL, UNIT_FLAG),
	FIELD(FRAME, nothing_matches, "nothing_matches", NULL, UNIT_TEXT, .flags = OPTIONAL),
	FIELD_END,
};

static const struct result_field no_answer_fields[] = {
	FIELD(FRAME, available, "available", NULL, UNIT_FLAG),
	FIELD(FRAME, missing, "missing", NULL, UNIT_TEXT),
	FIELD(FRAME, remedy, "remedy", NULL, UNIT_TEXT),
	FIELD(FRAME, nothing_matches, "nothing_matches", NULL, UNIT_TEXT, .flags = OPTIONAL),
	FIELD_END,
};

static const struct result_shape first_shape = { first_fields, NULL };
static const struct result_shape answer_shape = { answer_fields, NULL };
static const struct result_shape no_answer_shape = { no_answer_fields, NULL };

static void add_part(struct pp_result *result, const struct result_shape *shape, const void *data)
{
	if (data)
		result->parts[result->part_count++] = (struct result_part){ shape, data };
}

void pp_result_init(struct pp_result *init, struct heap *heap, const struct result *result,
		    struct result_made *made)
{
	*init = (struct pp_result){ heap, result, made,
				    .frame = {
					    .perfpipe_version = PERFPIPE_VERSION,
					    .available = result->data,
					    .missing = result->missing,
					    .remedy = result->remedy,
					    .nothing_matches = result->nothing,
				    } };
	result_schema_name(result->kind, init->frame.schema);
	add_part(init, &first_shape, &init->frame);
	add_part(init, result->kind->head, result->head);
	add_part(init, init->frame.available ? &answer_shape : &no_answer_shape, &init->frame);
	add_part(init, result->kind->shape, result->data);
}
