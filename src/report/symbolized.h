/* SPDX-License-Identifier: MIT */
/*
 * symbolized.h - the result of `symbolize`: addresses and what is there.
 *
 * There may be any number of them, so its JSON is written address by address:
 *
 *	symbolized_begin(&json);
 *	symbolized_put(&json, address, &answer);	(for each; the buffer may be emptied)
 *	symbolized_end(&json, &totals);
 */
#ifndef REPORT_SYMBOLIZED_H
#define REPORT_SYMBOLIZED_H

#include "base/json.h"
#include "report/result.h"
#include "symbols/symbols.h"

extern const struct result_kind symbolized_kind;

struct symbolized_totals {
	uint64_t asked, named; /* addresses */
};

void symbolized_begin(struct json *json);
void symbolized_put(struct json *json, uint64_t address, const struct symbol_answer *answer);
void symbolized_end(struct json *json, const struct symbolized_totals *totals);

#endif
