/* SPDX-License-Identifier: MIT */
/*
 * input.h - the bytes of a trace, wherever they come from.
 *
 * A file, a pipe or memory; plain, or packed as gzip, zstd or zip, which is
 * told from the content and never from the name. One layer is unpacked, not
 * two. Packed data that ends early is no error: what could be unpacked comes,
 * then the end, and input_truncated() says so. Corrupt data is an error, but
 * again only after the bytes before it.
 *
 *	struct input *in = input_open("a.nettrace.gz", &err);
 *	while (!(failed = input_read(in, buffer, sizeof(buffer), &got, &err)) && got)
 *		use(buffer, got);
 *	input_close(in);
 */
#ifndef INPUT_INPUT_H
#define INPUT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfpipe/error.h"

struct input;

struct input *input_open(const char *path, struct pp_error *err); /* "-": standard input */
struct input *input_open_memory(const void *bytes, size_t size,
				struct pp_error *err); /* borrowed */
void input_close(struct input *in);

/*
 * Up to `size` bytes (not 0); `*got` 0 is the end. Waits for the first byte
 * only: a pipe gives what it has. A plain file is read straight into `to`.
 */
int input_read(struct input *in, void *to, size_t size, size_t *got, struct pp_error *err);

/*
 * The next bytes of a plain file as a mapping, for a reader that would copy
 * them; NULL where that cannot be, and at the end. May be mixed with
 * input_read(), which goes on behind it. The caller unmaps.
 */
void *input_map(struct input *in, size_t *size);
void input_unmap(void *bytes, size_t size);

const char *input_compression(const struct input *in); /* NULL, "gzip", "zstd" or "zip" */
uint64_t input_size(const struct input *in);	       /* as stored; of a pipe what came so far */
uint64_t input_position(const struct input *in);       /* of input_size(), how far we are */
bool input_truncated(const struct input *in);	       /* the packed data ended early */

#endif
