/* SPDX-License-Identifier: MIT */
#include "export/output_buffer.h"

#include "base/decimal.h"

void output_buffer_flush_all(struct output_buffer *out)
{
	if (out->bytes.failed)
		return;
	out->write(out->to, out->bytes.bytes, out->bytes.size);
	buffer_rewind(&out->bytes, 0);
}

void output_put_fixed(struct buffer *out, int64_t value, uint64_t divisor)
{
	const uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	uint8_t *at = buffer_room(out, (size_t)2 * DECIMAL_ROOM + 1);
	uint8_t *end;

	if (!at)
		return;
	if (value < 0)
		*at++ = '-';
	at = decimal_put(at, size / divisor);
	end = decimal_put(at, divisor + size % divisor);
	*at = '.'; /* replaces the 1 that keeps leading zeros */
	buffer_wrote(out, end);
}

int output_buffer_end(struct output_buffer *out, struct pp_error *err)
{
	if (out->failed.code)
		return error_set(err, out->failed.code, "%s", out->failed.text);
	if (out->bytes.failed)
		return error_set(err, PP_ERROR_LIMIT, "a piece of the output is too large");
	output_buffer_flush_all(out);
	return 0;
}
