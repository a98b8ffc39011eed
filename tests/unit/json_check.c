/* SPDX-License-Identifier: MIT */
#include "json_check.h"

#include <string.h>

#include <jansson.h>

char *json_check_compact(const char *text, size_t size)
{
	json_t *root = json_loadb(text, size, JSON_DECODE_ANY, NULL);
	char *compact = root ? json_dumps(root, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;

	json_decref(root);
	return compact;
}

bool json_check_member(const char *text, size_t size, const char *key, const char *value)
{
	json_t *root = json_loadb(text, size, 0, NULL);
	const char *found = json_string_value(json_object_get(root, key));
	const bool matches = json_object_size(root) == 1 && found && !strcmp(found, value);

	json_decref(root);
	return matches;
}
