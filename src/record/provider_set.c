/* SPDX-License-Identifier: MIT */
#include "record/provider_set.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/error.h"
#include "perfpipe/session.h"
#include "record/provider_grammar.h"
#include "record/provider_names.h"

#define BY_PROVIDERS "--providers"

static void note(struct provider_set *set, const char *fmt, ...) PRINTF_LIKE(2, 3);

static void note(struct provider_set *set, const char *fmt, ...)
{
	va_list args;

	set->notes = xgrow(set->notes, set->note_count, &set->note_capacity, sizeof(*set->notes));
	va_start(args, fmt);
	set->notes[set->note_count++] = arena_vprintf(&set->arena, fmt, args);
	va_end(args);
}

static struct provider *find(struct provider_set *set, const char *name)
{
	for (size_t i = 0; i < set->count; i++)
		if (!strcasecmp(set->providers[i].name, name))
			return &set->providers[i];
	return NULL;
}

static const char *copy(struct provider_set *set, const char *text)
{
	return text ? arena_text(&set->arena, text, strlen(text)) : NULL;
}

static int add_new(struct provider_set *set, const struct provider *provider, struct pp_error *err)
{
	if (set->count == PROVIDERS_MOST)
		return error_set(err, PP_ERROR_LIMIT, "more than %d providers in one session",
				 PROVIDERS_MOST);
	set->providers = xgrow(set->providers, set->count, &set->capacity, sizeof(*set->providers));
	set->providers[set->count++] = (struct provider){
		.name = copy(set, provider->name),
		.keywords = provider->keywords,
		.level = provider->level,
		.arguments = copy(set, provider->arguments),
		.enabled_by = copy(set, provider->enabled_by),
	};
	return 0;
}

/* Is it one of "--providers, --profile jit"? */
static bool is_listed(const char *list, const char *who)
{
	const size_t size = strlen(who);

	for (const char *at = list; (at = strstr(at, who)); at += size)
		if ((at == list || at[-1] == ' ') && (!at[size] || at[size] == ','))
			return true;
	return false;
}

static const char *add_who(struct provider_set *set, const char *list, const char *who)
{
	if (!list)
		return copy(set, who);
	return is_listed(list, who) ? list : arena_printf(&set->arena, "%s, %s", list, who);
}

/* Merged with the one of that name, if there is one; fails if their arguments differ. */
static int add(struct provider_set *set, const struct provider *provider, struct pp_error *err)
{
	struct provider *there = find(set, provider->name);

	if (!there)
		return add_new(set, provider, err);
	if (there->arguments && provider->arguments &&
	    strcmp(there->arguments, provider->arguments) != 0)
		return error_set(err, PP_ERROR_USAGE,
				 "provider %s is requested twice with different arguments, by %s "
				 "and by %s; give it once with all of them",
				 there->name, there->enabled_by, provider->enabled_by);
	there->keywords |= provider->keywords;
	there->level = level_merge(there->level, provider->level);
	if (!there->arguments)
		there->arguments = copy(set, provider->arguments);
	there->enabled_by = add_who(set, there->enabled_by, provider->enabled_by);
	return 0;
}

/* "gcheapdump, gcheapcollect and gcheapandtypenames" */
static const char *costly_names(struct provider_set *set)
{
	const char *names = costly_keywords[0].name;

	for (const struct costly_keyword *costly = costly_keywords + 1; costly->name; costly++)
		names = arena_printf(&set->arena, "%s%s%s", names, costly[1].name ? ", " : " and ",
				     costly->name);
	return names;
}

static void note_no_keywords(struct provider_set *set, const struct provider *provider)
{
	const char *left_out = "";

	if (provider->keywords != ALL_KEYWORDS)
		left_out = arena_printf(&set->arena,
					", except %s, which collect or dump the heap or slow down "
					"every allocation; --clrevents adds them",
					costly_names(set));
	note(set, "%s is given without keywords: all are enabled, at level %s(%u)%s",
	     provider->name, level_name(provider->level), provider->level, left_out);
}

/* About missing keywords and levels, and odd names. */
static void note_assumptions(struct provider_set *set, const struct provider_spec *spec,
			     const struct provider *provider)
{
	const char *near = known_provider_near(spec->name);

	if (provider_name_is_guid(spec->name))
		note(set, "%s looks like a GUID, but sessions know providers by name only",
		     spec->name);
	if (near)
		note(set, "%s is not one of .NET's own providers; did you mean %s?", spec->name,
		     near);
	if (!spec->has_keywords)
		note_no_keywords(set, provider);
	else if (!spec->has_level && provider->level != LEVEL_INFORMATIONAL)
		note(set, "%s is given without a level: enabled at level %s(%u)", spec->name,
		     level_name(provider->level), provider->level);
}

static int add_spec(struct provider_set *set, const struct provider_spec *spec,
		    struct pp_error *err)
{
	static const struct known_provider unknown = { .level = LEVEL_INFORMATIONAL };
	const struct known_provider *known = known_provider_find(spec->name);
	const struct known_provider *usual = known ? known : &unknown;
	const struct provider provider = {
		.name = spec->name,
		.keywords = spec->has_keywords ? spec->keywords : ALL_KEYWORDS & ~usual->on_request,
		.level = spec->has_level ? spec->level : usual->level,
		.arguments = spec->arguments,
		.enabled_by = BY_PROVIDERS,
	};

	note_assumptions(set, spec, &provider);
	return add(set, &provider, err);
}

static int add_list(struct provider_set *set, const char *list, struct pp_error *err)
{
	struct provider_spec *spec;

	if (provider_grammar_parse(list, &set->arena, &spec, err))
		return -1;
	for (; spec; spec = spec->next)
		if (add_spec(set, spec, err))
			return -1;
	return 0;
}

/* What profiles want of a DiagnosticSource, the only provider that they have arguments for, is a
 * list. */
static const char *unite_specs(struct provider_set *set, const char *a, const char *b)
{
	const char *list = strchr(b, '"') + 1;
	const size_t size = strlen(list) - 1;

	if (memmem(a, strlen(a), list, size))
		return a;
	return arena_printf(&set->arena, "%.*s%s", (int)strlen(a) - 1, a, list);
}

/* Of a provider that is given by name, a profile requests nothing. */
static int add_from_profile(struct provider_set *set, const struct provider *provider,
			    struct pp_error *err)
{
	struct provider *there = find(set, provider->name);
	struct provider wanted = *provider;

	if (!there)
		return add_new(set, provider, err);
	if (strcmp(there->enabled_by, BY_PROVIDERS) != 0) {
		if (there->arguments && wanted.arguments)
			there->arguments = wanted.arguments =
				unite_specs(set, there->arguments, wanted.arguments);
		return add(set, &wanted, err);
	}
	there->replaces = add_who(set, there->replaces, provider->enabled_by);
	return 0;
}

static void note_replaced(struct provider_set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		struct provider *provider = &set->providers[i];

		if (!provider->replaces)
			continue;
		note(set, BY_PROVIDERS " replaces what %s requests of %s", provider->replaces,
		     provider->name);
		provider->enabled_by = arena_printf(&set->arena, BY_PROVIDERS " (replaces %s)",
						    provider->replaces);
	}
}

static int add_profile(struct provider_set *set, const struct profile *profile,
		       enum profile_verb verb, struct pp_error *err)
{
	char who[TOKEN_SIZE];

	if (!(profile->verbs & verb))
		return error_set(err, PP_ERROR_USAGE, "profile %s is not for this command, %s",
				 profile->name, profile->instead);
	snprintf(who, sizeof(who), "--profile %s", profile->name);
	for (const struct profile_provider *p = profile->providers; p->name; p++) {
		const struct provider provider = {
			.name = p->name,
			.keywords = p->keywords,
			.level = p->level,
			.arguments = p->arguments,
			.enabled_by = who,
		};

		if (add_from_profile(set, &provider, err))
			return -1;
	}
	set->rundown |= profile->rundown;
	return 0;
}

static int add_profiles(struct provider_set *set, const char *list, enum profile_verb verb,
			struct pp_error *err)
{
	char name[TOKEN_SIZE];

	while (token_next(&list, ",", name)) {
		const struct profile *profile = profile_find(name, err);

		if (!profile || add_profile(set, profile, verb, err))
			return -1;
	}
	note_replaced(set);
	return 0;
}

static int add_clr_events(struct provider_set *set, const struct provider_request *request,
			  struct pp_error *err)
{
	struct provider runtime = { .name = RUNTIME_PROVIDER, .enabled_by = "--clrevents" };
	int level = LEVEL_INFORMATIONAL;

	if (request->clr_event_level)
		level = level_parse(request->clr_event_level, err);
	if (level < 0)
		return -1;
	if (!request->clr_events) {
		note(set, "the level has no effect without keywords of the runtime");
		return 0;
	}
	runtime.level = (unsigned)level;
	if (clr_keywords_parse(request->clr_events, &runtime.keywords, err))
		return -1;
	return add(set, &runtime, err);
}

static void note_costs(struct provider_set *set)
{
	const struct provider *runtime = find(set, RUNTIME_PROVIDER);

	for (const struct costly_keyword *costly = costly_keywords; costly->name; costly++)
		if (runtime && runtime->keywords & costly->bit)
			note(set, "%s (0x%" PRIx64 ") %s", costly->name, costly->bit,
			     costly->effect);
}

/* Profiles have their own rundown; other providers get the default one, so that stacks have names.
 */
static void choose_rundown(struct provider_set *set, const struct provider_request *request)
{
	if (request->providers || request->clr_events || request->rundown == RUNDOWN_ON)
		set->rundown |= PP_RUNDOWN_DEFAULT;
	if (request->rundown == RUNDOWN_OFF)
		set->rundown = 0;
}

static const char *default_profiles(enum profile_verb verb)
{
	return verb == PROFILE_COLLECT ? "dotnet-common,dotnet-sampled-thread-time"
				       : "dotnet-common,cpu-sampling";
}

int provider_set_fill(struct provider_set *set, const struct provider_request *request,
		      struct pp_error *err)
{
	const char *profile_list = request->profiles;

	if (!profile_list && !request->providers && !request->clr_events) {
		profile_list = default_profiles(request->verb);
		note(set, "no profile or provider given: recording with --profile %s",
		     profile_list);
	}
	if ((request->providers && add_list(set, request->providers, err)) ||
	    (profile_list && add_profiles(set, profile_list, request->verb, err)))
		return -1;
	if ((request->clr_events || request->clr_event_level) && add_clr_events(set, request, err))
		return -1;
	if (!set->count && request->verb == PROFILE_COLLECT)
		return error_set(err, PP_ERROR_USAGE,
				 "no provider given; name one, or a profile that perfpipe "
				 "list-profiles shows");
	note_costs(set);
	choose_rundown(set, request);
	return 0;
}

void provider_set_release(struct provider_set *set)
{
	xfree(set->providers);
	xfree(set->notes);
	arena_release(&set->arena);
	*set = (struct provider_set){ 0 };
}
