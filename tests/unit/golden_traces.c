/* SPDX-License-Identifier: MIT */
#include "golden_traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "places.h"
#include "trace_passing.h"

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

/* "runtimes/net8-cpu" is in the folder runtimes; its length is returned. */
static int folder_of(const char **name)
{
	const char *slash = strchr(*name, '/');
	const int size = slash ? (int)(slash - *name) : 0;

	*name += slash ? size + 1 : 0;
	return size;
}

const char *golden_path(const char *name)
{
	static char path[8192];
	const char *folder = name;
	const int size = folder_of(&name);

	snprintf(path, sizeof(path), "%s/%.*s/%s.nettrace.gz", golden_folder(), size ? size : 8,
		 size ? folder : "dotnet10", name);
	return path;
}

static void *analyze(const char *path, const struct analysis *analysis, struct pass *pass)
{
	void *state;

	pass_init(pass, NULL);
	state = pass_want(pass, analysis, NULL);
	trace_pass(pass, path);
	return state;
}

void *golden_analyze_file(const char *path, const struct analysis *analysis, struct pass *pass)
{
	char whole[8192];

	snprintf(whole, sizeof(whole), "%s/%s", golden_folder(), path);
	return analyze(whole, analysis, pass);
}

void *golden_analyze(const char *name, const struct analysis *analysis, struct pass *pass)
{
	return analyze(golden_path(name), analysis, pass);
}

json_t *golden_load(const char *name)
{
	json_error_t error = { .text = "" };
	const char *folder = name;
	const int size = folder_of(&name);
	char path[8192];
	json_t *golden;

	snprintf(path, sizeof(path), "%s/%.*s/golden/%s.golden.json", golden_folder(),
		 size ? size : 8, size ? folder : "dotnet10", name);
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
