/* SPDX-License-Identifier: MIT */
#include "ipc/refusal.h"

#include <string.h>

#include "base/array.h"

struct command_facts {
	uint16_t code;
	const char *name;  /* as in .NET's documentation */
	const char *since; /* the first version of .NET that has it; NULL: not documented */
};

static const struct command_facts commands[] = {
	{ COMMAND_DUMP, "GenerateCoreDump", NULL },
	{ COMMAND_DUMP2, "GenerateCoreDump2", "6" },
	{ COMMAND_DUMP3, "GenerateCoreDump3", NULL },
	{ COMMAND_STOP_TRACING, "StopTracing", NULL },
	{ COMMAND_COLLECT_TRACING, "CollectTracing", NULL },
	{ COMMAND_COLLECT_TRACING2, "CollectTracing2", NULL },
	{ COMMAND_COLLECT_TRACING3, "CollectTracing3", "9" },
	{ COMMAND_COLLECT_TRACING4, "CollectTracing4", "9" },
	{ COMMAND_COLLECT_TRACING5, "CollectTracing5", "10" },
	{ COMMAND_COLLECT_TRACING6, "CollectTracing6", "11" },
	{ COMMAND_ATTACH_PROFILER, "AttachProfiler", NULL },
	{ COMMAND_STARTUP_PROFILER, "StartupProfiler", NULL },
	{ COMMAND_PROCESS_INFO, "ProcessInfo", "5" },
	{ COMMAND_RESUME, "ResumeRuntime", "5" },
	{ COMMAND_ENVIRONMENT, "ProcessEnvironment", NULL },
	{ COMMAND_SET_VARIABLE, "SetEnvironmentVariable", "6" },
	{ COMMAND_PROCESS_INFO2, "ProcessInfo2", NULL },
	{ COMMAND_ENABLE_PERF_MAP, "EnablePerfMap", "8" },
	{ COMMAND_DISABLE_PERF_MAP, "DisablePerfMap", "8" },
	{ COMMAND_STARTUP_HOOK, "ApplyStartupHook", "8" },
	{ COMMAND_PROCESS_INFO3, "ProcessInfo3", "8" },
};

static const struct {
	uint32_t code;
	const char *text;
} codes[] = {
	{ 0x80131384u, "it cannot read the request, or a value in it is unknown" },
	{ HRESULT_UNKNOWN_COMMAND, "it does not know this command" },
	{ 0x80131386u, "it does not know this protocol" },
	{ 0x80131387u, "an unknown error occurred in it" },
	{ HRESULT_NOT_SUPPORTED, "it does not support this here" },
	{ 0x80004005u, "it failed without giving a reason" },
	{ 0x8013135Bu, "it is not ready for this yet; try again when it has started" },
	{ 0x80131371u, "it has not started yet; resume it first" },
	{ 0x80070057u, "an argument is not valid, or comes too late for a running process" },
	{ 0x8007007Eu, "it cannot find the library, or its dependencies" },
	{ 0x8007007Au, "the text is too long for it" },
	{ 0x800000CBu, "it has no environment variable of that name" },
	{ 0x8013136Au, "another profiler is already active" },
};

static const struct command_facts *facts_of(uint16_t command)
{
	static const struct command_facts unknown = { 0, "the command", NULL };

	for (size_t i = 0; i < ARRAY_COUNT(commands); i++)
		if (commands[i].code == command)
			return &commands[i];
	return &unknown;
}

/* Follows "the runtime refuses ...: ". */
static const char *hresult_text(uint32_t code)
{
	for (size_t i = 0; i < ARRAY_COUNT(codes); i++)
		if (codes[i].code == code)
			return codes[i].text;
	return "unknown error";
}

enum pp_failure refusal_explain(uint16_t command, uint32_t code, struct pp_error *err)
{
	const struct command_facts *facts = facts_of(command);

	if (code == HRESULT_UNKNOWN_COMMAND) {
		error_set(err, PP_ERROR_UNSUPPORTED, "the runtime is too old: %s needs %s%s",
			  facts->name, facts->since ? ".NET " : "a newer one",
			  facts->since ? facts->since : "");
		return PP_FAILURE_UNSUPPORTED;
	}
	error_set(err, PP_ERROR_UNSUPPORTED, "the runtime refuses %s: %s (0x%08X)", facts->name,
		  hresult_text(code), code);
	return code == HRESULT_NOT_SUPPORTED ? PP_FAILURE_UNSUPPORTED : PP_FAILURE_REFUSED;
}

#define SHOWN_MOST 150u /* bytes of a message that are passed on */

/* The text comes from another process and goes to a terminal: one line, and no escapes. */
static void make_printable(char *text)
{
	size_t end = strlen(text);

	for (end = end < SHOWN_MOST ? end : SHOWN_MOST; end && (text[end] & 0xC0) == 0x80; end--)
		; /* not in the middle of a character */
	text[end] = '\0';
	for (unsigned char *at = (unsigned char *)text; *at; at++) {
		if (at[0] == 0xC2 && at[1] >= 0x80 && at[1] < 0xA0) /* U+0080 to U+009F */
			at[0] = at[1] = ' ';
		else if (*at < ' ' || *at == 0x7F)
			*at = ' ';
	}
	while (end && text[end - 1] == ' ')
		text[--end] = '\0';
}

/* GenerateCoreDump3 has a message of its own. */
static enum pp_failure parse_message(struct cursor *payload, uint16_t command, uint32_t code,
				     struct pp_error *err)
{
	struct arena arena = { 0 };
	char *message = message_text(payload, &arena);

	if (message && *message) {
		make_printable(message);
		error_set(err, PP_ERROR_UNSUPPORTED, "the runtime refuses %s: %s (0x%08X)",
			  facts_of(command)->name, message, code);
	}
	arena_release(&arena);
	return refusal_explain(command, code, err);
}

enum pp_failure refusal_parse(struct cursor *payload, uint16_t command, uint32_t *code,
			      struct pp_error *err)
{
	*code = cursor_u32(payload);
	if (payload->failed) {
		error_set(err, PP_ERROR_FORMAT, "the runtime refuses %s and its error is cut short",
			  facts_of(command)->name);
		return PP_FAILURE_MALFORMED;
	}
	if (command == COMMAND_DUMP3 && cursor_left(payload))
		return parse_message(payload, command, *code, err);
	return refusal_explain(command, *code, err);
}
