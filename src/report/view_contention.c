/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "analyze/contention.h"
#include "clr/enums.h"
#include "clr/providers.h"
#include "report/call_view.h"
#include "report/thread_sites.h"

#define LOCK_ROWS   15
#define METHOD_ROWS 15

#define ROW struct contention_owner

static const struct result_field owner_fields[] = {
	FIELD(ROW, thread_id, "thread_id", NULL, UNIT_ID),
	FIELD(ROW, sum.count, "count", NULL, UNIT_COUNT),
	FIELD(ROW, sum.total_ns, "total_ns", NULL, UNIT_TIME),
	FIELD(ROW, sum.max_ns, "max_ns", NULL, UNIT_TIME),
	FIELD_END,
};

struct lock_row {
	const struct contention_lock *lock;
	const char *name;
	const char *object;
	const char *method; /* where it was waited for longest; NULL: that was left out */
};

/* Filtered by stack, how many wait at once at those stacks is not known. */
static bool knows_waiting(const void *row)
{
	return !((const struct lock_row *)row)->lock->partly;
}

static bool has_owner(const void *row)
{
	return ((const struct lock_row *)row)->lock->owners;
}

static void get_owner(const void *row, struct result_value *value)
{
	value->number = ((const struct lock_row *)row)->lock->owners->thread_id;
}

#undef ROW
#define ROW struct lock_row

/* clang-format off */
#define LOCK(member_, key_, title_, ...) \
	FIELD_THROUGH(ROW, lock, struct contention_lock, member_, key_, title_, __VA_ARGS__)
/* clang-format on */

static const struct result_field lock_fields[] = {
	LOCK(process_id, "process_id", "Process", UNIT_ID, .flags = SHOWN_BY_PROCESS),
	LOCK(sum.count, "count", "Count", UNIT_COUNT),
	LOCK(sum.total_ns, "total_ns", "Waited", UNIT_TIME),
	LOCK(sum.max_ns, "max_ns", "Longest", UNIT_TIME),
	LOCK(waiting_most, "waiting_max", "At once", UNIT_COUNT, .known = knows_waiting),
	COMPUTED("owner_thread_id", "Owner", UNIT_ID, .known = has_owner, .get = get_owner),
	FIELD(ROW, object, "object", NULL, UNIT_TEXT),
	FIELD(ROW, name, "lock", "Lock", UNIT_TEXT, .flags = SHOWN_IF_ROOM),
	FIELD(ROW, method, "method", "Mostly in", UNIT_TEXT, .flags = METHOD),
	LINKED_LIST(struct contention_lock, owners, struct contention_owner, other, "owners",
		    SHAPE(owner_fields), .through = true, .through_offset = offsetof(ROW, lock)),
	FIELD_END,
};

#undef ROW
#define ROW struct site_row

/* clang-format off */
#define SITE_FIELDS(label_) \
	FIELD(ROW, labels[0], label_, NULL, UNIT_TEXT), \
	FIELD(ROW, count, "count", NULL, UNIT_COUNT), \
	FIELD(ROW, amount, "total_ns", NULL, UNIT_TIME), \
	FIELD(ROW, max_ns, "max_ns", NULL, UNIT_TIME), \
	SITE_FRAMES
/* clang-format on */

static const struct result_field lock_site_fields[] = { SITE_FIELDS("lock"), FIELD_END };
static const struct result_field handle_site_fields[] = { SITE_FIELDS("source"), FIELD_END };

/* One of the two kinds of waits. */
struct wait_result {
	bool recorded;
	struct contention_sum all;
	uint64_t unfinished, unstarted, native;
	uint64_t lock_count; /* 0 if they are not told apart */
	struct result_rows locks, sites;
	struct call_lists calls;
};

#define WAITS struct wait_result

/* clang-format off */
#define WAIT_FIELDS \
	FIELD(WAITS, all.count, "count", NULL, UNIT_COUNT, KNOWN_IF(WAITS, recorded)), \
	FIELD(WAITS, all.total_ns, "total_ns", NULL, UNIT_TIME, KNOWN_IF(WAITS, recorded)), \
	FIELD(WAITS, all.max_ns, "max_ns", NULL, UNIT_TIME, .flags = MOST, KNOWN_IF(WAITS, recorded)), \
	FIELD(WAITS, unfinished, "unfinished", NULL, UNIT_COUNT, KNOWN_IF(WAITS, recorded)), \
	FIELD(WAITS, unstarted, "unstarted", NULL, UNIT_COUNT, KNOWN_IF(WAITS, recorded)), \
	FIELD(WAITS, recorded, "recorded", NULL, UNIT_FLAG, .flags = SHOWN_PEOPLE)
#define CALL_FIELDS(title_, by_thread_) \
	AROUND_TIME(WAITS, calls, OPTIONAL), \
	LIST(WAITS, calls.methods, "methods", title_, &methods_by_time, .flags = OPTIONAL), \
	CALL_LIST(WAITS, calls, threads, by_thread_, threads_by_time, 0), \
	CALL_LISTS(WAITS, calls, title_, time)
#define MISSING_LINES \
	AROUND_LINES("inclusive_ns", "exclusive_ns"), \
	{ "Unfinished", "{unfinished}, whose end is missing", "unfinished", false }, \
	{ "Unstarted", "{unstarted}, whose start is missing", "unstarted", false }
#define WAITED "{count|time|times}, {total_ns} in total; longest {max_ns}"
/* clang-format on */

static const struct result_field handle_fields[] = {
	WAIT_FIELDS,
	CALL_FIELDS("Waited for handles in", "Waited for handles"),
	LIST(WAITS, sites, "sites", NULL, SHAPE(handle_site_fields), .flags = SINGLE),
	FIELD_END,
};
static const struct result_shape handle_shape = {
	handle_fields, LINES({ "Wait handle", WAITED, "recorded", false }, MISSING_LINES)
};

struct contention_result {
	struct wait_result locks; /* first: its fields are the result's */
	struct wait_result handles;
};

static const struct result_field fields[] = {
	WAIT_FIELDS,
	FIELD(WAITS, native, "native", NULL, UNIT_COUNT),
	FIELD(WAITS, lock_count, "lock_count", NULL, UNIT_COUNT, .flags = STEADY),
	LIST(WAITS, locks, "locks", "", SHAPE(lock_fields), .flags = SINGLE | CSV),
	CALL_FIELDS("Waited for locks in", "Waited for locks"),
	LIST(WAITS, sites, "sites", NULL, SHAPE(lock_site_fields), .flags = SINGLE),
	OBJECT(struct contention_result, handles, "wait_handles", &handle_shape, .flags = NO_CSV),
	FIELD_END,
};

static const struct result_line lines[] = {
	{ "Contended", WAITED, "recorded", false },
	{ "Locks", "{lock_count}", "lock_count", false },
	MISSING_LINES,
	{ 0 },
};
static const struct result_shape shape = { fields, lines };

_Static_assert(offsetof(struct contention_result, locks) == 0, "its fields are the result's");

static const char *hex_text(struct report *report, uint64_t number)
{
	return number ? report_text(report, "0x%" PRIx64, number) : NULL;
}

static const char *lock_name(struct report *report, enum contention_kind kind,
			     const struct contention_lock *lock)
{
	char text[VALUE_MAP_TEXT];
	const char *source;

	if (kind != CONTENTION_HANDLES)
		return hex_text(report, lock->id);
	source = value_map_name(value_map_find("WaitHandleWaitSource"), lock->id, text);
	return source ? report_text(report, "%s", source) : NULL;
}

static struct site_row *make_sites(struct report *report, const struct contention_table *table,
				   const struct map *names)
{
	struct site_row *sites = REPORT_ROWS_NEW(report, struct site_row, table->site_count);

	for (size_t i = 0; i < table->site_count; i++) {
		const struct contention_site *site = table->sites[i];

		sites[i] = (struct site_row){
			.recorded = site->stack,
			.labels = { map_find(names, (uint64_t)(uintptr_t)site->lock) },
			.count = site->sum.count,
			.amount = site->sum.total_ns,
			.max_ns = site->sum.max_ns,
		};
	}
	return sites;
}

/* By the address of the lock's name: where it was waited for longest. */
static struct map longest_waits(struct report *report, const struct result_rows *sites)
{
	struct map longest = { 0 };

	for (size_t i = 0; i < sites->count; i++) {
		const struct site_row *site = result_row(sites, i);
		const uint64_t name = (uint64_t)(uintptr_t)site->labels[0];
		const char *text = map_find(&longest, name) ? NULL : site_text(report, site);

		if (text)
			map_put(&longest, name, (char *)text);
	}
	return longest;
}

static struct result_rows lock_rows(struct report *report, const struct contention_table *table,
				    const struct map *names, const struct result_rows *sites)
{
	const size_t most = report_rows(report, LOCK_ROWS);
	const size_t count = table->lock_count < most ? table->lock_count : most;
	struct lock_row *rows = REPORT_ROWS_NEW(report, struct lock_row, count);
	struct map longest = longest_waits(report, sites);

	for (size_t i = 0; i < count; i++) {
		const struct contention_lock *lock = table->locks[i];
		const char *name = map_find(names, (uint64_t)(uintptr_t)lock);

		rows[i] = (struct lock_row){
			.lock = lock,
			.name = name,
			.object = hex_text(report, lock->object_id),
			.method = map_find(&longest, (uint64_t)(uintptr_t)name),
		};
	}
	map_release(&longest);
	return FIRST_ROWS(rows, count, table->lock_count);
}

static struct wait_result build_waits(struct report *report, const struct contention_table *table,
				      enum contention_kind kind)
{
	struct wait_result result = {
		.recorded = table->seen > 0,
		.all = table->all,
		.unfinished = table->unfinished,
		.unstarted = table->unstarted,
		.native = table->native,
		.lock_count = table->lock_count && table->locks[0]->id ? table->lock_count : 0,
	};
	struct map names = { 0 }; /* by the address of the lock */
	struct calltree *tree;

	for (size_t i = 0; i < table->lock_count; i++) {
		const char *name = lock_name(report, kind, table->locks[i]);

		if (name)
			map_put(&names, (uint64_t)(uintptr_t)table->locks[i], (char *)name);
	}
	result.sites =
		site_rows(report, make_sites(report, table, &names), table->site_count, &tree);
	result.locks = lock_rows(report, table, &names, &result.sites);
	call_view_build(report, tree, BY_AMOUNT, METHOD_ROWS, &result.calls);
	if (call_view_is_by_thread(report))
		result.calls.threads = thread_site_rows(report, kind, BY_AMOUNT);
	result.sites = report_first(report, result.sites, SIZE_MAX);
	map_release(&names);
	return result;
}

static void count_waits(struct report *report, const struct contention_stats *stats)
{
	const struct contention_table *locks = &stats->tables[CONTENTION_LOCKS];
	const struct contention_table *handles = &stats->tables[CONTENTION_HANDLES];

	report_matches(report, "wait", locks->all.count + handles->all.count,
		       locks->seen + handles->seen);
}

/* A method that waits for locks may wait for no handle. */
static int check(struct report *report, const struct contention_result *result)
{
	const struct call_lists calls[] = { result->locks.calls, result->handles.calls };

	return call_view_check(report, calls, CONTENTION_KINDS);
}

static const void *build(struct report *report)
{
	struct contention_stats *stats = pass_find(&report->pass, &contention_analysis);
	const struct calltree *filter = report_stack_filter(report);
	struct contention_result *result = arena_new(&report->arena, struct contention_result);

	if (!stats->tables[CONTENTION_LOCKS].seen && !stats->tables[CONTENTION_HANDLES].seen)
		return NULL;
	if (filter)
		contention_filter(stats, filter);
	count_waits(report, stats);
	result->locks = build_waits(report, &stats->tables[CONTENTION_LOCKS], CONTENTION_LOCKS);
	result->handles =
		build_waits(report, &stats->tables[CONTENTION_HANDLES], CONTENTION_HANDLES);
	call_view_title(report, "lock contention");
	return check(report, result) ? NULL : result;
}

static void take_wait(void *to, const void *data)
{
	const struct contention_wait *wait = data;

	thread_sites_add(to, wait->thread,
			 &(struct thread_site){ .part = wait->kind,
						.stack = wait->stack,
						.count = 1,
						.amount = wait->length_ns });
}

static int prepare(struct report *report)
{
	if (call_view_is_by_thread(report))
		thread_sites_want(report, &contention_analysis, take_wait);
	return call_view_prepare(report);
}

static const struct view_event events[] = {
	{ CLR_RUNTIME_PROVIDER, "Contention/Start" },
	{ CLR_RUNTIME_PROVIDER, "Contention/Stop" },
	{ CLR_RUNTIME_PROVIDER, "WaitHandleWait/Start" },
	{ CLR_RUNTIME_PROVIDER, "WaitHandleWait/Stop" },
	{ 0 },
};

const struct report_view view_contention = {
	.name = "contention",
	.summary = "lock contention: who waited, who held the lock, and where",
	.events = events,
	.missing = "the trace has no lock contention events",
	.remedy = "perfpipe collect -p PID --profile contention",
	.native_aot =
		"the trace has no lock contention events, which a program compiled with NativeAOT "
		"has from .NET 9 on",
	.fold = CONTENTION_FRAMES,
	.options = call_view_options,
	.args_size = sizeof(struct call_view_args),
	.shape = &shape,
	.analyses = (const struct analysis *const[]){ &contention_analysis, NULL },
	.prepare = prepare,
	.build = build,
};
