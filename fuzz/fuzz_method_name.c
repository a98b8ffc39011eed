/* SPDX-License-Identifier: MIT */
/*
 * Three strings separated by NULs are a type, a name and a signature. Any of them must give a
 * name that is not much longer; and so must the first one alone, as a method in one string.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "clr/method_name.h"
#include "clr/method_text.h"

#define MOST_OF_ARITY 600 /* characters that `99 can expand to */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = calloc(1, size + 3);
	struct method_name name = { 0 };
	struct buffer out = { 0 };

	if (!text)
		abort();
	if (size)
		memcpy(text, data, size);
	name.type = text;
	name.name = name.type + strlen(name.type) + (strlen(text) < size);
	name.signature =
		name.name + strlen(name.name) + (name.name + strlen(name.name) < text + size);
	method_name_source(&out, &name);
	if (out.size > (size + 1) * MOST_OF_ARITY)
		abort();
	type_name_source(&out, text);
	if (out.size > 2 * (size + 1) * MOST_OF_ARITY)
		abort();
	method_name_raw(&out, &name);
	method_text_frame(&out, text);
	method_text_source(&out, text);
	buffer_release(&out);
	free(text);
	return 0;
}
