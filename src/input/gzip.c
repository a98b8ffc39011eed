/* SPDX-License-Identifier: MIT */
#include "input/inflating.h"

/*
 * A gzip file is one member after another, each a deflate stream of its own.
 */
struct gzip_decoding {
	struct decoding decoding;
	struct inflating inflating;
};

static int begin(struct decoding *decoding, struct pp_error *err)
{
	struct gzip_decoding *gzip = (struct gzip_decoding *)decoding;

	return inflating_begin(&gzip->inflating, "gzip", INFLATING_GZIP, err);
}

static void end(struct decoding *decoding)
{
	inflating_end(&((struct gzip_decoding *)decoding)->inflating);
}

static int next_member(struct gzip_decoding *gzip, bool *found, struct pp_error *err)
{
	struct raw_file *raw = gzip->decoding.raw;

	if (raw_file_need(raw, 2, err))
		return -1;
	*found = raw->left >= 2 && raw->at[0] == 0x1f && raw->at[1] == 0x8b;
	if (*found)
		inflating_again(&gzip->inflating);
	return 0;
}

static int read_bytes(struct decoding *decoding, struct decoded_piece *piece, struct pp_error *err)
{
	struct gzip_decoding *gzip = (struct gzip_decoding *)decoding;
	bool more = true;

	while (more && !piece->got && !decoding->truncated) {
		if (inflating_read(&gzip->inflating, decoding, piece, err))
			return -1;
		if (!piece->got && gzip->inflating.finished && next_member(gzip, &more, err))
			return -1;
	}
	return 0;
}

const struct decoder_ops gzip_decoder = {
	.size = sizeof(struct gzip_decoding),
	.has_end = true,
	.begin = begin,
	.read = read_bytes,
	.end = end,
};
