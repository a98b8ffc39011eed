/* SPDX-License-Identifier: MIT */
#include "model/frame_text.h"

#include <string.h>

#include "base/decimal.h"

static void put_line(struct buffer *text, const struct model_frame *frame)
{
	const char *slash = strrchr(frame->file, '/');

	buffer_u8(text, ' ');
	buffer_text(text, slash ? slash + 1 : frame->file);
	buffer_u8(text, ':');
	buffer_decimal(text, frame->line);
}

void frame_put_name(struct buffer *text, const struct model_frame *frame)
{
	buffer_text(text, frame->name);
	if (frame->line && frame->file)
		put_line(text, frame);
	if (frame->inlined)
		buffer_text(text, " [inlined]");
}

void frame_put_full(struct buffer *text, const char *module, const struct model_frame *frame)
{
	buffer_text(text, module);
	if (*module)
		buffer_u8(text, frame->of_module ? ' ' : '!');
	frame_put_name(text, frame);
}
