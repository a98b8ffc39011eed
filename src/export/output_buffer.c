/* SPDX-License-Identifier: MIT */
#include "export/output_buffer.h"

void output_buffer_flush_all(struct output_buffer *out)
{
	if (out->bytes.failed)
		return;
	out->write(out->to, out->bytes.bytes, out->bytes.size);
	buffer_rewind(&out->bytes, 0);
}

int output_buffer_end(struct output_buffer *out, struct pp_error *err)
{
	if (out->bytes.failed)
		return error_set(err, PP_ERROR_LIMIT, "a piece of the output is too large");
	output_buffer_flush_all(out);
	return 0;
}

void output_buffer_release(struct output_buffer *out)
{
	buffer_release(&out->bytes);
}
