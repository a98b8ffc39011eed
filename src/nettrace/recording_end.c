/* SPDX-License-Identifier: MIT */
#include "nettrace/recording_end.h"

static const struct pp_field field = { .name = "stopped_by", .type = { .code = PP_TYPE_UTF16Z } };

const struct pp_kind recording_end_kind = {
	.provider = RECORDING_END_PROVIDER,
	.name = RECORDING_END_NAME,
	.id = RECORDING_END_ID,
	.level = 4,
	.opcode = -1,
	.fields = { &field, 1 },
};
