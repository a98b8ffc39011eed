/* SPDX-License-Identifier: MIT */
#include "golden_traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "input/trace_file.h"
#include "places.h"

const char *golden_folder(void)
{
	return place_of("SHARED", "../shared", "traces");
}

bool golden_are_there(void)
{
	char path[8192];

	snprintf(path, sizeof(path), "%s/dotnet10/golden", golden_folder());
	if (!access(path, R_OK))
		return true;
	puts("skipped: needs ../shared");
	return false;
}

int64_t golden_read_file(const char *path,
			 void (*add)(void *self, const struct pp_trace_header *header,
				     const struct pp_event *event),
			 void *self)
{
	const struct pp_trace_header *header = NULL;
	struct pp_error err = { 0 };
	const struct pp_event *event;
	struct trace_file *file;
	char whole[8192];
	int64_t first = 0;
	int64_t last = 0;
	bool any = false;

	snprintf(whole, sizeof(whole), "%s/%s", golden_folder(), path);
	file = trace_file_open(whole, NULL, &err);
	assert_string_equal(err.text, "");
	while (trace_file_next(file, &event, &err) == PP_NEXT_ITEM) {
		header = pp_nettrace_header(file->trace);
		first = any ? first : event->ticks;
		last = event->ticks;
		any = true;
		add(self, header, event);
	}
	assert_string_equal(err.text, "");
	if (header)
		last = pp_trace_time_ns(header, last) - pp_trace_time_ns(header, first);
	trace_file_close(file);
	return last;
}

int64_t golden_read(const char *name,
		    void (*add)(void *self, const struct pp_trace_header *header,
				const struct pp_event *event),
		    void *self)
{
	char path[4096];

	snprintf(path, sizeof(path), "dotnet10/%s.nettrace.gz", name);
	return golden_read_file(path, add, self);
}

json_t *golden_load(const char *name)
{
	json_error_t error = { .text = "" };
	char path[8192];
	json_t *golden;

	snprintf(path, sizeof(path), "%s/dotnet10/golden/%s.golden.json", golden_folder(), name);
	golden = json_load_file(path, 0, &error);
	assert_string_equal(error.text, "");
	return golden;
}

const json_t *golden_at(const json_t *object, const char *path)
{
	char step[128];

	while (*path) {
		const size_t size = strcspn(path, ".");

		assert_true(size < sizeof(step));
		memcpy(step, path, size);
		step[size] = 0;
		object = json_is_array(object) ? json_array_get(object, (size_t)atoi(step))
					       : json_object_get(object, step);
		if (!object)
			fail_msg("the golden file has no %s", path);
		path += size + (path[size] == '.');
	}
	return object;
}

uint64_t golden_count(const json_t *object, const char *path)
{
	return (uint64_t)json_integer_value(golden_at(object, path));
}

double golden_real(const json_t *object, const char *path)
{
	return json_number_value(golden_at(object, path));
}

const char *golden_text(const json_t *object, const char *path)
{
	return json_string_value(golden_at(object, path));
}
