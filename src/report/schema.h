/* SPDX-License-Identifier: MIT */
/*
 * schema.h - the JSON Schema of an output, made of the same declarations as the output.
 */
#ifndef REPORT_SCHEMA_H
#define REPORT_SCHEMA_H

#include "base/json.h"
#include "report/result.h"

/* One JSON object: draft 2020-12. */
void schema_put(struct json *json, const char *key, const struct result_kind *kind);

#endif
