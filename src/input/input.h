/* SPDX-License-Identifier: MIT */
/*
 * input.h - the bytes of a trace, from any source.
 *
 * A file, a pipe or memory; plain, or compressed as gzip, zstd or zip, which is recognised by
 * content and never by name. One layer is unpacked, not two. Compressed data that ends early is not
 * an error: what can be unpacked is returned, then the end, and input_truncated() is true; nor is a
 * checksum that does not match, for which there is input_wrong_checksum(). Other corrupt data is an
 * error, but again only after the bytes before it.
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

/* "-": standard input; "app.zip:b.nettrace": a member of an archive. */
struct input *input_open(const char *path, struct pp_error *err);
struct input *input_open_memory(const void *bytes, size_t size,
				struct pp_error *err); /* borrowed */
void input_close(struct input *in);

/*
 * Reads up to `size` bytes (not 0); `*got` is 0 at the end. Blocks only for the first byte: a pipe
 * returns what it has. A plain file is read straight into `to`.
 */
int input_read(struct input *in, void *to, size_t size, size_t *got, struct pp_error *err);

/*
 * Maps the next bytes of a plain file, for a reader that would otherwise copy them; NULL if that is
 * not possible, and at the end. May be mixed with input_read(), which continues after the mapping.
 * The caller unmaps.
 */
void *input_map(struct input *in, size_t *size);
void input_unmap(void *bytes, size_t size);

const char *input_compression(const struct input *in); /* NULL, "gzip", "zstd" or "zip" */
uint64_t input_size(const struct input *in);	 /* compressed; for a pipe, what was read so far */
uint64_t input_position(const struct input *in); /* how much of input_size() was read */
bool input_truncated(const struct input *in);	 /* the compressed data ended early */

/* After the end: the checksum of the compressed data does not match what was unpacked. */
bool input_wrong_checksum(const struct input *in);

/*
 * After the end: how many bytes follow the compressed data, at most `most`, of which some are not
 * zero; zeros are padding, as on tapes. Reads them.
 */
uint64_t input_trailing(struct input *in, uint64_t most);

#endif
