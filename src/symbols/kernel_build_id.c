/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cursor.h"
#include "base/decimal.h"
#include "symbols/kernel_symbols.h"

#define NOTES_MOST	  4096
#define TYPE_GNU_BUILD_ID 3u
#define BUILD_ID_MOST	  64u
#define ALIGNED(size)	  (((size_t)(size) + 3) & ~(size_t)3)

static bool is_build_id(uint32_t type, const uint8_t *name, uint32_t name_size, uint32_t size)
{
	return type == TYPE_GNU_BUILD_ID && name && name_size == 4 && !memcmp(name, "GNU", 4) &&
	       size && size <= BUILD_ID_MOST;
}

static char *hex_text(const uint8_t *bytes, size_t size)
{
	struct buffer text = { 0 };
	char *copy;

	buffer_hex_bytes(&text, bytes, size);
	copy = xstrndup((const char *)text.bytes, text.size);
	buffer_release(&text);
	return copy;
}

/* A note is the sizes of a name and of its bytes, a type, and both, each padded to four bytes. */
char *notes_build_id(const void *notes, size_t size)
{
	struct cursor c = cursor_over(notes, size);

	while (cursor_left(&c)) {
		const uint32_t name_size = cursor_u32(&c), bytes_size = cursor_u32(&c);
		const uint32_t type = cursor_u32(&c);
		const uint8_t *name = cursor_bytes(&c, ALIGNED(name_size));
		const uint8_t *bytes = cursor_bytes(&c, ALIGNED(bytes_size));

		if (bytes && is_build_id(type, name, name_size, bytes_size))
			return hex_text(bytes, bytes_size);
	}
	return NULL;
}

char *kernel_build_id(void)
{
	uint8_t notes[NOTES_MOST];
	const int fd = open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);
	const ssize_t size = fd < 0 ? -1 : read(fd, notes, sizeof(notes));

	if (fd >= 0)
		close(fd);
	return size > 0 ? notes_build_id(notes, (size_t)size) : NULL;
}
