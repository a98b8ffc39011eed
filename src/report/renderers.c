/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/array.h"
#include "report/render.h"

const struct renderer *renderer_find(const char *name)
{
	static const struct renderer *const renderers[] = {
		&render_text, &render_json, &render_csv, &render_markdown, &render_html,
	};

	for (size_t i = 0; i < ARRAY_COUNT(renderers); i++)
		if (!strcmp(renderers[i]->name, name))
			return renderers[i];
	return NULL;
}
