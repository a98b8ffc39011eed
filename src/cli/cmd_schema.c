/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/suggest.h"
#include "cli/command.h"
#include "cli/output_kinds.h"
#include "report/schema.h"

struct schema_args {
	bool list;
};

static const struct option_spec options[] = {
	OPTION(0, "list", struct schema_args, list, NULL, "list the names of the schemas"),
	OPTION_LAST,
};

static const struct command_example examples[] = {
	{ "perfpipe schema --list", "the outputs that have a schema" },
	{ "perfpipe schema report/gc", "the schema of perfpipe report FILE gc --json" },
	{ "perfpipe schema perfpipe/report/gc/1", "the same, by the name that the output has" },
	{ "perfpipe schema > schemas.json", "all of them" },
	{ 0 },
};

static bool is_called(const struct result_kind *kind, const char *name)
{
	char full[RESULT_KEY_MOST];

	result_schema_name(kind, full);
	return !strcmp(kind->name, name) || !strcmp(full, name);
}

static int put_one(struct json *json, const char *name, struct arena *arena, struct pp_error *err)
{
	struct suggest suggest = { .typed = name };
	struct result_kind kind;

	for (size_t i = 0; output_kind_at(i, &kind, arena); i++) {
		if (is_called(&kind, name)) {
			schema_put(json, NULL, &kind);
			return 0;
		}
		suggest_offer(&suggest, kind.name);
	}
	return suggest_error(&suggest, "schema", "perfpipe schema --list lists the schemas", err);
}

static void put_all(struct json *json, struct arena *arena)
{
	struct result_kind kind;

	json_open_object(json, NULL);
	json_put_text(json, "schema", "perfpipe/schema/1");
	json_put_text(json, "perfpipe_version", PERFPIPE_VERSION);
	json_open_object(json, "schemas");
	for (size_t i = 0; output_kind_at(i, &kind, arena); i++)
		schema_put(json, kind.name, &kind);
	json_close(json);
	json_close(json);
}

static void list(struct arena *arena)
{
	struct result_kind kind;

	for (size_t i = 0; output_kind_at(i, &kind, arena); i++)
		printf("%-20s  %s\n", kind.name, kind.summary);
}

static enum exit_code run(const struct invocation *call, struct pp_error *err)
{
	const struct schema_args *args = call->args;
	struct buffer text = { 0 };
	struct json json = { .out = &text, .indent = 2 };
	struct arena arena = { 0 };
	int failed = 0;

	if (args->list)
		list(&arena);
	else if (call->operand_count)
		failed = put_one(&json, call->operands[0], &arena, err);
	else
		put_all(&json, &arena);
	if (!failed && text.size)
		fwrite(text.bytes, 1, text.size, stdout);
	buffer_release(&text);
	arena_release(&arena);
	return failed ? exit_code_for(err) : EXIT_DONE;
}

const struct command cmd_schema = {
	.name = "schema",
	.operands = "[NAME]",
	.max_operands = 1,
	.summary = "Print the JSON Schema of an output",
	.description =
		"Every JSON output names its schema and version in the key schema, except for "
		"JSON\n"
		"lines. A version changes when a key is renamed, removed or changes its meaning;\n"
		"keys that are added do not change it. Without NAME it prints all schemas as one\n"
		"object.",
	.examples = examples,
	.options = options,
	.args_size = sizeof(struct schema_args),
	.run = run,
};
