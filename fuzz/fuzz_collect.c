/* SPDX-License-Identifier: MIT */
/*
 * Any values of collect's options and any packets on the control socket must be accepted or
 * rejected with one sentence.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/where.h"
#include "base/alloc.h"
#include "base/duration.h"
#include "cli/size.h"
#include "record/control.h"
#include "record/file_name.h"
#include "record/stopping_event.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile size_t touched; /* keeps the compiler from dropping the reads */

static void expect_sentence(const struct pp_error *err)
{
	if (err->code == PP_ERROR_NONE || !err->text[0])
		abort();
}

static void try_times(const char *text)
{
	struct pp_error err = { 0 }, other = { 0 };
	uint64_t bytes;
	int64_t ns;

	if (duration_parse_positive(text, "duration", &ns, &err))
		expect_sentence(&err);
	else if (ns <= 0)
		abort();
	if (size_parse(text, "max-size", &bytes, &other))
		expect_sentence(&other);
	else if (!bytes)
		abort();
	touched = size_is_meant(text);
}

static void try_name(const char *text)
{
	const struct file_name_parts parts = { .process_id = 1, .name = text, .number = 1 };
	struct pp_error err = { 0 };
	char *name;

	if (file_name_check(text, &err)) {
		expect_sentence(&err);
		return;
	}
	name = file_name_make(text, &parts);
	touched = name ? strlen(name) : 0;
	xfree(name);
	name = file_name_make("{name}", &parts); /* must stay in its directory, whatever its name */
	if (name && strchr(name, '/'))
		abort();
	xfree(name);
}

static void try_filter(const char *text)
{
	const struct stopping_event event = { .provider = "P", .name = "E", .filter = text };
	struct pp_error err = { 0 };

	if (stopping_event_check(&event, &err))
		expect_sentence(&err);
}

static void try_packet(const char *text)
{
	struct control_request request;
	struct control_found found;

	if (!control_parse_request(text, &request))
		touched = request.path ? strlen(request.path) : (size_t)request.process_id;
	if (!control_parse_answer(text, &found))
		touched = strlen(found.path) + (size_t)found.process_id;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const tries[])(const char *) = { try_times, try_name, try_filter,
						       try_packet };
	char *text = xcalloc(1, size + 1);

	if (!text || !size) {
		xfree(text);
		return 0;
	}
	memcpy(text, data + 1, size - 1);
	tries[data[0] % 4](text);
	xfree(text);
	return 0;
}
