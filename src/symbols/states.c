/* SPDX-License-Identifier: MIT */
#include "symbols/symbols.h"

const char *symbols_state_text(enum symbols_state state)
{
	static const char *const texts[] = {
		[SYMBOLS_EXPORTED] = "no symbols", /* but for the exported ones */
		[SYMBOLS_NONE] = "no symbols",		 [SYMBOLS_NO_FILE] = "not on this machine",
		[SYMBOLS_OTHER_BUILD] = "another build", [SYMBOLS_UNREADABLE] = "not readable",
	};

	return texts[state];
}
