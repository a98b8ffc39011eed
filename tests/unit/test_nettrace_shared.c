/* SPDX-License-Identifier: MIT */
/* Real traces: ../shared/traces, or traces/ of the directory in SHARED. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/alloc.h"
#include "golden_traces.h"
#include "trace_reading.h"

#define RUNTIME "Microsoft-Windows-DotNETRuntime"
#define RUNDOWN "Microsoft-Windows-DotNETRuntimeRundown"
#define SAMPLER "Microsoft-DotNETCore-SampleProfiler"

/* Counts of one pass over a trace. */
struct tally {
	uint64_t events;
	uint64_t payload_bytes;
	int64_t oldest, youngest;
	uint64_t with_activity, with_related;
	uint64_t per_cpu[64]; /* the last one: unknown */
	size_t deepest;
	struct {
		uint64_t events;
		uint64_t bytes;
	} kinds[4096]; /* by index */
};

struct counted {
	struct builder file;
	struct pp_nettrace *trace;
	struct tally tally;
	struct pp_trace_totals totals;
};

static struct builder unpack(const char *name)
{
	const size_t length = strlen(name);
	struct builder file = { 0 };
	char command[8192];
	char piece[65536];
	FILE *pipe;
	size_t got;

	snprintf(command, sizeof(command), "%s '%s/%s'",
		 !strcmp(name + length - 4, ".zip") ? "unzip -p" : "zcat", golden_folder(), name);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	while ((got = fread(piece, 1, sizeof(piece), pipe)) > 0)
		put_bytes(&file, (struct literal){ piece, got });
	assert_int_equal(pclose(pipe), 0);
	return file;
}

static void count_event(struct tally *tally, const struct pp_event *e)
{
	const unsigned labels = e->labels ? e->labels->present : 0;

	assert_true(!tally->events || e->ticks >= tally->youngest);
	if (!tally->events++)
		tally->oldest = e->ticks;
	tally->youngest = e->ticks;
	tally->payload_bytes += e->payload_size;
	tally->with_activity += labels & PP_LABEL_ACTIVITY ? 1 : 0;
	tally->with_related += labels & PP_LABEL_RELATED ? 1 : 0;
	tally->per_cpu[e->cpu >= 0 && e->cpu < 63 ? e->cpu : 63]++;
	if (e->stack && e->stack->count > tally->deepest)
		tally->deepest = e->stack->count;
	assert_in_range(e->kind->index, 0, COUNT(tally->kinds) - 1);
	tally->kinds[e->kind->index].events++;
	tally->kinds[e->kind->index].bytes += e->payload_size;
}

static struct counted *count_trace(const char *name)
{
	struct counted *c = xcalloc(1, sizeof(*c));
	struct pp_error err = { 0 };
	const struct pp_event *e;
	enum pp_next next;

	c->file = unpack(name);
	c->trace = pp_nettrace_new(NULL, &(struct pp_error){ 0 });
	pp_nettrace_feed(c->trace, c->file.bytes, c->file.size);
	while ((next = pp_nettrace_next(c->trace, &e, &err)) > PP_NEXT_END)
		if (next == PP_NEXT_ITEM)
			count_event(&c->tally, e);
		else
			pp_nettrace_end(c->trace);
	assert_string_equal(err.text, "");
	c->totals = pp_nettrace_totals(c->trace);
	assert_int_equal(c->totals.events, c->tally.events);
	assert_int_equal(c->totals.bytes, c->file.size);
	assert_int_equal(c->totals.late, 0);
	return c;
}

static void counted_free(struct counted *c)
{
	pp_nettrace_free(c->trace);
	builder_release(&c->file);
	xfree(c);
}

static bool is_kind(const struct pp_kind *k, const char *provider, int64_t id)
{
	return !strcmp(k->provider, provider) && (id < 0 || k->id == id);
}

/* Events of a provider and id, or of all its ids for -1. */
static uint64_t events_of(const struct counted *c, const char *provider, int64_t id)
{
	const struct pp_kind *k;
	uint64_t sum = 0;

	for (size_t i = 0; (k = pp_nettrace_kind(c->trace, i)); i++)
		sum += is_kind(k, provider, id) ? c->tally.kinds[i].events : 0;
	return sum;
}

static uint64_t bytes_of(const struct counted *c, const char *provider, int64_t id)
{
	const struct pp_kind *k;
	uint64_t sum = 0;

	for (size_t i = 0; (k = pp_nettrace_kind(c->trace, i)); i++)
		sum += is_kind(k, provider, id) ? c->tally.kinds[i].bytes : 0;
	return sum;
}

static int64_t number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	assert_true(json_is_integer(value));
	return json_integer_value(value);
}

/* "2026-11-15T03:24:28.018Z" */
static int64_t utc_ns(const char *text)
{
	struct tm tm = { 0 };
	int ms;

	assert_int_equal(sscanf(text, "%d-%d-%dT%d:%d:%d.%d", &tm.tm_year, &tm.tm_mon, &tm.tm_mday,
				&tm.tm_hour, &tm.tm_min, &tm.tm_sec, &ms),
			 7);
	tm.tm_year -= 1900;
	tm.tm_mon--;
	return (int64_t)timegm(&tm) * 1000000000 + ms * INT64_C(1000000);
}

static void check_header(const struct pp_trace_header *h, const json_t *golden)
{
	assert_int_equal(h->version, number(golden, "version"));
	assert_int_equal(h->start_ns,
			 utc_ns(json_string_value(json_object_get(golden, "syncTimeUtc"))));
	assert_int_equal(h->start_ticks, number(golden, "syncTimeQpc"));
	assert_int_equal(h->ticks_per_second, number(golden, "qpcFrequency"));
	assert_int_equal(h->pointer_size, number(golden, "pointerSize"));
	assert_int_equal(h->process_id, number(golden, "processId"));
	/* which NativeAOT does not count */
	assert_int_equal(h->native_aot, number(golden, "processors") == 0xFFFF);
	assert_int_equal(h->processors, h->native_aot ? -1 : number(golden, "processors"));
	assert_int_equal(h->sampling_ns, number(golden, "samplingRate"));
}

static void check_threads(const struct counted *c, json_t *golden)
{
	const struct pp_thread *t;
	size_t with_events = 0;

	for (size_t i = 0; (t = pp_nettrace_thread(c->trace, i)); i++) {
		char id[32];

		if (!t->events)
			continue;
		snprintf(id, sizeof(id), "%lld", (long long)t->id);
		assert_int_equal(t->events, number(golden, id));
		with_events++;
	}
	assert_int_equal(with_events, json_object_size(golden));
}

/* The sum of a number over all names of this provider and id, since an id may have several. */
static uint64_t golden_sum(json_t *names, const char *provider, int64_t id, const char *what)
{
	const char *key;
	json_t *value;
	char prefix[512];
	uint64_t sum = 0;

	snprintf(prefix, sizeof(prefix), "%s/%lld/", provider, (long long)id);
	json_object_foreach(names, key, value)
	{
		if (!strncmp(key, prefix, strlen(prefix)))
			sum += (uint64_t)number(value, what);
	}
	return sum;
}

static void check_kinds(const struct counted *c, json_t *stream)
{
	json_t *names = json_object_get(stream, "eventsPerName");
	const char *provider;
	const struct pp_kind *k;
	json_t *count;

	for (size_t i = 0; (k = pp_nettrace_kind(c->trace, i)); i++) {
		if (is_kind(k, RUNTIME, 39)) /* TraceEvent gives GCDynamic events ids of its own */
			continue;
		assert_int_equal(events_of(c, k->provider, k->id),
				 golden_sum(names, k->provider, k->id, "Events"));
		assert_int_equal(bytes_of(c, k->provider, k->id),
				 golden_sum(names, k->provider, k->id, "Bytes"));
	}
	json_object_foreach(json_object_get(stream, "eventsPerProvider"), provider, count)
		assert_int_equal(events_of(c, provider, -1), json_integer_value(count));
}

/*
 * .NET's reader takes the first number of a thread that it sees in versions 4 and 5 as where the
 * thread begins, so that what was lost before is missing in its figure.
 */
static uint64_t lost_as_dotnet_counts(const struct counted *c)
{
	return c->totals.lost - c->totals.lost_before;
}

static void check_stream(const struct counted *c, json_t *stream)
{
	assert_true(c->totals.complete);
	assert_int_equal(c->tally.events, number(stream, "events"));
	assert_int_equal(lost_as_dotnet_counts(c), number(stream, "eventsLost"));
	assert_int_equal(c->tally.oldest, number(stream, "minQpc"));
	assert_int_equal(c->tally.youngest, number(stream, "maxQpc"));
	assert_int_equal(c->tally.payload_bytes, number(stream, "payloadBytes"));
	assert_int_equal(c->tally.with_activity, number(stream, "eventsWithActivityId"));
	assert_int_equal(c->tally.with_related, number(stream, "eventsWithRelatedActivityId"));
	check_threads(c, json_object_get(stream, "eventsPerThread"));
	check_kinds(c, stream);
}

/* .NET's reader drops the events it holds back when a trace ends early. */
static uint64_t events_of_cut_trace(const char *name)
{
	if (!strcmp(name, "dotnet10/truncated"))
		return 12359;
	if (!strcmp(name, "dotnet10/truncated-midblock"))
		return 8842;
	return !strcmp(name, "dotnet10/target-killed") ? 9567 : 0;
}

static void check_golden(const char *name)
{
	json_t *golden = golden_load(name);
	struct counted *c;
	char path[8192];

	print_message("%s\n", name);

	snprintf(path, sizeof(path), "%s.nettrace.gz", name);
	c = count_trace(path);
	assert_int_equal(c->file.size, number(golden, "bytes"));
	check_header(pp_nettrace_header(c->trace), json_object_get(golden, "header"));
	if (events_of_cut_trace(name)) {
		assert_int_equal(c->tally.events, events_of_cut_trace(name));
		assert_false(c->totals.complete);
	} else {
		check_stream(c, json_object_get(golden, "stream"));
	}
	counted_free(c);
	json_decref(golden);
}

static void check_folder(const char *folder, size_t count)
{
	char pattern[8192];
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s/%s/*.nettrace.gz", golden_folder(), folder);
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	assert_int_equal(found.gl_pathc, count);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		char *name = found.gl_pathv[i] + strlen(golden_folder()) + 1;

		*strstr(name, ".nettrace.gz") = '\0';
		check_golden(name);
	}
	globfree(&found);
}

static void finds_in_traces_of_net_10_what_traceevent_finds(void **state)
{
	(void)state;
	check_folder("dotnet10", 23);
}

/* .NET Core 3.1, .NET 8 and 9, NativeAOT 8 and 9. */
static void finds_in_traces_of_other_runtimes_what_traceevent_finds(void **state)
{
	(void)state;
	check_folder("runtimes", 10);
}

/* A few traces in each way of feeding, by pieces of random sizes. */
static void reads_real_traces_the_same_in_any_pieces(void **state)
{
	static const char *const names[] = {
		"dotnet10/no-events.nettrace.gz",
		"dotnet10/target-killed.nettrace.gz",
		"dotnet10/cpu-sampled-thread-time.nettrace.gz",
		"nettrace/eventpipe-dotnetcore2.1-linux-x64-tracelogging.netperf.zip",
		"nettrace/eventpipe-dotnetcore5.0-win-x64-arraytypes.nettrace.zip",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		struct builder file = unpack(names[i]);
		const uint64_t whole = digest_of(built(&file), (struct reading_options){ 0 });

		for (uint32_t seed = 1; seed <= 9; seed++)
			assert_int_equal(
				whole,
				digest_of(built(&file), (struct reading_options){
								.feeding = (enum feeding)(seed % 3),
								.piece = seed < 4 ? 100 : 200000,
								.seed = seed }));
		builder_release(&file);
	}
}

static void reads_version_3_of_32_bits(void **state)
{
	struct counted *c =
		count_trace("nettrace/eventpipe-dotnetcore2.1-win-x86-objver3.netperf.zip");
	const struct pp_trace_header *h = pp_nettrace_header(c->trace);

	(void)state;
	assert_true(h->netperf);
	assert_int_equal(h->version, 3);
	assert_int_equal(h->pointer_size, 4);
	assert_int_equal(h->process_id, 3312);
	assert_int_equal(h->processors, 4);
	assert_int_equal(h->ticks_per_second, 2533315);
	assert_int_equal(h->sampling_ns, 1000000);
	assert_true(c->totals.complete);
	assert_in_range(c->tally.events, 28000, 28718); /* of 28,719 records with the metadata */
	assert_int_equal(events_of(c, SAMPLER, -1), 6);
	assert_int_equal(events_of(c, RUNTIME, 1), 10);
	assert_int_equal(events_of(c, RUNTIME, 2), 10);
	assert_int_equal(events_of(c, RUNTIME, 23), 80);
	counted_free(c);
}

/* 64 threads wrote 50,000 events each into a buffer of 1 MB; 23 of them got a part of it. */
static void counts_all_losses_of_threads_that_were_seen(void **state)
{
	struct counted *c = count_trace("hostile/loss-y1.nettrace.gz");

	(void)state;
	assert_true(c->totals.complete);
	assert_int_equal(events_of(c, "Flood-Source", -1) + c->totals.lost, 23 * 50000);
	assert_int_equal(c->totals.lost_before, 544183);
	assert_int_equal(lost_as_dotnet_counts(c), 59759 + 471414);
	assert_true(c->totals.lost_at_least);
	counted_free(c);
}

static void reads_version_4(void **state)
{
	static const uint64_t per_cpu[] = { 30252, 23063, 20158, 32067, 0 };
	struct counted *c =
		count_trace("nettrace/eventpipe-dotnetcore3.0-win-x64-objver4.nettrace.zip");
	const struct pp_trace_header *h = pp_nettrace_header(c->trace);

	(void)state;
	assert_int_equal(h->version, 4);
	assert_int_equal(h->pointer_size, 8);
	assert_int_equal(h->process_id, 10064);
	assert_int_equal(h->processors, 4);
	assert_int_equal(h->ticks_per_second, 3124099);
	assert_true(c->totals.complete);
	assert_int_equal(c->tally.events, 105540);
	assert_int_equal(c->totals.lost, 0);
	for (size_t i = 0; i < COUNT(per_cpu); i++)
		assert_int_equal(c->tally.per_cpu[i], per_cpu[i]);
	assert_int_equal(c->tally.per_cpu[63], 0);
	assert_int_equal(events_of(c, SAMPLER, -1), 35161);
	assert_int_equal(events_of(c, RUNTIME, 10), 35458); /* allocation ticks */
	assert_int_equal(events_of(c, RUNTIME, 1), 478);
	assert_int_equal(events_of(c, RUNTIME, 2), 478);
	assert_int_equal(events_of(c, RUNTIME, 9), 5953); /* suspend */
	assert_int_equal(events_of(c, RUNTIME, 3), 6002); /* restart */
	assert_in_range(c->totals.stacks, 1, 1762);
	assert_non_null(pp_nettrace_kind(c->trace, 30));
	assert_null(pp_nettrace_kind(c->trace, 39)); /* 39 definitions */
	counted_free(c);
}

static void reads_samples(void **state)
{
	struct counted *managed = count_trace("nettrace/only_managed_samples.nettrace.zip");
	struct counted *heart = count_trace("nettrace/HeartRateMonitor.10068.nettrace.zip");

	(void)state;
	assert_int_equal(pp_nettrace_header(managed->trace)->process_id, 60178);
	assert_int_equal(managed->tally.events, 37603);
	assert_int_equal(events_of(managed, SAMPLER, -1), 7423);
	assert_int_equal(events_of(managed, RUNDOWN, 144), 408);
	assert_int_equal(managed->tally.deepest, 4);
	assert_int_equal(pp_nettrace_header(heart->trace)->process_id, 10068);
	assert_int_equal(pp_nettrace_header(heart->trace)->pointer_size, 4);
	assert_int_equal(heart->tally.events, 114565);
	assert_int_equal(events_of(heart, SAMPLER, -1), 921);
	assert_int_equal(events_of(heart, RUNDOWN, 144), 106881);
	assert_int_equal(heart->tally.deepest, 57);
	counted_free(managed);
	counted_free(heart);
}

static struct reading read_shared(const char *name)
{
	struct builder file = unpack(name);
	struct reading r = read_built(&file);

	builder_release(&file);
	assert_string_equal(r.err.text, "");
	assert_true(r.totals.complete);
	return r;
}

static void expect_array(const struct pp_field *field, enum pp_type_code element)
{
	assert_int_equal(field->type.code, PP_TYPE_ARRAY);
	assert_int_equal(field->type.element->code, element);
}

static void reads_field_lists_with_arrays(void **state)
{
	struct reading r =
		read_shared("nettrace/eventpipe-dotnetcore5.0-win-x64-arraytypes.nettrace.zip");
	unsigned found = 0;

	(void)state;
	assert_int_equal(r.count, 1970);
	for (size_t i = 0; i < r.count; i++) {
		const struct pp_kind *k = r.events[i].kind;
		const struct pp_field *f = k->fields.list;

		if (strcmp(k->provider, "TestEventSource0") || strncmp(k->name, "TestEvent", 9))
			continue;
		found++;
		if (!strcmp(k->name, "TestEvent1")) {
			assert_int_equal(k->level, 2);
			assert_int_equal(k->fields.count, 3);
			expect_array(&f[0], PP_TYPE_U32);
			expect_array(&f[1], PP_TYPE_I16);
			assert_int_equal(f[2].type.code, PP_TYPE_I64);
			assert_memory_equal(r.events[i].payload, "\x06\0\x7b\xe4\x2a\x79", 6);
		} else if (!strcmp(k->name, "TestEvent2")) {
			/* the runtime adds bits 44 to 47 */
			assert_int_equal(k->keywords, UINT64_C(0xf00000000000) + 1231036291);
			assert_int_equal(k->fields.count, 4);
			expect_array(&f[2], PP_TYPE_I32);
			expect_array(&f[3], PP_TYPE_U64);
		} else {
			assert_int_equal(k->opcode, 24);
			expect_array(&f[0], PP_TYPE_UTF16_UNIT);
		}
	}
	assert_int_equal(found, 3);
	reading_release(&r);
}

static void reads_self_describing_events_of_version_3(void **state)
{
	static const struct {
		const char *name;
		unsigned count;
	} expected[] = { { "SendEmptyEvent", 1 },   { "TestEmptyEvent", 2 },
			 { "TestEvent", 1 },	    { "TestEvent1", 3 },
			 { "TestEvent2", 3 },	    { "TestEventMethod", 1 },
			 { "TestNestedStructs", 1 } };
	struct reading r =
		read_shared("nettrace/eventpipe-dotnetcore2.1-linux-x64-tracelogging.netperf.zip");

	(void)state;
	assert_int_equal(r.header->process_id, 12365);
	assert_int_equal(r.count, 12);
	for (size_t i = 0; i < COUNT(expected); i++) {
		unsigned count = 0;

		for (size_t k = 0; k < r.count; k++)
			count += !strcmp(r.events[k].kind->name, expected[i].name);
		assert_int_equal(count, expected[i].count);
	}
	reading_release(&r);
}

/* Their payloads hold clock readings from before the session: u16, UTF-16 name, i64 ticks. */
static void reads_times_before_the_session(void **state)
{
	static const double expected_ms[] = { -15.97, 11.91, 12.20 };
	struct reading r = read_shared(
		"nettrace/eventpipe-dotnetcore6.0-win-x64-executioncheckpoints.nettrace.zip");

	(void)state;
	assert_int_equal(r.count, 3);
	for (size_t i = 0; i < 3; i++) {
		int64_t ticks;
		double ms;

		assert_string_equal(r.events[i].kind->provider, RUNDOWN);
		memcpy(&ticks, r.events[i].payload + r.events[i].payload_size - 8, 8);
		ms = (double)pp_trace_time_ns(r.header, ticks) / 1e6;
		assert_true(ms > expected_ms[i] - 0.006 && ms < expected_ms[i] + 0.006);
	}
	reading_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_in_traces_of_net_10_what_traceevent_finds),
		cmocka_unit_test(finds_in_traces_of_other_runtimes_what_traceevent_finds),
		cmocka_unit_test(reads_real_traces_the_same_in_any_pieces),
		cmocka_unit_test(reads_version_3_of_32_bits),
		cmocka_unit_test(reads_version_4),
		cmocka_unit_test(counts_all_losses_of_threads_that_were_seen),
		cmocka_unit_test(reads_samples),
		cmocka_unit_test(reads_field_lists_with_arrays),
		cmocka_unit_test(reads_self_describing_events_of_version_3),
		cmocka_unit_test(reads_times_before_the_session),
	};

	if (system("command -v unzip zcat >/dev/null")) {
		puts("skipped: needs unzip and zcat");
		return 77;
	}
	return golden_are_there() ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
