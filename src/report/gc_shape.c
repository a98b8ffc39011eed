/* SPDX-License-Identifier: MIT */
#include "report/gc_shape.h"

#include <string.h>

#include "analyze/gc.h"
#include "base/array.h"
#include "clr/enums.h"

/* One generation in one collection. */
struct generation_in_gc {
	const char *name;
	bool exists; /* in this runtime, or not known to be missing */
	bool has_stats, has_history;
	struct gc_generation figures;
};

#define ROW struct generation_in_gc

static const struct result_field generation_fields[] = {
	FIELD(ROW, name, "name", NULL, UNIT_TEXT),
	FIELD(ROW, figures.size_before, "before_bytes", NULL, UNIT_SIZE, KNOWN_IF(ROW, exists)),
	FIELD(ROW, figures.size_after, "after_bytes", NULL, UNIT_SIZE, KNOWN_IF(ROW, has_stats)),
	FIELD(ROW, figures.promoted, "promoted_bytes", NULL, UNIT_SIZE, KNOWN_IF(ROW, has_stats)),
	FIELD(ROW, figures.free_after, "fragmentation_bytes", NULL, UNIT_SIZE,
	      KNOWN_IF(ROW, has_history)),
	FIELD(ROW, figures.survival_percent, "survival_percent", NULL, UNIT_PERCENT,
	      .flags = NOT_NEGATIVE),
	FIELD(ROW, figures.in, "in_bytes", NULL, UNIT_SIZE, KNOWN_IF(ROW, has_history)),
	FIELD(ROW, figures.out, "out_bytes", NULL, UNIT_SIZE, KNOWN_IF(ROW, has_history)),
	FIELD(ROW, figures.budget, "budget_bytes", NULL, UNIT_SIZE, KNOWN_IF(ROW, has_history)),
	FIELD_END,
};

static void make_generations(const void *row, struct result_value *value, struct arena *arena)
{
	static const char *const names[GC_GENERATIONS] = { "gen0", "gen1", "gen2", "loh", "poh" };
	struct generation_in_gc *rows = arena_array(arena, struct generation_in_gc, GC_GENERATIONS);
	const struct gc *gc = row;

	for (int i = 0; i < GC_GENERATIONS; i++) {
		const bool exists = i != GC_PINNED || gc->has_pinned;

		rows[i] =
			(struct generation_in_gc){ names[i], exists, exists && gc->has_stats,
						   exists && gc->has_history, gc->generations[i] };
	}
	value->rows = ROWS_OF(rows, GC_GENERATIONS);
}

/* Phases that have a name; those that have none are left out. */
static bool phase_entry(const void *row, size_t index, struct result_entry *entry,
			struct arena *arena)
{
	const struct value_map *map = value_map_find("GCTimeSlot");
	const struct gc *gc = row;
	char text[VALUE_MAP_TEXT];

	for (uint32_t i = 0; i < gc->time_count; i++) {
		const char *name = value_map_name(map, i, text);

		if (!name || index-- > 0)
			continue;
		*entry = (struct result_entry){
			.key = arena_text(arena, name, strlen(name)),
			.value = { .unit = UNIT_TIME,
				   .known = true,
				   .number = INT64_C(1000) * gc->times_us[i] },
		};
		return true;
	}
	return false;
}

static void get_induced(const void *row, struct result_value *value)
{
	value->flag = gc_is_induced(row);
}

static void get_kind(const void *row, struct result_value *value)
{
	static const char *const kinds[] = { "blocking", "background", "foreground" };
	const struct gc *gc = row;
	const uint32_t type =
		gc->type == GC_BACKGROUND && gc->blocking ? GC_NON_CONCURRENT : gc->type;

	value->known = type < ARRAY_COUNT(kinds);
	value->text = value->known ? kinds[type] : NULL;
}

static void get_pinned_size(const void *row, struct result_value *value)
{
	const struct gc *gc = row;
	const uint64_t size = gc->generations[GC_PINNED].size_after;

	value->known = gc->has_stats && gc->has_pinned;
	value->number = size > INT64_MAX ? INT64_MAX : (int64_t)size;
}

#undef ROW
#define ROW struct gc

/* clang-format off */
#define SIZE_AFTER(number_, key_, title_, flags_) \
	FIELD(ROW, generations[number_].size_after, key_, title_, UNIT_SIZE, .flags = (flags_), KNOWN_IF(ROW, has_stats))
/* clang-format on */

static const struct result_field fields[] = {
	FIELD(ROW, process_id, "process_id", "Process", UNIT_ID, .flags = SHOWN_BY_PROCESS),
	FIELD(ROW, number, "number", "Number", UNIT_ID),
	FIELD(ROW, generation, "generation", "Gen", UNIT_ID),
	FIELD(ROW, type, "type", NULL, UNIT_ENUM, .map = "GCType"),
	FIELD(ROW, complete, "complete", NULL, UNIT_FLAG),
	COMPUTED("induced", NULL, UNIT_FLAG, .get = get_induced),
	FIELD(ROW, start_ns, "start_ns", "Start", UNIT_TIME, .flags = WHEN),
	FIELD(ROW, pause_start_ns, "pause_start_ns", NULL, UNIT_TIME, .flags = WHEN),
	FIELD(ROW, suspend_ns, "suspend_ns", "Suspend", UNIT_TIME, .flags = NOT_NEGATIVE),
	FIELD(ROW, pause_ns, "pause_ns", "Pause", UNIT_TIME, .flags = NOT_NEGATIVE),
	FIELD(ROW, duration_ns, "duration_ns", NULL, UNIT_TIME, .flags = NOT_NEGATIVE),
	FIELD(ROW, stopped_ns, "stopped_ns", NULL, UNIT_TIME),
	FIELD(ROW, pause_percent, "pause_percent", "%", UNIT_PERCENT, .flags = NOT_NEGATIVE),
	FIELD(ROW, heap_before, "heap_before_bytes", "Before", UNIT_SIZE),
	FIELD(ROW, heap_peak, "heap_peak_bytes", NULL, UNIT_SIZE),
	FIELD(ROW, heap_after, "heap_after_bytes", "After", UNIT_SIZE, KNOWN_IF(ROW, has_stats)),
	FIELD(ROW, promoted, "promoted_bytes", "Promoted", UNIT_SIZE, .flags = SHOWN_IF_ROOM,
	      KNOWN_IF(ROW, has_stats)),
	FIELD(ROW, allocated, "allocated_bytes", NULL, UNIT_SIZE),
	SIZE_AFTER(GC_GEN0, "gen0_bytes", NULL, 0),
	SIZE_AFTER(GC_GEN1, "gen1_bytes", NULL, 0),
	SIZE_AFTER(GC_GEN2, "gen2_bytes", "Gen 2", SHOWN_IF_ROOM),
	SIZE_AFTER(GC_LARGE, "loh_bytes", "LOH", SHOWN_IF_ROOM),
	COMPUTED("poh_bytes", NULL, UNIT_SIZE, .get = get_pinned_size),
	COMPUTED_LIST("generations", NULL, SHAPE(generation_fields), .make = make_generations),
	FIELD(ROW, pinned_objects, "pinned_objects", "Pinned", UNIT_COUNT, .flags = SHOWN_IF_ROOM,
	      KNOWN_IF(ROW, has_stats)),
	FIELD(ROW, finalized_size, "finalized_bytes", NULL, UNIT_SIZE, KNOWN_IF(ROW, has_stats)),
	FIELD(ROW, finalized_count, "finalized_count", NULL, UNIT_COUNT, KNOWN_IF(ROW, has_stats)),
	FIELD(ROW, handles, "handles", NULL, UNIT_COUNT, KNOWN_IF(ROW, has_stats)),
	FIELD(ROW, sync_blocks, "sync_blocks", NULL, UNIT_COUNT, KNOWN_IF(ROW, has_stats)),
	FIELD(ROW, heaps, "heaps", NULL, UNIT_COUNT, KNOWN_IF(ROW, has_global)),
	FIELD(ROW, memory_load, "memory_load_percent", NULL, UNIT_PERCENT,
	      KNOWN_IF(ROW, has_global)),
	FIELD(ROW, pause_mode, "pause_mode", NULL, UNIT_ENUM, .map = "GCPauseMode",
	      KNOWN_IF(ROW, has_global)),
	FIELD(ROW, mechanisms, "mechanisms", NULL, UNIT_TEXTS, .map = "GCGlobalMechanisms"),
	FIELD(ROW, compaction, "compaction", NULL, UNIT_TEXTS, .map = "GCCompactMechanism"),
	FIELD(ROW, expansion, "expansion", NULL, UNIT_TEXTS, .map = "GCExpandMechanism"),
	FIELD(ROW, condemned[0], "condemned_generations", NULL, UNIT_TEXTS,
	      .map = "GCCondemnReasons0"),
	FIELD(ROW, condemned[1], "condemned_reasons", NULL, UNIT_TEXTS, .map = "GCCondemnReasons1"),
	COMPUTED("phases_ns", NULL, UNIT_MAP, .entry = phase_entry),
	COMPUTED("kind", "Kind", UNIT_TEXT, .flags = SHOWN_PEOPLE, .get = get_kind),
	FIELD(ROW, reason, "reason", "Reason", UNIT_ENUM, .map = "GCReason", .flags = WIDE),
	FIELD_END,
};

const struct result_shape gc_shape = { fields, NULL };
