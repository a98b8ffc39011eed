/* SPDX-License-Identifier: MIT */
#include "record/profile_list.h"

#include <inttypes.h>
#include <string.h>

#include "base/buffer.h"
#include "clr/enums.h"
#include "record/profiles.h"
#include "record/provider_names.h"

static void make_keywords(const void *row, struct result_value *value, struct arena *arena)
{
	value->text =
		arena_printf(arena, "0x%" PRIx64, ((const struct profile_provider *)row)->keywords);
}

static void get_level_name(const void *row, struct result_value *value)
{
	value->text = level_name(((const struct profile_provider *)row)->level);
}

/* They take more room than a terminal has. */
static void get_has_arguments(const void *row, struct result_value *value)
{
	value->known = ((const struct profile_provider *)row)->arguments;
	value->text = "yes";
}

#define ROW struct profile_provider

static const struct result_field provider_fields[] = {
	FIELD(ROW, name, "name", "Provider", UNIT_TEXT),
	COMPUTED("keywords", "Keywords", UNIT_TEXT, .make = make_keywords),
	FIELD(ROW, level, "level", "Level", UNIT_ID),
	COMPUTED("level_name", NULL, UNIT_TEXT, .get = get_level_name),
	FIELD(ROW, arguments, "arguments", NULL, UNIT_TEXT),
	COMPUTED("has_arguments", "Arguments", UNIT_TEXT, .flags = SHOWN_PEOPLE | SHOWN_IF_ANY,
		 .get = get_has_arguments),
	FIELD_END,
};

static void get_commands(const void *row, struct result_value *value)
{
	static const char *const names[] = { "collect" };

	(void)row;
	value->rows = ROWS_AT(names, 1);
}

/* "GC, Loader": of the runtime's own provider, whose names are known. */
static const char *keyword_names(uint64_t keywords, struct arena *arena)
{
	char text[VALUE_MAP_TEXT];
	const char *names = value_map_name(value_map_find("Keywords.Runtime"), keywords, text);
	struct buffer made = { 0 };

	for (; *names; names++)
		if (*names == '|')
			buffer_text(&made, ", ");
		else
			buffer_u8(&made, (uint8_t)*names);
	return buffer_keep(&made, arena);
}

static void make_keyword_names(const void *row, struct result_value *value, struct arena *arena)
{
	const struct profile_provider *provider = ((const struct profile *)row)->providers;

	while (provider && provider->name && strcmp(provider->name, RUNTIME_PROVIDER) != 0)
		provider++;
	value->known = provider && provider->name;
	if (value->known)
		value->text = keyword_names(provider->keywords, arena);
}

static void get_providers(const void *row, struct result_value *value)
{
	const struct profile_provider *first = ((const struct profile *)row)->providers;
	size_t count = 0;

	while (first[count].name)
		count++;
	value->rows = ROWS_OF(first, count);
}

static void make_rundown(const void *row, struct result_value *value, struct arena *arena)
{
	value->text = arena_printf(arena, "0x%" PRIx64, ((const struct profile *)row)->rundown);
}

#undef ROW
#define ROW struct profile

static const struct result_field profile_fields[] = {
	FIELD(ROW, name, "name", "", UNIT_TEXT, .flags = GROUPS),
	FIELD(ROW, what, "description", "Shows", UNIT_TEXT),
	FIELD(ROW, cost, "cost", "Cost", UNIT_TEXT),
	COMPUTED("commands", "Commands", UNIT_TEXTS, .get = get_commands),
	COMPUTED("keyword_names", "Keywords", UNIT_TEXT, .flags = SHOWN_PEOPLE,
		 .make = make_keyword_names),
	COMPUTED_LIST("providers", "", SHAPE(provider_fields), .get = get_providers),
	COMPUTED("rundown_keywords", NULL, UNIT_TEXT, .make = make_rundown),
	FIELD_END,
};

struct profile_list {
	struct result_rows profiles;
};

static const struct result_field fields[] = {
	LIST(struct profile_list, profiles, "profiles", "", SHAPE(profile_fields), .flags = CARDS),
	FIELD_END,
};
static const struct result_shape shape = { fields, NULL };

const struct result_kind profile_list_kind = {
	.name = "list-profiles",
	.version = 1,
	.summary = "the profiles that can be recorded",
	.shape = &shape,
};

/* Those that the kernel records are for a command that does not exist yet. */
struct result profile_list_result(struct arena *arena)
{
	struct profile_list *list = arena_new(arena, struct profile_list);
	struct profile *rows;
	size_t total = 0, count = 0;

	while (profiles[total].name)
		total++;
	rows = arena_array(arena, struct profile, total);
	for (size_t i = 0; i < total; i++)
		if (profiles[i].verbs & PROFILE_COLLECT)
			rows[count++] = profiles[i];
	list->profiles = ROWS_OF(rows, count);
	return (struct result){ .kind = &profile_list_kind, .data = list };
}

static void make_set_keywords(const void *row, struct result_value *value, struct arena *arena)
{
	value->text =
		arena_printf(arena, "0x%016" PRIX64, ((const struct provider *)row)->keywords);
}

static void make_set_level(const void *row, struct result_value *value, struct arena *arena)
{
	const struct provider *provider = row;

	value->text = arena_printf(arena, "%s(%u)", level_name(provider->level), provider->level);
}

#undef ROW
#define ROW struct provider

static const struct result_field set_fields[] = {
	FIELD(ROW, name, "name", "Provider Name", UNIT_TEXT),
	COMPUTED("keywords", "Keywords", UNIT_TEXT, .make = make_set_keywords),
	COMPUTED("level", "Level", UNIT_TEXT, .make = make_set_level),
	FIELD(ROW, enabled_by, "enabled_by", "Enabled By", UNIT_TEXT),
	FIELD_END,
};

static const struct result_field set_list[] = {
	LIST(struct profile_list, profiles, "providers", "", SHAPE(set_fields)),
	FIELD_END,
};
static const struct result_kind set_kind = { .shape = SHAPE(set_list) };

struct result provider_set_result(const struct provider_set *set, struct arena *arena)
{
	struct profile_list *list = arena_new(arena, struct profile_list);

	list->profiles = ROWS_OF(set->providers, set->count);
	return (struct result){ .kind = &set_kind, .data = list };
}
