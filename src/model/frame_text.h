/* SPDX-License-Identifier: MIT */
/*
 * frame_text.h - frames as people read them.
 *
 *	libc.so.6!memcpy
 *	app!Parser::next() parser.cc:42 [inlined]	with lines
 *	libfoo.so [no symbols]				all code of a file without names
 */
#ifndef MODEL_FRAME_TEXT_H
#define MODEL_FRAME_TEXT_H

#include "base/buffer.h"
#include "model/entities.h"

/* Without the module, and without a NUL, like the next. */
void frame_put_name(struct buffer *text, const struct model_frame *frame);

/* `module` is the frame's, or its path. */
void frame_put_full(struct buffer *text, const char *module, const struct model_frame *frame);

#endif
