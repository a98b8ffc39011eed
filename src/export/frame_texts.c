/* SPDX-License-Identifier: MIT */
#include "export/frame_texts.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/unicode.h"

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
	xfree(texts->starts);
}

static bool is_refused(uint32_t code, const char *forbidden)
{
	return code < ' ' || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029 ||
	       (code < 0x7F && strchr(forbidden, (int)code));
}

void put_safe_line(struct buffer *out, const char *text, const char *forbidden, char replacement)
{
	const char *end = text + strlen(text);

	while (text < end) {
		const uint32_t code = utf8_decode(&text, end);
		char bytes[4];
		const size_t size = utf8_put(code, bytes);

		if (is_refused(code, forbidden))
			buffer_u8(out, (uint8_t)replacement);
		else
			buffer_bytes(out, bytes, size);
	}
}
