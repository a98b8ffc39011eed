/* SPDX-License-Identifier: MIT */
#include "export/format.h"

#include <string.h>
#include <strings.h>

#include "base/suggest.h"

extern const struct export_format export_chromium, export_pprof, export_speedscope;

const struct export_format *const export_formats[] = {
	&export_speedscope,
	&export_chromium,
	&export_pprof,
	NULL,
};

const char *export_format_names(char *text, size_t size)
{
	size_t used = 0;

	*text = 0;
	for (size_t i = 0; export_formats[i]; i++) {
		const char *name = export_formats[i]->name;
		const size_t wanted = strlen(name) + (i ? 2 : 0);

		if (used + wanted + 1 > size)
			break;
		memcpy(text + used, i ? ", " : "", i ? 2 : 0);
		memcpy(text + used + (i ? 2 : 0), name, strlen(name) + 1);
		used += wanted;
	}
	return text;
}

const struct export_format *export_format_find(const char *name, struct pp_error *err)
{
	struct suggest suggest = { .typed = name };
	char names[160];

	for (size_t i = 0; export_formats[i]; i++) {
		if (!strcasecmp(export_formats[i]->name, name))
			return export_formats[i];
		suggest_offer(&suggest, export_formats[i]->name);
	}
	if (suggest.best)
		error_set(err, PP_ERROR_USAGE, "there is no format '%s'; did you mean %s?", name,
			  suggest.best);
	else
		error_set(err, PP_ERROR_USAGE, "there is no format '%.40s'; there are %s", name,
			  export_format_names(names, sizeof(names)));
	return NULL;
}

static bool ends_with(const char *text, const char *end)
{
	const size_t size = strlen(text);
	const size_t end_size = strlen(end);

	return size > end_size && !strcasecmp(text + size - end_size, end);
}

const struct export_format *export_format_for_file(const char *path)
{
	for (size_t i = 0; export_formats[i]; i++)
		for (size_t j = 0; j < sizeof(export_formats[i]->extensions) /
						   sizeof(export_formats[i]->extensions[0]) &&
				   export_formats[i]->extensions[j];
		     j++)
			if (ends_with(path, export_formats[i]->extensions[j]))
				return export_formats[i];
	return NULL;
}
