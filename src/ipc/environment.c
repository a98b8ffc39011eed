/* SPDX-License-Identifier: MIT */
#include "ipc/environment.h"

int environment_parse_size(struct cursor *payload, uint32_t *size, struct pp_error *err)
{
	*size = cursor_u32(payload);
	if (payload->failed)
		return error_set(err, PP_ERROR_FORMAT,
				 "the answer does not give the size of the environment");
	if (*size > ENVIRONMENT_MOST)
		return error_set(
			err, PP_ERROR_LIMIT,
			"the process announces an environment of %u bytes; the limit is %u", *size,
			ENVIRONMENT_MOST);
	return 0;
}

int environment_parse(struct cursor *c, struct arena *arena, struct pp_environment *environment,
		      struct pp_error *err)
{
	const uint32_t count = cursor_u32(c);
	const char **variables;

	/* a variable takes at least the four bytes of its count */
	if (c->failed || count > cursor_left(c) / 4)
		return error_set(err, PP_ERROR_FORMAT,
				 "the environment of the process is cut short");
	variables = arena_array(arena, const char *, (size_t)count + 1);
	for (uint32_t i = 0; i < count; i++) {
		const char *text = message_text(c, arena);

		variables[i] = text ? text : "";
	}
	if (c->failed)
		return error_set(err, PP_ERROR_FORMAT,
				 "the environment of the process contradicts the protocol");
	*environment = (struct pp_environment){ variables, count };
	return 0;
}
