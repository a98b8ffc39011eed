/* SPDX-License-Identifier: MIT */
#include "export/out.h"

void export_out_flush_all(struct export_out *out)
{
	if (out->bytes.failed)
		return;
	out->write(out->to, out->bytes.bytes, out->bytes.size);
	buffer_rewind(&out->bytes, 0);
}

int export_out_end(struct export_out *out, struct pp_error *err)
{
	if (out->bytes.failed)
		return error_set(err, PP_ERROR_LIMIT, "a piece of the output is too large");
	export_out_flush_all(out);
	return 0;
}

void export_out_release(struct export_out *out)
{
	buffer_release(&out->bytes);
}
