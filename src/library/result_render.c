/* SPDX-License-Identifier: MIT */
#include "base/alloc.h"
#include "base/error.h"
#include "library/report_options.h"
#include "library/report_state.h"

/* A text of a result. */
struct rendering {
	const struct result *result;
	const struct renderer *renderer;
	struct buffer out;
};

/* The only memory that is left is the text. */
static int render(void *context, struct pp_error *err)
{
	struct rendering *rendering = context;

	(void)err;
	rendering->renderer->render(rendering->result, &(const struct render_options){ 0 },
				    &rendering->out);
	buffer_u8(&rendering->out, 0);
	return 0;
}

char *pp_result_render(const struct pp_result *result, const char *format, size_t *size,
		       struct pp_error *err)
{
	struct rendering rendering = { result->result, report_format(format, err), { 0 } };

	if (!rendering.renderer || heap_check(result->heap, err) ||
	    guard_run(render, &rendering, err))
		return NULL;
	if (size)
		*size = rendering.out.size - 1;
	return (char *)rendering.out.bytes;
}

void pp_text_free(char *text)
{
	xfree(text);
}
