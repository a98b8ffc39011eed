/* SPDX-License-Identifier: MIT */
#include "report/render.h"

static void render(const struct result *result, const struct render_options *options,
		   struct buffer *out)
{
	(void)result;
	(void)options;
	(void)out;
}

const struct renderer render_html = { .name = "html", .render = render };
