/* SPDX-License-Identifier: MIT */
#include "ipc/hresult.h"

#include <stddef.h>

static const struct {
	uint32_t code;
	const char *text;
} rows[] = {
	{ HRESULT_BAD_ENCODING, "it cannot read the request, or knows no such value in it" },
	{ HRESULT_UNKNOWN_COMMAND, "it is too old to know this command" },
	{ 0x80131386u, "it does not know this protocol" },
	{ 0x80131387u, "something went wrong that it does not name" },
	{ HRESULT_NOT_SUPPORTED, "it does not support this here" },
	{ 0x80004005u,
	  "it failed and does not say why; if this was a new session, it may have too many" },
	{ 0x8013135Bu, "it is not ready for this yet; try again when it has started" },
	{ 0x80131371u, "it has not started yet; resume it first" },
	{ 0x80070057u,
	  "an argument is not valid now; some commands need a process that waits at its start" },
	{ 0x8007007Au, "the text is too long for it" },
	{ 0x800000CBu, "it has no environment variable of that name" },
	{ 0x8013136Au, "another profiler is active in it already" },
};

const char *hresult_text(uint32_t code)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].code == code)
			return rows[i].text;
	return "an error that has no name here";
}
