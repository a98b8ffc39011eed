/* SPDX-License-Identifier: MIT */
#include "input/input.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/alloc.h"
#include "base/error.h"
#include "input/decoder.h"

struct input {
	struct stored stored;
	const struct decoder *decoder; /* NULL: the bytes are not packed */
	struct decoding *decoding;
	bool ended;
	struct pp_error failed; /* told once the bytes before it are delivered, and ever after */
};

static int begin_decoding(struct input *in, struct pp_error *err)
{
	if (!in->decoder)
		return 0;
	if (!in->decoder->ops)
		return error_set(
			err, PP_ERROR_UNSUPPORTED,
			"this is %s, and this perfpipe was built without %s; unpack it first",
			in->decoder->name, in->decoder->library);
	in->decoding = xcalloc(1, in->decoder->ops->size);
	in->decoding->stored = &in->stored;
	return in->decoder->ops->begin(in->decoding, err);
}

static int recognise(struct input *in, struct pp_error *err)
{
	if (stored_peek(&in->stored, DECODER_MAGIC, err))
		return -1;
	in->decoder = decoder_for(in->stored.at, in->stored.left);
	return begin_decoding(in, err);
}

struct input *input_open(const char *path, struct pp_error *err)
{
	struct input *in = xcalloc(1, sizeof(*in));

	if (stored_open(&in->stored, path, err) || recognise(in, err)) {
		input_close(in);
		return NULL;
	}
	return in;
}

struct input *input_open_memory(const void *bytes, size_t size, struct pp_error *err)
{
	struct input *in = xcalloc(1, sizeof(*in));

	stored_open_memory(&in->stored, bytes, size);
	if (recognise(in, err)) {
		input_close(in);
		return NULL;
	}
	return in;
}

void input_close(struct input *in)
{
	if (!in)
		return;
	if (in->decoding)
		in->decoder->ops->end(in->decoding);
	free(in->decoding);
	stored_close(&in->stored);
	free(in);
}

static void read_layer(struct input *in, struct piece *piece)
{
	if (in->decoding) {
		in->decoder->ops->read(in->decoding, piece, &in->failed);
		in->ended = !piece->got;
	} else {
		/* no `ended` here: the file may still be growing */
		stored_read(&in->stored, piece->to, piece->size, &piece->got, &in->failed);
	}
}

int input_read(struct input *in, void *to, size_t size, size_t *got, struct pp_error *err)
{
	struct piece piece = { .to = to, .size = size };

	if (!in->ended && !in->failed.code)
		read_layer(in, &piece);
	*got = piece.got;
	if (!piece.got && in->failed.code)
		return error_set(err, in->failed.code, "%s", in->failed.text);
	return 0;
}

void *input_map(struct input *in, size_t *size)
{
	return in->decoder || in->failed.code ? NULL : stored_map(&in->stored, size);
}

void input_unmap(void *bytes, size_t size)
{
	munmap(bytes, size);
}

const char *input_compression(const struct input *in)
{
	return in->decoder ? in->decoder->name : NULL;
}

uint64_t input_size(const struct input *in)
{
	return in->stored.regular ? in->stored.size : in->stored.came;
}

uint64_t input_position(const struct input *in)
{
	return stored_offset(&in->stored);
}

bool input_truncated(const struct input *in)
{
	return in->decoding && in->decoding->truncated;
}
