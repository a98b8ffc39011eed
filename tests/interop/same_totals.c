/* SPDX-License-Identifier: MIT */
/*
 * Compares the output of another format's reader with `perfpipe report --json`:
 *
 *	same_totals REPORT.json < ROWS
 *
 * A row is the exclusive and the inclusive weight of a method and its name, "module!name",
 * separated by spaces. Rows and report must have the same methods with the same weights. Prints
 * the differences, or how many methods are equal.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPORTED 5 /* differences */

static json_t *load_methods(const char *path)
{
	json_t *report = json_load_file(path, 0, NULL);
	json_t *methods = json_object();
	const json_t *row;
	size_t i;

	json_array_foreach(json_object_get(report, "methods"), i, row)
	{
		const char *module = json_string_value(json_object_get(row, "module"));
		json_t *name = json_sprintf("%s%s%s", module ? module : "", module ? "!" : "",
					    json_string_value(json_object_get(row, "name")));

		json_object_set(methods, json_string_value(name), (json_t *)row);
		json_decref(name);
	}
	json_decref(report);
	return methods;
}

static int check_row(json_t *methods, char *line)
{
	char *end;
	const int64_t exclusive = strtoll(line, &end, 10);
	const int64_t inclusive = strtoll(end, &end, 10);
	char *name = end + strspn(end, " ");
	const json_t *row;
	int64_t wanted_exclusive, wanted_inclusive;

	name[strcspn(name, "\n")] = 0;
	row = json_object_get(methods, name);
	if (!row) {
		printf("the report does not know %s\n", name);
		return 1;
	}
	wanted_exclusive = json_integer_value(json_object_get(row, "exclusive_ns"));
	wanted_inclusive = json_integer_value(json_object_get(row, "inclusive_ns"));
	json_object_del(methods, name);
	if (exclusive == wanted_exclusive && inclusive == wanted_inclusive)
		return 0;
	printf("%" PRId64 " %" PRId64 " %s, but the report has %" PRId64 " %" PRId64 "\n",
	       exclusive, inclusive, name, wanted_exclusive, wanted_inclusive);
	return 1;
}

int main(int argc, char **argv)
{
	json_t *methods = load_methods(argc > 1 ? argv[1] : "");
	const size_t count = json_object_size(methods);
	int different = 0;
	size_t left, capacity = 0;
	char *line = NULL;

	while (different < REPORTED && getline(&line, &capacity, stdin) > 0)
		different += check_row(methods, line);
	left = json_object_size(methods);
	if (left && !different)
		printf("%zu methods of the report are missing, %s for one\n", left,
		       json_object_iter_key(json_object_iter(methods)));
	if (count && !left && !different)
		printf("%zu methods have the report's totals\n", count);
	free(line);
	json_decref(methods);
	return !count || left || different;
}
