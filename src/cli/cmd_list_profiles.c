/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "clr/enums.h"
#include "record/profiles.h"
#include "record/provider_names.h"

#define WIDTH  80
#define COLUMN 13 /* where the text begins */

struct list_profiles_args {
	bool json;
};

static const struct option_spec options[] = {
	OPTION(0, "json", struct list_profiles_args, json, NULL, "print one JSON array"),
	OPTION_LAST,
};

static const struct command_example examples[] = {
	{ "perfpipe list-profiles", "purpose, providers and cost of each profile" },
	{ "perfpipe list-profiles --json | jq -r '.[].name'", "names only" },
	{ 0 },
};

/* Words in lines that begin at the column; the first line has begun already. */
static void put_words(FILE *out, const char *text, const char *blanks)
{
	size_t at = COLUMN;

	while (*text) {
		const size_t size = strcspn(text, blanks) + (text[strcspn(text, blanks)] != '\0');
		const size_t shown = size - (text[size - 1] == ' ');

		if (at > COLUMN && at + shown > WIDTH) {
			fprintf(out, "\n%*s", COLUMN, "");
			at = COLUMN;
		}
		/* a blank only before another word on the line */
		fprintf(out, "%s%.*s", at > COLUMN && text[-1] == ' ' ? " " : "", (int)shown, text);
		at += size;
		text += size;
	}
	putc('\n', out);
}

static void put_keywords(FILE *out, const struct profile_provider *provider)
{
	const struct value_map *map = value_map_find("Keywords.Runtime");
	char text[VALUE_MAP_TEXT];

	if (strcmp(provider->name, RUNTIME_PROVIDER) != 0)
		return;
	fprintf(out, "%*s", COLUMN, "");
	put_words(out, value_map_name(map, provider->keywords, text), "|");
}

/* In the syntax of --providers. */
static void put_provider(FILE *out, const struct profile_provider *provider, bool first)
{
	fprintf(out, "%-*s%s:0x%" PRIX64 ":%u\n", COLUMN, first ? "  Providers" : "",
		provider->name, provider->keywords, provider->level);
	put_keywords(out, provider);
	if (provider->arguments)
		fprintf(out, "%*swith %.*s, see --json\n", COLUMN, "",
			(int)strcspn(provider->arguments, "="), provider->arguments);
}

static void put_text(FILE *out, const struct profile *profile)
{
	fprintf(out, "%s%s%s", text_style(out, TEXT_BOLD), profile->name,
		text_style(out, TEXT_PLAIN));
	if (profile->verbs == PROFILE_COLLECT_LINUX)
		fputs(" (collect-linux only)", out);
	else if (profile->verbs == PROFILE_COLLECT)
		fputs(" (collect only)", out);
	fprintf(out, "\n  %-*s", COLUMN - 2, "Shows");
	put_words(out, profile->what, " ");
	fprintf(out, "  %-*s", COLUMN - 2, "Cost");
	put_words(out, profile->cost, " ");
	for (const struct profile_provider *p = profile->providers; p->name; p++)
		put_provider(out, p, p == profile->providers);
}

static void put_hex(struct json *json, const char *key, uint64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "0x%" PRIx64, value);
	json_put_text(json, key, text);
}

static void put_json_provider(struct json *json, const struct profile_provider *provider)
{
	json_open_object(json, NULL);
	json_put_text(json, "name", provider->name);
	put_hex(json, "keywords", provider->keywords);
	json_put_u64(json, "level", provider->level);
	json_put_text(json, "level_name", level_name(provider->level));
	json_put_text(json, "arguments", provider->arguments);
	json_close(json);
}

static void put_json(struct json *json, const struct profile *profile)
{
	json_open_object(json, NULL);
	json_put_text(json, "name", profile->name);
	json_put_text(json, "description", profile->what);
	json_put_text(json, "cost", profile->cost);
	json_open_array(json, "commands");
	if (profile->verbs & PROFILE_COLLECT)
		json_put_text(json, NULL, "collect");
	if (profile->verbs & PROFILE_COLLECT_LINUX)
		json_put_text(json, NULL, "collect-linux");
	json_close(json);
	json_open_array(json, "providers");
	for (const struct profile_provider *p = profile->providers; p->name; p++)
		put_json_provider(json, p);
	json_close(json);
	put_hex(json, "rundown_keywords", profile->rundown);
	json_close(json);
}

static void print_json(FILE *out)
{
	struct buffer text = { 0 };
	struct json json = { .out = &text, .indent = 2 };

	json_open_array(&json, NULL);
	for (const struct profile *profile = profiles; profile->name; profile++)
		put_json(&json, profile);
	json_close(&json);
	fwrite(text.bytes, 1, text.size, out);
	buffer_release(&text);
}

static enum exit_code run(const struct invocation *call, struct pp_error *err)
{
	const struct list_profiles_args *args = call->args;

	(void)err;
	if (args->json) {
		print_json(stdout);
		return EXIT_DONE;
	}
	for (const struct profile *profile = profiles; profile->name; profile++) {
		if (profile != profiles)
			putchar('\n');
		put_text(stdout, profile);
	}
	return EXIT_DONE;
}

const struct command cmd_list_profiles = {
	.name = "list-profiles",
	.summary = "List the profiles that can be recorded",
	.description =
		"A profile is a named set of providers. Shows the purpose of each profile, its\n"
		"cost for the recorded program, and its providers with keywords and level in the\n"
		"syntax of --providers. Profiles can be combined, as in gc-verbose,exceptions.",
	.examples = examples,
	.options = options,
	.args_size = sizeof(struct list_profiles_args),
	.run = run,
};
