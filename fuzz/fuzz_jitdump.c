/* SPDX-License-Identifier: MIT */
/* The input is a jitdump; all numbers in it are also addresses and times to ask about. */
#include <string.h>

#include "input_file.h"
#include "symbols/jitdump.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(const struct jitdump *dump, uint64_t address, int64_t time_ns)
{
	struct jit_code code;

	if (!jitdump_find(dump, address, time_ns, &code))
		return;
	check(address - code.start < code.size && strlen(code.name) > 0);
	check(code.from_ns < code.to_ns);
	check(code.from_ns <= time_ns || !code.from_ns); /* 0: without times */
	check(!code.file || strlen(code.file) < UINT32_MAX);
}

static void ask_all(const struct jitdump *dump, const uint8_t *data, size_t size)
{
	uint64_t address;
	int64_t time_ns;

	for (size_t i = 0; i + 8 <= size; i++) {
		memcpy(&address, data + i, sizeof(address));
		ask(dump, address, INT64_MAX);
		memcpy(&time_ns, data + size - 8 - i, sizeof(time_ns));
		ask(dump, address, time_ns);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct map_totals totals;
	struct pp_error err = { 0 };
	struct jitdump *dump = jitdump_read(input_file(data, size), &totals, &err);

	if (dump)
		ask_all(dump, data, size);
	else
		check(err.text[0] != '\0');
	jitdump_free(dump);
	return 0;
}
