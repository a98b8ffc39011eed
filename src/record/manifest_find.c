/* SPDX-License-Identifier: MIT */
#include "record/manifest.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"

#ifdef HAVE_JANSSON

#include <jansson.h>
#include <string.h>

#include "base/alloc.h"

#define LONGEST ((size_t)1024 * 1024) /* bytes of a manifest */

static int parse(const char *path, struct manifest_found *found, struct pp_error *err)
{
	char *text = xcalloc(1, LONGEST);
	FILE *file = fopen(path, "rbe");
	const size_t size = file ? fread(text, 1, LONGEST, file) : 0;
	json_error_t why = { 0 };

	if (!file)
		error_errno(err, "cannot open %s", path);
	else if (size == LONGEST)
		error_set(err, PP_ERROR_LIMIT, "%s is too large for a manifest", path);
	else
		found->memory = json_loadb(text, size, 0, &why);
	if (file)
		fclose(file);
	free(text);
	if (!json_is_object((json_t *)found->memory))
		error_set(err, PP_ERROR_FORMAT, "%s is not a manifest: %s", path,
			  *why.text ? why.text : "it is not an object");
	return err->code ? -1 : 0;
}

static void list_facts(struct manifest_found *found)
{
	json_t *root = found->memory;
	const char *key;
	json_t *value;

	found->facts = xcalloc(json_object_size(root) + 1, sizeof(*found->facts));
	json_object_foreach(root, key, value)
	{
		struct manifest_fact *fact = &found->facts[found->count];

		*fact = (struct manifest_fact){ .key = key,
						.text = json_string_value(value),
						.number = json_integer_value(value) };
		found->count += json_is_string(value) || json_is_integer(value);
	}
}

static int compare(const char *artifact, struct manifest_found *found, struct pp_error *err)
{
	const json_t *root = found->memory;
	const json_int_t size = json_integer_value(json_object_get(root, "size"));
	const char *text = json_string_value(json_object_get(root, "sha256"));
	struct file_sum sum;

	if (file_sum(artifact, &sum, err))
		return -1;
	found->matches = text && !strcmp(text, sum.sha256) && (uint64_t)size == sum.size;
	return 0;
}

int manifest_find(const char *artifact, struct manifest_found *found, struct pp_error *err)
{
	char *path = manifest_path(artifact);
	const bool there = !access(path, F_OK);
	int result = 0;

	*found = (struct manifest_found){ 0 };
	if (there)
		result = parse(path, found, err) || compare(artifact, found, err) ? -1 : 1;
	if (result == 1)
		list_facts(found);
	else
		manifest_found_release(found);
	free(path);
	return result;
}

void manifest_found_release(struct manifest_found *found)
{
	free(found->facts);
	json_decref(found->memory);
	*found = (struct manifest_found){ 0 };
}

#else

int manifest_find(const char *artifact, struct manifest_found *found, struct pp_error *err)
{
	char *path = manifest_path(artifact);
	const int there = !access(path, F_OK);

	*found = (struct manifest_found){ 0 };
	if (there)
		error_set(err, PP_ERROR_UNSUPPORTED,
			  "%s is not shown: this perfpipe was built without jansson", path);
	free(path);
	return -there;
}

void manifest_found_release(struct manifest_found *found)
{
	*found = (struct manifest_found){ 0 };
}

#endif
