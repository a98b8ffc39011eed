/* SPDX-License-Identifier: MIT */
/*
 * schema.h - the JSON Schema of an output, made of the same declarations as the output.
 */
#ifndef REPORT_SCHEMA_H
#define REPORT_SCHEMA_H

#include "base/json.h"
#include "report/result.h"

/* An output that a schema can be asked for. */
struct schema_subject {
	const char *name; /* "report/gc" */
	unsigned version;
	const char *summary;		 /* what it is */
	const struct result_shape *head; /* or NULL */
	const struct result_shape *shape;
	bool may_be_missing; /* it says `available`, and has nothing else where that is false */
	bool bare;	     /* without schema and version: a line of JSON lines */
};

/* One JSON object: draft 2020-12. */
void schema_put(struct json *json, const char *key, const struct schema_subject *subject);

#endif
