/* SPDX-License-Identifier: MIT */
#include "export/frame_texts.h"

#include <stdlib.h>

#include "base/alloc.h"

void frame_texts_make(struct frame_texts *texts, const struct export_source *source,
		      void (*put)(struct buffer *out, const struct export_frame *frame,
				  size_t number))
{
	*texts = (struct frame_texts){
		.starts = xcalloc(source->frame_count + 1, sizeof(*texts->starts)),
	};
	for (size_t i = 0; i < source->frame_count; i++) {
		put(&texts->all, &source->frames[i], i);
		texts->starts[i + 1] = texts->all.size;
	}
}

void frame_texts_release(struct frame_texts *texts)
{
	buffer_release(&texts->all);
	free(texts->starts);
}
