/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/decimal.h"
#include "cli/report_gc.h"
#include "clr/enums.h"

static const char *const generation_names[GC_GENERATIONS] = { "gen0", "gen1", "gen2", "loh",
							      "poh" };

static void put_known(struct json *json, const char *key, bool known, uint64_t number)
{
	if (known)
		json_put_u64(json, key, number);
	else
		json_put_null(json, key);
}

static void put_time(struct json *json, const char *key, int64_t time_ns)
{
	put_known(json, key, time_ns >= 0, (uint64_t)time_ns);
}

static void put_real(struct json *json, const char *key, double real)
{
	json_begin_value(json, key);
	buffer_real(json->out, real, false);
}

static void put_name(struct json *json, const char *key, const char *map, uint32_t number)
{
	char text[VALUE_MAP_TEXT];

	json_put_text(json, key, value_map_name(value_map_find(map), number, text));
}

/* The names of the bits, each a text. */
static void put_bits(struct json *json, const char *key, const char *map, uint32_t bits)
{
	char text[VALUE_MAP_TEXT];
	const char *names = value_map_name(value_map_find(map), bits, text);

	json_open_array(json, key);
	while (bits && names && *names) {
		const size_t size = strcspn(names, "|");

		json_begin_value(json, NULL);
		json_quote(json->out, names, size);
		names += size + (names[size] == '|');
	}
	json_close(json);
}

static void put_generations(struct json *json, const struct gc *gc)
{
	json_open_array(json, "generations");
	for (int i = 0; i < GC_GENERATIONS; i++) {
		const struct gc_generation *generation = &gc->generations[i];

		json_open_object(json, NULL);
		json_put_text(json, "name", generation_names[i]);
		json_put_u64(json, "size_before", generation->size_before);
		put_known(json, "size_after", gc->has_stats, generation->size_after);
		put_known(json, "promoted", gc->has_stats, generation->promoted);
		put_known(json, "fragmentation", gc->has_history, generation->free_after);
		put_known(json, "survival_percent", generation->survival_percent >= 0,
			  (uint64_t)generation->survival_percent);
		put_known(json, "in", gc->has_history, generation->in);
		put_known(json, "out", gc->has_history, generation->out);
		put_known(json, "budget", gc->has_history, generation->budget);
		json_close(json);
	}
	json_close(json);
}

static void put_phases(struct json *json, const struct gc *gc)
{
	const struct value_map *map = value_map_find("GCTimeSlot");
	char text[VALUE_MAP_TEXT];

	json_open_object(json, "phases_ns");
	for (uint32_t i = 0; i < gc->time_count; i++) {
		const char *name = value_map_name(map, i, text);

		if (name)
			json_put_u64(json, name, UINT64_C(1000) * gc->times_us[i]);
	}
	json_close(json);
}

/* What heaps and the collector tell of how it went about it. */
static void put_how(struct json *json, const struct gc *gc)
{
	put_known(json, "heaps", gc->has_global, gc->heaps);
	put_known(json, "memory_load_percent", gc->has_global, gc->memory_load);
	if (gc->has_global)
		put_name(json, "pause_mode", "GCPauseMode", gc->pause_mode);
	else
		json_put_null(json, "pause_mode");
	put_bits(json, "mechanisms", "GCGlobalMechanisms", gc->mechanisms);
	put_bits(json, "compaction", "GCCompactMechanism", gc->compaction);
	put_bits(json, "expansion", "GCExpandMechanism", gc->expansion);
	put_bits(json, "condemned_generations", "GCCondemnReasons0", gc->condemned[0]);
	put_bits(json, "condemned_reasons", "GCCondemnReasons1", gc->condemned[1]);
	put_phases(json, gc);
}

static void put_gc(struct json *json, const struct gc *gc)
{
	json_open_object(json, NULL);
	json_put_u64(json, "number", gc->number);
	json_put_u64(json, "generation", gc->generation);
	put_name(json, "reason", "GCReason", gc->reason);
	put_name(json, "type", "GCType", gc->type);
	json_put_i64(json, "process_id", gc->process_id);
	json_put_bool(json, "complete", gc->complete);
	json_put_bool(json, "induced", gc_is_induced(gc));
	json_put_i64(json, "start_ns", gc->start_ns);
	json_put_i64(json, "pause_start_ns", gc->pause_start_ns);
	put_time(json, "suspend_ns", gc->suspend_ns);
	put_time(json, "pause_ns", gc->pause_ns);
	put_time(json, "duration_ns", gc->duration_ns);
	put_time(json, "stopped_ns", gc->stopped_ns);
	if (gc->pause_percent < 0)
		json_put_null(json, "pause_percent");
	else
		put_real(json, "pause_percent", gc->pause_percent);
	json_put_u64(json, "heap_before", gc->heap_before);
	json_put_u64(json, "heap_peak", gc->heap_peak);
	put_known(json, "heap_after", gc->has_stats, gc->heap_after);
	put_known(json, "promoted", gc->has_stats, gc->promoted);
	json_put_i64(json, "allocated", gc->allocated);
	put_generations(json, gc);
	put_known(json, "pinned_objects", gc->has_stats, gc->pinned_objects);
	put_known(json, "finalized_bytes", gc->has_stats, gc->finalized_size);
	put_known(json, "finalized_count", gc->has_stats, gc->finalized_count);
	put_known(json, "handles", gc->has_stats, gc->handles);
	put_known(json, "sync_blocks", gc->has_stats, gc->sync_blocks);
	put_how(json, gc);
	json_close(json);
}

static void put_sum(struct json *json, const struct gc_sum *sum)
{
	json_put_u64(json, "count", sum->count);
	json_put_u64(json, "induced", sum->induced);
	json_put_i64(json, "pause_total_ns", sum->pause_total_ns);
	json_put_i64(json, "pause_max_ns", sum->pause_max_ns);
	json_put_i64(json, "pause_mean_ns",
		     sum->count ? sum->pause_total_ns / (int64_t)sum->count : 0);
	json_put_i64(json, "suspend_max_ns", sum->suspend_max_ns);
	json_put_i64(json, "stopped_ns", sum->stopped_ns);
	json_put_u64(json, "promoted", sum->promoted);
	json_put_i64(json, "allocated", sum->allocated);
	json_put_u64(json, "allocated_per_second_max", gc_whole(sum->allocated_per_second_max));
	json_put_u64(json, "heap_peak", sum->peak_max);
}

static void put_summary(struct json *json, const struct gc_chosen *chosen)
{
	json_open_object(json, "summary");
	put_sum(json, &chosen->summary.all);
	put_real(json, "pause_percent", gc_percent(chosen, chosen->summary.all.pause_total_ns));
	json_put_u64(json, "incomplete", chosen->summary.incomplete);
	if (chosen->over_ns >= 0) {
		json_put_i64(json, "over_ns", chosen->over_ns);
		json_put_u64(json, "over_count", chosen->over_count);
	}
	json_open_array(json, "generations");
	for (unsigned i = 0; i < 3; i++) {
		json_open_object(json, NULL);
		json_put_u64(json, "generation", i);
		put_sum(json, &chosen->summary.generations[i]);
		json_close(json);
	}
	json_close(json);
	json_close(json);
}

void report_gc_json(struct report *report, const struct gc_chosen *chosen)
{
	const size_t most = report_rows(report, SIZE_MAX);
	struct json *json = &report->json;
	size_t listed = 0;

	json_open_array(json, "gcs");
	for (size_t i = 0; i < chosen->count && listed < most; i++)
		if (gc_is_listed(chosen, chosen->list[i])) {
			put_gc(json, chosen->list[i]);
			listed++;
		}
	json_close(json);
	put_summary(json, chosen);
}
