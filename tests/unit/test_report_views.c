/* SPDX-License-Identifier: MIT */
/*
 * `info` lists a view if and only if `report` answers it: for every recording we have, and for
 * traces with a single event.
 */
#include <glob.h>
#include <stdio.h>
#include <unistd.h>

#include "clr/events.h"
#include "clr/providers.h"
#include "golden_traces.h"
#include "packed_input.h"
#include "places.h"
#include "record/trace_info.h"
#include "report/render.h"
#include "report/report.h"
#include "trace_reading.h"

/* The views that info lists, as a JSON array of the caller. */
static json_t *listed_views(const char *path)
{
	const struct manifest_found manifest = { 0 };
	struct trace_info_setup setup = { .path = path, .manifest = &manifest };
	struct pp_error err = { 0 };
	struct arena arena = { 0 };
	struct buffer text = { 0 };
	struct result result;
	struct pass pass;
	struct trace_file *file = trace_file_open(path, NULL, &err);
	json_t *info;
	json_t *views;

	assert_non_null(file);
	pass_init(&pass, NULL);
	setup.file = file;
	setup.inventory = pass_want(&pass, &inventory_analysis, NULL);
	pass_file(&pass, file, &err);
	pass_finish(&pass, file->trace);
	result = trace_info_result(&setup, &arena);
	render_json.render(&result, &(struct render_options){ 0 }, &text);
	info = json_loadb((const char *)text.bytes, text.size, 0, NULL);
	assert_non_null(info);
	views = json_incref(json_object_get(info, "views"));
	json_decref(info);
	buffer_release(&text);
	arena_release(&arena);
	pass_release(&pass);
	trace_file_close(file);
	return views;
}

static bool is_listed(const json_t *views, const char *name)
{
	for (size_t i = 0; i < json_array_size(views); i++)
		if (!strcmp(json_string_value(json_array_get(views, i)), name))
			return true;
	return false;
}

static bool answers(const char *path, const struct report_view *view)
{
	const struct report_setup setup = { .file = path, .rows = 1 };
	struct pp_error err = { 0 };
	struct arena arena = { 0 };
	struct report report;
	struct trace_file *file = trace_file_open(path, NULL, &err);
	bool answer;

	assert_int_equal(
		report_open(&report, view, report_default_args(view, &arena), &setup, &err), 0);
	pass_file(&report.pass, file, &err);
	pass_finish(&report.pass, file->trace);
	trace_file_close(file);
	err = (struct pp_error){ 0 };
	answer = !report_build(&report, &err) && report.result.data;
	report_close(&report);
	arena_release(&arena);
	return answer;
}

/* How many views differ. */
static size_t differences(const char *path, const char *what)
{
	json_t *views = listed_views(path);
	size_t count = 0;

	for (size_t i = 0; report_views[i]; i++) {
		const struct report_view *view = report_views[i];
		const bool listed = is_listed(views, view->name);

		if (!view->events || listed == answers(path, view))
			continue;
		print_error("%s: info %s %s, but report %s\n", what,
			    listed ? "lists" : "does not list", view->name,
			    listed ? "refuses it" : "answers it");
		count++;
	}
	json_decref(views);
	return count;
}

static size_t differences_of_all(const char *folder, const char *pattern, size_t *files)
{
	char path[4096];
	glob_t found;
	size_t count = 0;

	snprintf(path, sizeof(path), "%s/%s", folder, pattern);
	if (glob(path, 0, NULL, &found))
		return 0;
	for (size_t i = 0; i < found.gl_pathc; i++)
		count += differences(found.gl_pathv[i], found.gl_pathv[i]);
	*files += found.gl_pathc;
	globfree(&found);
	return count;
}

static void info_lists_what_report_answers(void **state)
{
	static const char *const patterns[] = { "dotnet10/*.nettrace.gz", "runtimes/*.nettrace.gz",
						"hostile/*.nettrace*", "nettrace/*.zip" };
	size_t files = 0;
	size_t count = differences_of_all(place_of_data(""), "*.nettrace.zst", &files);

	(void)state;
	if (golden_are_there())
		for (size_t i = 0; i < COUNT(patterns); i++)
			count += differences_of_all(golden_folder(), patterns[i], &files);
	print_message("%zu recordings\n", files);
	assert_true(files >= 10);
	assert_int_equal(count, 0);
}

struct single {
	const char *provider;
	uint32_t id;
	const char *name; /* "" for events of the runtime itself */
	uint32_t version;
};

/*
 * A trace with one event, whose fields are 2, and texts of a character. So a wait for a task is an
 * await: one that blocks its thread (1) is not a task.
 */
static size_t differences_of_event(const struct single *single, const char *what)
{
	char payload[512] = { 0 };
	struct builder b = build_start(4);
	char path[32];
	size_t count;

	for (size_t i = 0; i < sizeof(payload); i += 4)
		payload[i] = 2;
	build_metadata(&b);
	kind(&b, .id = 1, .provider = single->provider, .name = single->name,
	     .event_id = single->id, .version = single->version);
	build_close(&b);
	build_events(&b, PLAIN);
	event(&b, .kind = 1, .thread = 7, .ticks = 100,
	      .payload = (struct literal){ payload, sizeof(payload) });
	build_close(&b);
	build_end(&b);
	packed_to_file(&(const struct packed){ b.bytes, b.size, b.size }, path);
	builder_release(&b);
	count = differences(path, what);
	unlink(path);
	return count;
}

static void any_event_of_the_runtime_is_enough_or_not_listed(void **state)
{
	static const char *const providers[] = { CLR_RUNTIME_PROVIDER, CLR_RUNDOWN_PROVIDER,
						 CLR_PRIVATE_PROVIDER };
	size_t events = 0;
	size_t count = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(providers); i++)
		for (uint32_t id = 0; id < 400; id++) {
			const struct clr_event *known = clr_event_find(providers[i], id, UINT8_MAX);

			if (!known)
				continue;
			count += differences_of_event(
				&(const struct single){ providers[i], id, "", known->version },
				clr_text(known->name));
			events++;
		}
	print_message("%zu events\n", events);
	assert_true(events > 200);
	assert_int_equal(count, 0);
}

static void any_event_of_a_library_is_enough_or_not_listed(void **state)
{
	static const struct single events[] = {
		{ TPL_PROVIDER, 7, "TaskScheduled/Send", 0 },
		{ TPL_PROVIDER, 8, "TaskExecute/Start", 0 },
		{ TPL_PROVIDER, 9, "TaskExecute/Stop", 0 },
		{ TPL_PROVIDER, 10, "TaskWait/Send", 0 },
		{ TPL_PROVIDER, 11, "TaskWait/Stop", 0 },
		{ TPL_PROVIDER, 12, "AwaitTaskContinuationScheduled/Send", 0 },
		{ FRAMEWORK_PROVIDER, 30, "ThreadPoolEnqueueWork", 0 },
		{ FRAMEWORK_PROVIDER, 31, "ThreadPoolDequeueWork", 0 },
		{ ASPNETCORE_HOSTING_PROVIDER, 1, "HostStart", 0 },
		{ ASPNETCORE_HOSTING_PROVIDER, 3, "RequestStart", 0 },
		{ ASPNETCORE_HOSTING_PROVIDER, 4, "RequestStop", 0 },
		{ ASPNETCORE_HOSTING_PROVIDER, 5, "UnhandledException", 0 },
		{ KESTREL_PROVIDER, 1, "ConnectionStart", 0 },
		{ KESTREL_PROVIDER, 2, "ConnectionStop", 0 },
		{ KESTREL_PROVIDER, 3, "RequestStart", 0 },
		{ KESTREL_PROVIDER, 4, "RequestStop", 0 },
		{ KESTREL_PROVIDER, 5, "ConnectionRejected", 0 },
		{ KESTREL_PROVIDER, 8, "TlsHandshakeStart", 0 },
		{ KESTREL_PROVIDER, 9, "TlsHandshakeStop", 0 },
		{ KESTREL_PROVIDER, 10, "TlsHandshakeFailed", 0 },
		{ KESTREL_PROVIDER, 11, "Configuration", 0 },
		{ HTTP_PROVIDER, 1, "RequestStart", 0 },
		{ HTTP_PROVIDER, 2, "RequestStop", 0 },
		{ HTTP_PROVIDER, 3, "RequestFailed", 0 },
		{ HTTP_PROVIDER, 4, "ConnectionEstablished", 0 },
		{ HTTP_PROVIDER, 6, "RequestLeftQueue", 0 },
		{ HTTP_PROVIDER, 7, "RequestHeadersStart", 0 },
		{ NAME_RESOLUTION_PROVIDER, 1, "ResolutionStart", 0 },
		{ NAME_RESOLUTION_PROVIDER, 2, "ResolutionStop", 0 },
		{ NAME_RESOLUTION_PROVIDER, 3, "ResolutionFailed", 0 },
		{ NET_SECURITY_PROVIDER, 1, "HandshakeStart", 0 },
		{ NET_SECURITY_PROVIDER, 3, "HandshakeFailed", 0 },
		{ SOCKETS_PROVIDER, 1, "ConnectStart", 0 },
		{ SOCKETS_PROVIDER, 3, "ConnectFailed", 0 },
		{ SOCKETS_PROVIDER, 4, "AcceptStart", 0 },
		{ SOCKETS_PROVIDER, 6, "AcceptFailed", 0 },
		{ DIAGNOSTIC_SOURCE_PROVIDER, 1, "Message", 0 },
		{ DIAGNOSTIC_SOURCE_PROVIDER, 2, "Event", 0 },
		{ DIAGNOSTIC_SOURCE_PROVIDER, 4, "Activity1Start", 0 },
		{ DIAGNOSTIC_SOURCE_PROVIDER, 11, "ActivityStart", 0 },
		{ DIAGNOSTIC_SOURCE_PROVIDER, 12, "ActivityStop", 0 },
		{ DIAGNOSTIC_SOURCE_PROVIDER, 8, "RecursiveActivity1Start", 0 },
		{ METRICS_PROVIDER, 1, "Message", 0 },
		{ METRICS_PROVIDER, 7, "BeginInstrumentReporting", 0 },
	};
	size_t count = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(events); i++)
		count += differences_of_event(&events[i], events[i].name);
	assert_int_equal(count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(info_lists_what_report_answers),
		cmocka_unit_test(any_event_of_the_runtime_is_enough_or_not_listed),
		cmocka_unit_test(any_event_of_a_library_is_enough_or_not_listed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
