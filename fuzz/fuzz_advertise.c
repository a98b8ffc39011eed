/* SPDX-License-Identifier: MIT */
/*
 * The advertise message of a port, and the argument of --diagnostic-port; the first byte
 * chooses. Any bytes at the start of a connection must be a runtime or an error; any argument
 * must give a role and an absolute path, or a one-sentence error.
 */
#include <stdlib.h>
#include <string.h>

#include "ipc/answers.h"
#include "record/port_address.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_advertise(const uint8_t *data, size_t size)
{
	struct advertise who;

	if (!advertise_parse(&who, cursor_over(data, size)))
		return;
	if (size < ADVERTISE_SIZE || memcmp(who.cookie, data + 8, sizeof(who.cookie)) ||
	    memcmp(&who.process_id, data + 24, sizeof(who.process_id)))
		abort();
}

static void check_address(const uint8_t *data, size_t size)
{
	struct port_address address, again;
	struct pp_error err = { 0 };
	char *const text = malloc(size + 1);

	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = 0;
	if (port_address_parse(&address, text, &err)) {
		if (!err.code || !*err.text)
			abort();
	} else if (*address.path != '/' || !memchr(address.path, 0, sizeof(address.path)) ||
		   port_address_parse(&again, address.path, &err) ||
		   strcmp(again.path, address.path) != 0 || again.connect) {
		abort();
	}
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	if (*data & 1)
		check_advertise(data + 1, size - 1);
	else
		check_address(data + 1, size - 1);
	return 0;
}
