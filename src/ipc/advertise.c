/* SPDX-License-Identifier: MIT */
/*
 *	 0  "ADVR_V1" and a NUL
 *	 8  cookie, a GUID
 *	24  pid
 *	32  two reserved bytes
 */
#include "ipc/advertise.h"

static const char magic[8] = "ADVR_V1";

bool advertise_parse(struct advertise *advertise, struct cursor bytes)
{
	const uint8_t *begins = cursor_bytes(&bytes, sizeof(magic));

	if (!begins || memcmp(begins, magic, sizeof(magic)))
		return false;
	cursor_copy(&bytes, advertise->cookie, sizeof(advertise->cookie));
	advertise->process_id = cursor_u64(&bytes);
	cursor_u16(&bytes);
	return !bytes.failed;
}
