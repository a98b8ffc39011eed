/* SPDX-License-Identifier: MIT */
#include "export/format.h"

#include <strings.h>

#include "base/array.h"
#include "base/suggest.h"
#include "base/text.h"

extern const struct export_format export_chromium, export_csv, export_firefox, export_folded,
	export_html, export_jsonl, export_nettrace, export_otlp, export_perf_script,
	export_perfetto, export_perfview, export_pprof, export_speedscope, export_text;

/* clang-format off */
const struct export_format *const export_formats[] = {
	&export_speedscope,
	&export_chromium,
	&export_pprof,
	&export_otlp,
	&export_firefox,
	&export_perfetto,
	&export_html,
	&export_folded,
	&export_perf_script,
	&export_perfview,
	&export_nettrace,
	&export_text,
	&export_jsonl,
	&export_csv,
	NULL,
};
/* clang-format on */

const struct export_format *export_format_find(const char *name, struct pp_error *err)
{
	struct suggest suggest = { .typed = name };

	for (size_t i = 0; export_formats[i]; i++) {
		if (!strcasecmp(export_formats[i]->name, name))
			return export_formats[i];
		suggest_offer(&suggest, export_formats[i]->name);
	}
	if (!strcasecmp(name, "svg") || !strcasecmp(name, "flamegraph"))
		error_set(err, PP_ERROR_USAGE,
			  "unknown format '%s'; -f folded --flamegraph draws a flame graph", name);
	else
		suggest_error(&suggest, "format", "perfpipe help convert lists the formats", err);
	return NULL;
}

const struct export_format *export_format_for_file(const char *path)
{
	for (size_t i = 0; export_formats[i]; i++)
		for (size_t j = 0; j < ARRAY_COUNT(export_formats[i]->extensions) &&
				   export_formats[i]->extensions[j];
		     j++)
			if (text_ends_with(path, export_formats[i]->extensions[j]))
				return export_formats[i];
	return NULL;
}
