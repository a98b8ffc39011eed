/* SPDX-License-Identifier: MIT */
#include "analyze/known_methods.h"

#include <string.h>

#include "base/alloc.h"

static bool matches(const char *text, const char *wanted)
{
	const size_t length = strlen(wanted);

	if (length && wanted[length - 1] == '*')
		return !strncmp(text, wanted, length - 1);
	return !strcmp(text, wanted);
}

bool frame_is_known(const struct model *model, uint32_t frame, const struct known_method *known)
{
	const uint32_t number = model->frames[frame].method;
	const struct model_method *method = number == MODEL_NONE ? NULL : &model->methods[number];

	for (; method && known->type; known++)
		if (matches(method->type, known->type) &&
		    (!known->name || matches(method->name, known->name)))
			return true;
	return false;
}

uint8_t *known_bits_of(const struct model *model, const struct known_bit *lists)
{
	uint8_t *bits = xcalloc(model->frame_count + 1, 1);

	for (uint32_t i = 0; i < model->frame_count; i++)
		for (const struct known_bit *list = lists; list->methods; list++)
			if (frame_is_known(model, i, list->methods))
				bits[i] |= list->bit;
	return bits;
}
