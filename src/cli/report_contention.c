/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/contention.h"
#include "base/alloc.h"
#include "cli/report_sites.h"
#include "cli/text.h"
#include "clr/enums.h"

#define LOCK_ROWS 15

static bool available(const struct report *report)
{
	const struct contention_stats *stats = report->analysis;

	return stats->tables[CONTENTION_LOCKS].seen || stats->tables[CONTENTION_HANDLES].seen;
}

/* The sites of one kind of waits; the labels live in the arena. */
struct waits {
	const struct contention_table *table;
	enum contention_kind kind;
	struct report_sites sites;
	struct arena arena;
	const char **names; /* of the locks, in their order */
};

static const char *lock_name(struct arena *arena, enum contention_kind kind,
			     const struct contention_lock *lock)
{
	char text[VALUE_MAP_TEXT];
	const char *source;

	if (kind == CONTENTION_HANDLES) {
		source = value_map_name(value_map_find("WaitHandleWaitSource"), (uint32_t)lock->id,
					text);
		return source ? arena_text(arena, source, strlen(source)) : NULL;
	}
	if (!lock->id)
		return NULL;
	snprintf(text, sizeof(text), "0x%" PRIx64, lock->id);
	return arena_text(arena, text, strlen(text));
}

static void waits_begin(struct report *report, struct waits *waits)
{
	const struct contention_table *table = waits->table;
	struct map names = { 0 }; /* by the address of the lock */

	waits->names = xcalloc(table->lock_count + 1, sizeof(char *));
	for (size_t i = 0; i < table->lock_count; i++) {
		waits->names[i] = lock_name(&waits->arena, waits->kind, table->locks[i]);
		if (waits->names[i])
			map_put(&names, (uint64_t)(uintptr_t)table->locks[i],
				(char *)waits->names[i]);
	}
	waits->sites.list = xcalloc(table->site_count + 1, sizeof(*waits->sites.list));
	for (size_t i = 0; i < table->site_count; i++) {
		const struct contention_site *site = table->sites[i];

		waits->sites.list[i] = (struct report_site){
			.stack = site->stack,
			.labels = { map_find(&names, (uint64_t)(uintptr_t)site->lock) },
			.sum = { .count = site->sum.count, .ns = site->sum.total_ns },
			.max_ns = site->sum.max_ns,
		};
	}
	waits->sites.count = table->site_count;
	map_release(&names);
	report_sites_begin(report, &waits->sites);
}

static void waits_end(struct waits *waits)
{
	report_sites_end(&waits->sites);
	arena_release(&waits->arena);
	free(waits->names);
}

enum { COLUMN_PROCESS = 0, COLUMN_LOCK = 7 };

static const struct sheet_column lock_columns[] = {
	{ "process_id", "Process", SHEET_ID, 0 },
	{ "count", "Count", SHEET_COUNT, 0 },
	{ "total_ns", "Waited", SHEET_TIME, 0 },
	{ "max_ns", "Longest", SHEET_TIME, 0 },
	{ "waiting_most", "At once", SHEET_COUNT, 0 },
	{ "owner_thread_id", "Owner", SHEET_ID, 0 },
	{ "object", "", SHEET_TEXT, SHEET_DATA },
	{ "lock", "Lock", SHEET_TEXT, 0 },
	{ "method", "Mostly in", SHEET_TEXT, SHEET_METHOD },
	{ 0 },
};

/* Where it was waited for longest; NULL if the options leave all of it out. */
static const char *mostly_in(const struct report *report, const struct waits *waits,
			     const char *lock, struct arena *arena)
{
	const struct calltree *tree = &waits->sites.tree;

	for (size_t i = 0; i < waits->sites.count; i++) {
		const struct report_site *site = &waits->sites.list[i];
		const uint32_t node = calltree_node(tree, site->stack);

		if (site->labels[0] == lock && node)
			return report_call_text(report, &tree->names[tree->nodes.nodes[node].frame],
						arena);
	}
	return NULL;
}

static void put_lock(struct sheet *sheet, const struct report *report, const struct waits *waits,
		     size_t which)
{
	const struct contention_lock *lock = waits->table->locks[which];
	const char *name = waits->names[which];
	char object[32] = "";

	sheet_number(sheet, lock->process_id);
	sheet_count(sheet, lock->sum.count);
	sheet_time(sheet, (int64_t)lock->sum.total_ns);
	sheet_time(sheet, (int64_t)lock->sum.max_ns);
	sheet_count(sheet, lock->waiting_most);
	if (lock->owners)
		sheet_number(sheet, lock->owners->thread_id);
	else
		sheet_unknown(sheet);
	snprintf(object, sizeof(object), "0x%" PRIx64, lock->object_id);
	sheet_text(sheet, lock->object_id ? object : NULL);
	sheet_text(sheet, name);
	sheet_text(sheet, mostly_in(report, waits, name, &sheet->arena));
}

static void show_locks(struct report *report, const struct waits *waits)
{
	const size_t most = report_rows(report, LOCK_ROWS);
	struct sheet sheet = { .key = "locks", .columns = lock_columns };

	if (report_process(report) != MODEL_NONE)
		sheet.hidden = 1u << COLUMN_PROCESS;
	if (report->width && report->width < 100 && !report->args->csv)
		sheet.hidden |= 1u << COLUMN_LOCK;
	for (size_t i = 0; i < waits->table->lock_count && i < most; i++)
		put_lock(&sheet, report, waits, i);
	if (waits->table->lock_count || report->args->csv)
		report_sheet(report, &sheet);
	sheet_release(&sheet);
}

static void json_sum(struct json *json, const struct contention_sum *sum)
{
	json_put_u64(json, "count", sum->count);
	json_put_u64(json, "total_ns", sum->total_ns);
	json_put_u64(json, "max_ns", sum->max_ns);
}

static void json_lock(struct report *report, const struct waits *waits, size_t which)
{
	const struct contention_lock *lock = waits->table->locks[which];
	struct json *json = &report->json;
	char object[32];

	json_open_object(json, NULL);
	json_put_text(json, "lock", waits->names[which]);
	snprintf(object, sizeof(object), "0x%" PRIx64, lock->object_id);
	json_put_text(json, "object", lock->object_id ? object : NULL);
	if (report_process(report) == MODEL_NONE)
		json_put_i64(json, "process_id", lock->process_id);
	json_sum(json, &lock->sum);
	json_put_u64(json, "waiting_most", lock->waiting_most);
	json_open_array(json, "owners");
	for (const struct contention_owner *owner = lock->owners; owner; owner = owner->other) {
		json_open_object(json, NULL);
		json_put_i64(json, "thread_id", owner->thread_id);
		json_sum(json, &owner->sum);
		json_close(json);
	}
	json_close(json);
	json_close(json);
}

static void json_missing(struct json *json, const struct contention_table *table)
{
	json_put_u64(json, "unfinished", table->unfinished);
	json_put_u64(json, "unstarted", table->unstarted);
}

static void show_json(struct report *report, const struct waits *locks, const struct waits *handles)
{
	const size_t most = report_rows(report, SIZE_MAX);
	struct json *json = &report->json;

	json_sum(json, &locks->table->all);
	json_missing(json, locks->table);
	json_put_u64(json, "native", locks->table->native);
	json_open_array(json, "locks");
	for (size_t i = 0; i < locks->table->lock_count && i < most; i++)
		json_lock(report, locks, i);
	json_close(json);
	report_sites_json(report, &locks->sites);
	json_open_object(json, "wait_handles");
	json_sum(json, &handles->table->all);
	json_missing(json, handles->table);
	report_sites_json(report, &handles->sites);
	json_close(json);
}

static void show_sum(const struct report *report, const char *title,
		     const struct contention_table *table)
{
	FILE *out = report->out;

	fprintf(out, "%-11s %s time%s, ", title, text_count(table->all.count).text,
		table->all.count == 1 ? "" : "s");
	fprintf(out, "%s in all", text_duration(table->all.total_ns).text);
	fprintf(out, "; longest %s\n", text_duration(table->all.max_ns).text);
	if (table->unfinished)
		fprintf(out, "%-11s %s, whose end is missing\n", "Unfinished",
			text_count(table->unfinished).text);
	if (table->unstarted)
		fprintf(out, "%-11s %s, whose start is missing\n", "Unstarted",
			text_count(table->unstarted).text);
}

static void show_for_people(struct report *report, const struct waits *locks,
			    const struct waits *handles)
{
	if (locks->table->seen) {
		show_sum(report, "Contended", locks->table);
		if (locks->table->lock_count && locks->table->locks[0]->id)
			fprintf(report->out, "%-11s %s\n", "Locks",
				text_count(locks->table->lock_count).text);
	}
	if (handles->table->seen)
		show_sum(report, "Wait handle", handles->table);
	show_locks(report, locks);
	report_sites_methods(report, &locks->sites, "Waited for locks in");
	report_sites_methods(report, &handles->sites, "Waited for handles in");
}

static void show(struct report *report)
{
	const struct contention_stats *stats = report->analysis;
	struct waits locks = {
		.table = &stats->tables[CONTENTION_LOCKS],
		.kind = CONTENTION_LOCKS,
		.sites = { .key = "sites", .label_keys = { "lock" }, .timed = true },
	};
	struct waits handles = {
		.table = &stats->tables[CONTENTION_HANDLES],
		.kind = CONTENTION_HANDLES,
		.sites = { .key = "sites", .label_keys = { "source" }, .timed = true },
	};

	waits_begin(report, &locks);
	waits_begin(report, &handles);
	if (report->args->json)
		show_json(report, &locks, &handles);
	else if (report->args->csv)
		show_locks(report, &locks);
	else
		show_for_people(report, &locks, &handles);
	waits_end(&locks);
	waits_end(&handles);
}

const struct report_view report_contention = {
	.name = "contention",
	.summary = "waits for locks, who held them, and where",
	.missing = "it has no events of locks",
	.remedy = "perfpipe collect -p PID --profile contention",
	.fold = CONTENTION_FRAMES,
	.analysis = &contention_analysis,
	.available = available,
	.show = show,
};
