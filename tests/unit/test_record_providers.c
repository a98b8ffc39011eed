/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/array.h"
#include "perfpipe/session.h"
#include "record/provider_names.h"
#include "record/provider_set.h"

static struct provider_set set;
static struct pp_error err;

static int release(void **state)
{
	(void)state;
	provider_set_release(&set);
	return 0;
}

static int fill(struct provider_request request)
{
	provider_set_release(&set);
	err = (struct pp_error){ 0 };
	if (!request.verb)
		request.verb = PROFILE_COLLECT;
	return provider_set_fill(&set, &request, &err);
}

#define FILL(...) fill((struct provider_request){ __VA_ARGS__ })

static void assert_filled(int result)
{
	if (result)
		fail_msg("%s", err.text);
}

static void assert_refused(int result, const char *text)
{
	assert_int_equal(result, -1);
	assert_string_equal(err.text, text);
}

static const struct provider *find(const char *name)
{
	for (size_t i = 0; i < set.count; i++)
		if (!strcmp(set.providers[i].name, name))
			return &set.providers[i];
	fail_msg("no provider %s", name);
	return NULL;
}

static void assert_provider(const char *name, uint64_t keywords, unsigned level)
{
	const struct provider *provider = find(name);

	assert_true(provider->keywords == keywords);
	assert_int_equal(provider->level, level);
}

static void uses_the_default_profiles_and_says_so(void **state)
{
	(void)state;
	assert_filled(fill((struct provider_request){ 0 }));
	assert_int_equal(set.count, 2);
	assert_provider(RUNTIME_PROVIDER, 0x100003801D, 4);
	assert_provider(SAMPLE_PROVIDER, 0xF00000000000, 4);
	assert_int_equal(set.note_count, 1);
	assert_string_equal(set.notes[0], "no profile or provider given: recording with "
					  "--profile dotnet-common,dotnet-sampled-thread-time");
	assert_filled(FILL(.verb = PROFILE_COLLECT_LINUX));
	assert_int_equal(set.count, 1);
}

static void merges_profiles_by_keywords_and_level(void **state)
{
	(void)state;
	assert_filled(FILL(.profiles = "dotnet-common, GC-Verbose"));
	assert_int_equal(set.count, 1);
	assert_provider(RUNTIME_PROVIDER, 0x100003801F, 5);
	assert_string_equal(set.providers[0].enabled_by,
			    "--profile dotnet-common, --profile gc-verbose");
	assert_filled(FILL(.profiles = "jit,jit"));
	assert_string_equal(set.providers[0].enabled_by, "--profile jit");
}

static void providers_replace_profiles_and_clr_events_add(void **state)
{
	(void)state;
	assert_filled(FILL(.providers = "microsoft-windows-dotnetruntime:2:3,Orders:1:5",
			   .profiles = "exceptions", .clr_events = "GC+Contention",
			   .clr_event_level = "verbose"));
	assert_int_equal(set.count, 2);
	assert_provider("microsoft-windows-dotnetruntime", 0x4003, 5);
	assert_string_equal(set.providers[0].enabled_by,
			    "--providers (replaces --profile exceptions), --clrevents");
	assert_string_equal(set.providers[1].enabled_by, "--providers");
	assert_int_equal(set.note_count, 1);
	assert_string_equal(set.notes[0], "--providers replaces what --profile exceptions requests "
					  "of microsoft-windows-dotnetruntime");
}

static void providers_replace_all_profiles_at_once(void **state)
{
	(void)state;
	assert_filled(FILL(.providers = RUNTIME_PROVIDER ":2:3", .profiles = "gc-collect,jit,jit"));
	assert_int_equal(set.count, 2);
	assert_provider(RUNTIME_PROVIDER, 2, 3);
	assert_string_equal(find(RUNTIME_PROVIDER)->enabled_by,
			    "--providers (replaces --profile gc-collect, --profile jit)");
	assert_provider("Microsoft-Windows-DotNETRuntimePrivate", 1, 4);
	assert_int_equal(set.note_count, 1);
	assert_string_equal(set.notes[0],
			    "--providers replaces what --profile gc-collect, --profile jit "
			    "requests of " RUNTIME_PROVIDER);
}

static void clr_events_add_to_profiles(void **state)
{
	(void)state;
	assert_filled(FILL(.profiles = "exceptions", .clr_events = "gc"));
	assert_provider(RUNTIME_PROVIDER, 0x8001, 4);
	assert_string_equal(find(RUNTIME_PROVIDER)->enabled_by,
			    "--profile exceptions, --clrevents");
	assert_int_equal(set.note_count, 0);
}

static void merges_a_provider_that_is_named_twice(void **state)
{
	(void)state;
	assert_filled(FILL(.providers = "Orders:1:2,Other:1,ORDERS:6:4:Key=1"));
	assert_int_equal(set.count, 2);
	assert_provider("Orders", 7, 4);
	assert_string_equal(find("Orders")->arguments, "Key=1");
	assert_string_equal(find("Orders")->enabled_by, "--providers");
	assert_filled(FILL(.providers = "Orders:1:0,Orders:1:3"));
	assert_provider("Orders", 1, 5);
}

static void keeps_the_arguments_of_either_duplicate(void **state)
{
	(void)state;
	assert_filled(FILL(.providers = "A:1:4:K=1,A:2:4"));
	assert_string_equal(find("A")->arguments, "K=1");
	assert_filled(FILL(.providers = "A:1:4:K=1,A:2:4:K=1"));
	assert_string_equal(find("A")->arguments, "K=1");
	assert_refused(FILL(.providers = "A:1:4:K=1,a:2:4:K=2"),
		       "provider A is requested twice with different arguments, by --providers and "
		       "by --providers; give it once with all of them");
	assert_filled(FILL(.providers = "Microsoft-Diagnostics-DiagnosticSource:3:5:"
					"FilterAndPayloadSpecs=x",
			   .profiles = "database"));
	assert_string_equal(find("Microsoft-Diagnostics-DiagnosticSource")->arguments,
			    "FilterAndPayloadSpecs=x");
}

static void enables_all_keywords_of_a_bare_name_and_says_so(void **state)
{
	(void)state;
	assert_filled(FILL(.providers = "Orders"));
	assert_provider("Orders", UINT64_MAX, 4);
	assert_string_equal(set.notes[0], "Orders is given without keywords: all are "
					  "enabled, at level Informational(4)");
	assert_filled(FILL(.providers = "System.Buffers.ArrayPoolEventSource"));
	assert_provider("System.Buffers.ArrayPoolEventSource", UINT64_MAX, 5);
	assert_filled(FILL(.providers = "Orders::2"));
	assert_provider("Orders", UINT64_MAX, 2);
	assert_filled(FILL(.providers = "Orders:0"));
	assert_provider("Orders", 0, 4);
	assert_int_equal(set.note_count, 0);
}

/* Of its spellings; 0 is a set of keywords like any other, the empty one. */
static void leaves_out_costly_keywords_where_none_are_given(void **state)
{
	static const char *const spellings[] = { "", ":", "::", ":::", ": :4" };

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(spellings); i++) {
		char list[64];

		snprintf(list, sizeof(list), RUNTIME_PROVIDER "%s", spellings[i]);
		assert_filled(FILL(.providers = list));
		assert_provider(RUNTIME_PROVIDER, UINT64_C(0xFFFFFFFFFC0FFFFF), 4);
		assert_int_equal(set.note_count, 1);
	}
	assert_string_equal(set.notes[0], RUNTIME_PROVIDER
			    " is given without keywords: all are enabled, at level "
			    "Informational(4), except gcheapdump, gcsampledobjectallocationhigh, "
			    "gcheapsurvivalandmovement, gcheapcollect, gcheapandtypenames and "
			    "gcsampledobjectallocationlow, which collect or dump the heap or slow "
			    "down every allocation; --clrevents adds them");
	assert_filled(FILL(.providers = "microsoft-windows-dotnetruntime::5"));
	assert_provider("microsoft-windows-dotnetruntime", UINT64_C(0xFFFFFFFFFC0FFFFF), 5);
	assert_filled(FILL(.providers = "Microsoft-Windows-DotNETRuntimeRundown"));
	assert_provider("Microsoft-Windows-DotNETRuntimeRundown", UINT64_MAX, 4);
}

static void keeps_keywords_exactly_as_given(void **state)
{
	(void)state;
	assert_filled(FILL(.providers = RUNTIME_PROVIDER ":0:5"));
	assert_provider(RUNTIME_PROVIDER, 0, 5);
	assert_filled(FILL(.providers = RUNTIME_PROVIDER ":0x8"));
	assert_provider(RUNTIME_PROVIDER, 8, 4);
	assert_int_equal(set.note_count, 0);
	assert_filled(FILL(.providers = RUNTIME_PROVIDER ":ffffffffffffffff:4"));
	assert_provider(RUNTIME_PROVIDER, UINT64_MAX, 4);
	assert_filled(FILL(.providers = RUNTIME_PROVIDER, .clr_events = "gcheapcollect"));
	assert_provider(RUNTIME_PROVIDER, UINT64_C(0xFFFFFFFFFC8FFFFF), 4);
}

static bool has_note(const char *text)
{
	for (size_t i = 0; i < set.note_count; i++)
		if (!strcmp(set.notes[i], text))
			return true;
	return false;
}

static void says_what_costly_keywords_do(void **state)
{
	(void)state;
	assert_filled(FILL(.clr_events = "gc+gcheapcollect+gcheapdump"));
	assert_int_equal(set.note_count, 2);
	assert_true(
		has_note("gcheapcollect (0x800000) forces a full GC when the recording starts"));
	assert_true(has_note("gcheapdump (0x100000) writes every object at each GC that "
			     "gcheapcollect forces"));
	assert_filled(FILL(.providers = "Orders:ffffffffffffffff:4"));
	assert_int_equal(set.note_count, 0);
}

static void uses_the_default_level(void **state)
{
	(void)state;
	assert_filled(FILL(.providers = "Microsoft-Extensions-Logging:4"));
	assert_provider("Microsoft-Extensions-Logging", 4, 5);
	assert_string_equal(set.notes[0], "Microsoft-Extensions-Logging is given without a level: "
					  "enabled at level Verbose(5)");
}

static void warns_about_a_name_close_to_a_known_one(void **state)
{
	(void)state;
	assert_filled(FILL(.providers = "Microsoft-Windows-DotNETRuntme:1:4"));
	assert_int_equal(set.note_count, 1);
	assert_string_equal(
		set.notes[0],
		"Microsoft-Windows-DotNETRuntme is not one of .NET's own providers; did "
		"you mean Microsoft-Windows-DotNETRuntime?");
	assert_filled(FILL(.providers = "microsoft-windows-dotnetruntime:1:4,My-Source:1,"
					"System.Net.Http.Mine:1,System.Net:1"));
	assert_int_equal(set.note_count, 0);
}

static void warns_about_a_guid(void **state)
{
	(void)state;
	assert_filled(FILL(.providers = "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4:1:4"));
	assert_int_equal(set.note_count, 1);
	assert_non_null(strstr(set.notes[0], "looks like a GUID"));
}

static void accepts_the_names_of_clr_events(void **state)
{
	(void)state;
	assert_filled(FILL(.clr_events = "gc+ managedheadcollect +AllocationSampling"));
	assert_provider(RUNTIME_PROVIDER, 0x80000800001, 4);
	assert_refused(FILL(.clr_events = "gc+execption"),
		       "unknown keyword 'execption'; did you mean exception?");
	assert_refused(FILL(.clr_events = "gc+0x1"),
		       "unknown keyword '0x1'; use names such as gc+exception+loader");
	assert_refused(FILL(.clr_events = ""),
		       "no keyword given; use names such as gc+exception+loader");
	assert_refused(FILL(.clr_events = "gc", .clr_event_level = "warnin"),
		       "unknown level 'warnin'; did you mean Warning?");
}

static void says_that_a_level_alone_does_nothing(void **state)
{
	(void)state;
	assert_filled(FILL(.profiles = "jit", .clr_event_level = "5"));
	assert_string_equal(set.notes[0],
			    "the level has no effect without keywords of the runtime");
	assert_int_equal(FILL(.profiles = "jit", .clr_event_level = "loud"), -1);
}

static void rejects_unknown_profiles(void **state)
{
	(void)state;
	assert_refused(FILL(.profiles = "gc-verbos"),
		       "unknown profile 'gc-verbos'; did you mean gc-verbose?");
	assert_refused(FILL(.profiles = "everything"),
		       "unknown profile 'everything'; perfpipe list-profiles shows all "
		       "profiles");
	assert_refused(FILL(.profiles = "cpu-sampling"),
		       "profile cpu-sampling is not for this command, which samples all managed "
		       "threads with dotnet-sampled-thread-time");
	assert_refused(FILL(.verb = PROFILE_COLLECT_LINUX, .profiles = "startup"),
		       "profile startup is not for this command, which has dotnet-common, loader "
		       "and jit");
}

static void rejects_an_empty_selection(void **state)
{
	const char *text = "no provider given; name one, or a profile that perfpipe list-profiles "
			   "shows";

	(void)state;
	assert_refused(FILL(.providers = ""), text);
	assert_refused(FILL(.profiles = ","), text);
	assert_filled(FILL(.verb = PROFILE_COLLECT_LINUX, .profiles = "thread-time"));
	assert_int_equal(set.count, 0);
}

static void assert_rundown(uint64_t keywords)
{
	assert_true(set.rundown == keywords);
}

static void chooses_the_rundown(void **state)
{
	(void)state;
	assert_filled(FILL(.providers = "A:1"));
	assert_rundown(PP_RUNDOWN_DEFAULT);
	assert_filled(FILL(.clr_events = "gc"));
	assert_rundown(PP_RUNDOWN_DEFAULT);
	assert_filled(FILL(.profiles = "gc-collect"));
	assert_rundown(0x1);
	assert_filled(FILL(.profiles = "gc-collect,exceptions"));
	assert_rundown(PP_RUNDOWN_DEFAULT);
	assert_filled(FILL(.profiles = "gc-collect", .providers = "A:1"));
	assert_rundown(PP_RUNDOWN_DEFAULT);
	assert_filled(FILL(.profiles = "gc-collect", .rundown = RUNDOWN_ON));
	assert_rundown(PP_RUNDOWN_DEFAULT);
	assert_filled(FILL(.profiles = "dotnet-common", .rundown = RUNDOWN_OFF));
	assert_rundown(0);
}

static void limits_the_number_of_providers(void **state)
{
	static char list[20000];

	(void)state;
	list[0] = '\0';
	for (unsigned i = 0; i <= PROVIDERS_MOST; i++)
		sprintf(list + strlen(list), "p%u:1,", i);
	assert_refused(FILL(.providers = list), "more than 1000 providers in one session");
}

/* The table must be consistent with the merge rules. */
static void every_profile_is_valid(void **state)
{
	(void)state;
	for (const struct profile *profile = profiles; profile->name; profile++) {
		const enum profile_verb verb =
			profile->verbs & PROFILE_COLLECT ? PROFILE_COLLECT : PROFILE_COLLECT_LINUX;

		assert_filled(FILL(.verb = verb, .profiles = profile->name));
		assert_true(set.count || verb == PROFILE_COLLECT_LINUX);
		assert_int_equal(set.note_count, 0);
		assert_true((profile->verbs == PROFILE_BOTH) == !profile->instead);
		for (size_t i = 0; i < set.count; i++)
			assert_non_null(known_provider_find(set.providers[i].name));
	}
}

static void any_two_profiles_unite(void **state)
{
	(void)state;
	for (const struct profile *a = profiles; a->name; a++)
		for (const struct profile *b = profiles; b->name; b++) {
			char both[64];

			snprintf(both, sizeof(both), "%s,%s", a->name, b->name);
			if (a->verbs & b->verbs & PROFILE_COLLECT)
				assert_filled(FILL(.profiles = both));
		}
}

static void profiles_unite_what_a_diagnostic_source_writes(void **state)
{
	const char *specs;

	(void)state;
	assert_filled(FILL(.profiles = "database,aspnet"));
	specs = find("Microsoft-Diagnostics-DiagnosticSource")->arguments;
	assert_ptr_equal(strstr(specs, "FilterAndPayloadSpecs=\"SqlClientDiagnosticListener/"),
			 specs);
	assert_non_null(strstr(specs, "\nMicrosoft.AspNetCore/"));
	assert_null(strstr(specs + 1, "FilterAndPayloadSpecs"));
	assert_ptr_equal(strchr(strchr(specs, '"') + 1, '"'), specs + strlen(specs) - 1);
	assert_filled(FILL(.profiles = "aspnet,database,aspnet"));
	assert_null(strstr(strstr(find("Microsoft-Diagnostics-DiagnosticSource")->arguments,
				  "HttpRequestIn.Stop") +
				   1,
			   "HttpRequestIn.Stop"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uses_the_default_profiles_and_says_so),
		cmocka_unit_test(merges_profiles_by_keywords_and_level),
		cmocka_unit_test(providers_replace_profiles_and_clr_events_add),
		cmocka_unit_test(providers_replace_all_profiles_at_once),
		cmocka_unit_test(clr_events_add_to_profiles),
		cmocka_unit_test(merges_a_provider_that_is_named_twice),
		cmocka_unit_test(keeps_the_arguments_of_either_duplicate),
		cmocka_unit_test(enables_all_keywords_of_a_bare_name_and_says_so),
		cmocka_unit_test(leaves_out_costly_keywords_where_none_are_given),
		cmocka_unit_test(keeps_keywords_exactly_as_given),
		cmocka_unit_test(says_what_costly_keywords_do),
		cmocka_unit_test(uses_the_default_level),
		cmocka_unit_test(warns_about_a_name_close_to_a_known_one),
		cmocka_unit_test(warns_about_a_guid),
		cmocka_unit_test(accepts_the_names_of_clr_events),
		cmocka_unit_test(says_that_a_level_alone_does_nothing),
		cmocka_unit_test(rejects_unknown_profiles),
		cmocka_unit_test(rejects_an_empty_selection),
		cmocka_unit_test(chooses_the_rundown),
		cmocka_unit_test(limits_the_number_of_providers),
		cmocka_unit_test(every_profile_is_valid),
		cmocka_unit_test(any_two_profiles_unite),
		cmocka_unit_test(profiles_unite_what_a_diagnostic_source_writes),
	};

	return cmocka_run_group_tests(tests, NULL, release);
}
