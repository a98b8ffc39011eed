/* SPDX-License-Identifier: MIT */
/*
 * frame_texts.h - what a format writes for a frame, made once and copied often.
 *
 *	struct frame_texts texts;
 *	frame_texts_make(&texts, source, put_line);	(put_line appends the text of one frame)
 *	frame_texts_put(&texts, &out->bytes, frame);
 *	frame_texts_release(&texts);
 */
#ifndef EXPORT_FRAME_TEXTS_H
#define EXPORT_FRAME_TEXTS_H

#include "export/source.h"

struct frame_texts {
	struct buffer all;
	size_t *starts; /* by frame, and where the last one ends */
};

void frame_texts_make(struct frame_texts *texts, const struct export_source *source,
		      void (*put)(struct buffer *out, const struct export_frame *frame,
				  size_t number));
void frame_texts_release(struct frame_texts *texts);

static inline void frame_texts_put(const struct frame_texts *texts, struct buffer *out,
				   uint32_t frame)
{
	const size_t start = texts->starts[frame];

	if (texts->all.bytes)
		buffer_bytes(out, texts->all.bytes + start, texts->starts[frame + 1] - start);
}

/* Valid UTF-8 without line breaks and control characters: they and those of `forbidden` are
 * replaced. */
void put_safe_line(struct buffer *out, const char *text, const char *forbidden, char replacement);

#endif
