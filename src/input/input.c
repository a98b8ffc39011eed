/* SPDX-License-Identifier: MIT */
#include "input/input.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/heap.h"
#include "input/decoder.h"

#define ARCHIVE_END ".zip:"

struct input {
	struct raw_file raw;
	const struct decoder *decoder; /* NULL: not compressed */
	struct decoding *decoding;
	bool ended;
	struct pp_error failed; /* reported after the bytes before it, on every call */
	struct heap_drop *drop; /* closes it, if a public call is left */
};

static void drop_input(void *object)
{
	struct input *in = object;

	in->drop = NULL;
	input_close(in);
}

static struct input *make_input(void)
{
	struct input *in = xcalloc(1, sizeof(*in));

	in->drop = heap_on_drop(drop_input, in);
	return in;
}

static int begin_decoding(struct input *in, const char *member, struct pp_error *err)
{
	if (member && (!in->decoder || (in->decoder->ops && !in->decoder->ops->archive)))
		return error_set(err, PP_ERROR_FORMAT, "it is not a zip, so there is no %s in it",
				 member);
	if (!in->decoder)
		return 0;
	if (!in->decoder->ops)
		return error_set(
			err, PP_ERROR_UNSUPPORTED,
			"this is %s, and this perfpipe was built without %s; unpack it first",
			in->decoder->name, in->decoder->library);
	in->decoding = xcalloc(1, in->decoder->ops->size);
	in->decoding->raw = &in->raw;
	in->decoding->member = member;
	return in->decoder->ops->begin(in->decoding, err);
}

/* Takes `in`: closed and NULL if it cannot be read. */
static struct input *recognise(struct input *in, const char *member, struct pp_error *err)
{
	if (!raw_file_peek(&in->raw, DECODER_MAGIC, err)) {
		in->decoder = decoder_for(in->raw.at, in->raw.left);
		if (!begin_decoding(in, member, err))
			return in;
	}
	input_close(in);
	return NULL;
}

/* "b.nettrace" of "app.zip:b.nettrace", unless there is a file of that name; or NULL. */
static const char *member_of(const char *path)
{
	const char *colon = strstr(path, ARCHIVE_END);

	if (!colon || !colon[strlen(ARCHIVE_END)] || !access(path, F_OK))
		return NULL;
	return colon + strlen(ARCHIVE_END);
}

struct input *input_open(const char *path, struct pp_error *err)
{
	struct input *in = make_input();
	const char *member = member_of(path);
	char *archive = member ? xstrndup(path, (size_t)(member - path) - 1) : NULL;
	const int failed = raw_file_open(&in->raw, archive ? archive : path, err);

	xfree(archive);
	if (!failed)
		return recognise(in, member, err);
	input_close(in);
	return NULL;
}

struct input *input_open_memory(const void *bytes, size_t size, struct pp_error *err)
{
	struct input *in = make_input();

	raw_file_open_memory(&in->raw, bytes, size);
	return recognise(in, NULL, err);
}

void input_close(struct input *in)
{
	if (!in)
		return;
	heap_forget_drop(in->drop);
	if (in->decoding)
		in->decoder->ops->end(in->decoding);
	xfree(in->decoding);
	raw_file_close(&in->raw);
	xfree(in);
}

static void read_layer(struct input *in, struct decoded_piece *piece)
{
	if (in->decoding) {
		in->decoder->ops->read(in->decoding, piece, &in->failed);
		in->ended = !piece->got;
	} else {
		/* does not set `ended`: the file may still be growing */
		raw_file_read(&in->raw, piece->to, piece->size, &piece->got, &in->failed);
	}
}

int input_read(struct input *in, void *to, size_t size, size_t *got, struct pp_error *err)
{
	struct decoded_piece piece = { .to = to, .size = size };

	if (!in->ended && !in->failed.code)
		read_layer(in, &piece);
	*got = piece.got;
	if (!piece.got && in->failed.code)
		return error_set(err, in->failed.code, "%s", in->failed.text);
	return 0;
}

void *input_map(struct input *in, size_t *size)
{
	return in->decoder || in->failed.code ? NULL : raw_file_map(&in->raw, size);
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
	return in->raw.regular ? in->raw.size : in->raw.came;
}

uint64_t input_position(const struct input *in)
{
	return raw_file_offset(&in->raw);
}

bool input_truncated(const struct input *in)
{
	return in->decoding && in->decoding->truncated;
}

bool input_wrong_checksum(const struct input *in)
{
	return in->decoding && in->decoding->wrong_checksum;
}

static bool is_all_zero(const uint8_t *bytes, size_t size)
{
	return !size || (!bytes[0] && !memcmp(bytes, bytes + 1, size - 1));
}

/* A zip goes on with other entries and its directory. */
uint64_t input_trailing(struct input *in, uint64_t most)
{
	struct pp_error ignored = { 0 };
	uint8_t bytes[4096];
	uint64_t count = 0;
	bool padding = true;
	size_t got = 1;

	if (!in->decoding || in->failed.code || !in->decoder->ops->has_end)
		return 0;
	while (got && count < most &&
	       !raw_file_read(&in->raw, bytes, sizeof(bytes), &got, &ignored)) {
		padding &= is_all_zero(bytes, got);
		count += got;
	}
	return padding ? 0 : count;
}
