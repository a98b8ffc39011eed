/* SPDX-License-Identifier: MIT */
/* The runtime's own events, by the table. */
#include <stdio.h>
#include <stdlib.h>

#include "clr/enums.h"
#include "clr/events.h"
#include "clr/generated.h"
#include "payload_text.h"

#define RUNTIME "Microsoft-Windows-DotNETRuntime"

static struct pp_kind runtime(uint32_t id, uint32_t version)
{
	return (struct pp_kind){ .provider = RUNTIME, .name = "", .id = id, .version = version };
}

static void expect_runtime(uint32_t id, uint32_t version, struct literal bytes, const char *text)
{
	const struct pp_kind kind = runtime(id, version);

	expect_payload(&kind, bytes, text);
}

static void reads_a_collection(void **state)
{
	(void)state;
	expect_runtime(
		1, 2,
		BYTES("\x05\0\0\0\x02\0\0\0\x01\0\0\0\x01\0\0\0\0\0"
		      "\x09\0\0\0\0\0\0\0"),
		"Count=5u Depth=2u Reason=1u Type=1u ClrInstanceID=0u ClientSequenceNumber=9u");
	expect_runtime(1, 0, BYTES("\x05\0\0\0\x01\0\0\0"), "Count=5u Reason=1u");
}

static void reads_a_sampled_allocation_with_both_sizes_of_pointers(void **state)
{
	const struct pp_kind kind = runtime(303, 0);

	(void)state;
	expect_payload_of(&kind,
			  BYTES("\x01\0\0\0\0\0"
				"\x10\0\0\0\0\0\0\0"
				"T\0\0\0"
				"\x20\0\0\0\x01\0\0\0"
				"\x18\0\0\0\0\0\0\0\x05\0\0\0\0\0\0\0"),
			  8,
			  "AllocationKind=1u ClrInstanceID=0u TypeID=0x10 TypeName=\"T\" "
			  "Address=0x100000020 ObjectSize=24u SampledByteOffset=5u");
	expect_payload_of(&kind,
			  BYTES("\x01\0\0\0\0\0"
				"\x10\0\0\0"
				"T\0\0\0"
				"\x20\0\0\x80"
				"\x18\0\0\0\0\0\0\0\x05\0\0\0\0\0\0\0"),
			  4,
			  "AllocationKind=1u ClrInstanceID=0u TypeID=0x10 TypeName=\"T\" "
			  "Address=0x80000020 ObjectSize=24u SampledByteOffset=5u");
}

#define MAP_HEAD "\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\0"

static void reads_two_arrays_side_by_side(void **state)
{
	(void)state;
	expect_runtime(190, 0,
		       BYTES(MAP_HEAD "\x02\0"
				      "\x01\0\0\0\xff\xff\xff\xff\x03\0\0\0\x04\0\0\0\0\0"),
		       "MethodID=0x1 ReJITID=2u MethodExtent=0u CountOfMapEntries=2u "
		       "ILOffsets=[1u 4294967295u] NativeOffsets=[3u 4u] ClrInstanceID=0u");
	expect_runtime(190, 0, BYTES(MAP_HEAD "\0\0\0\0"),
		       "MethodID=0x1 ReJITID=2u MethodExtent=0u CountOfMapEntries=0u ILOffsets=[] "
		       "NativeOffsets=[] ClrInstanceID=0u");
}

/* .NET's reader gives up on the whole trace for this one. */
static void survives_a_map_that_is_too_short_for_its_count(void **state)
{
	(void)state;
	expect_runtime(190, 0, BYTES(MAP_HEAD "\xff\x7f\0\0"),
		       "MethodID=0x1 ReJITID=2u MethodExtent=0u CountOfMapEntries=32767u "
		       "ILOffsets=!claims more elements than there are bytes NativeOffsets=null "
		       "ClrInstanceID=null");
	expect_runtime(190, 0, BYTES(MAP_HEAD "\x02\0\x01\0\0\0\x02\0\0\0\x03\0\0\0"),
		       "MethodID=0x1 ReJITID=2u MethodExtent=0u CountOfMapEntries=2u "
		       "ILOffsets=[1u 2u] NativeOffsets=!claims more elements than there are bytes "
		       "ClrInstanceID=null");
	expect_runtime(190, 0, BYTES(MAP_HEAD "\x02"),
		       "MethodID=0x1 ReJITID=2u MethodExtent=0u CountOfMapEntries=!is cut short "
		       "ILOffsets=null NativeOffsets=null ClrInstanceID=null");
	expect_runtime(190, 0, BYTES(MAP_HEAD),
		       "MethodID=0x1 ReJITID=2u MethodExtent=0u CountOfMapEntries=null "
		       "ILOffsets=null NativeOffsets=null ClrInstanceID=null");
}

/* Records that end with a count of their own and as many numbers. */
static void reads_nested_records(void **state)
{
	(void)state;
	expect_runtime(15, 0,
		       BYTES("\x02\0\0\0\0\0"
			     "\x10\0\0\0\0\0\0\0\x20\0\0\0\0\0\0\0\x03\0\0\x02\x08\0\0\0\x1d"
			     "A\0\0\0\x02\0\0\0\x30\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\0"
			     "\x11\0\0\0\0\0\0\0\x20\0\0\0\0\0\0\0\x04\0\0\x02\0\0\0\0\x12"
			     "\0\0\0\0\0\0"),
		       "Count=2u ClrInstanceID=0u Values=["
		       "(TypeID=0x10 ModuleID=0x20 TypeNameID=33554435u Flags=8u "
		       "CorElementType=29u Name=\"A\" TypeParameterCount=2u "
		       "TypeParameters=[0x30 0x40]) "
		       "(TypeID=0x11 ModuleID=0x20 TypeNameID=33554436u Flags=0u "
		       "CorElementType=18u Name=\"\" TypeParameterCount=0u TypeParameters=[])]");
}

static void skips_filler_in_records(void **state)
{
	const struct pp_kind timings = runtime(208, 0);

	(void)state;
	expect_payload_of(&timings,
			  BYTES("\0\0\x01\0\x01\0\0\0\x02\0\0\0\x03\0\0\0????"
				"\x04\0\0\0\0\0\0\0\x05\0\0\0\0\0\0\0"),
			  8,
			  "ClrInstanceID=0u Count=1u Values=[(TimePlan=1u TimeCompact=2u "
			  "TimeRelocate=3u TotalRefs=4u ZeroRefs=5u)]");
	expect_payload_of(&timings,
			  BYTES("\0\0\x01\0\x01\0\0\0\x02\0\0\0\x03\0\0\0"
				"\x04\0\0\0\x05\0\0\0"),
			  4,
			  "ClrInstanceID=0u Count=1u Values=[(TimePlan=1u TimeCompact=2u "
			  "TimeRelocate=3u TotalRefs=4u ZeroRefs=5u)]");
	/* the inner Count is not the one that counts */
	expect_runtime(209, 0,
		       BYTES("\0\0\x01\0\x64\0\0\0\0\0\0\0\x02\0"
			     "\x05\0??\x09\0\0\0\x10\0\0\0\0\0\0\0"
			     "\x06\0??\x01\0\0\0\x20\0\0\0\0\0\0\0"),
		       "ClrInstanceID=0u BucketKind=1u TotalSize=100u Count=2u Values=["
		       "(Index=5u Count=9u Size=16u) (Index=6u Count=1u Size=32u)]");
}

#define COMMITTED "C\0o\0m\0m\0i\0t\0t\0e\0d\0U\0s\0a\0g\0e\0\0\0"

static void decodes_dynamic_gc_events(void **state)
{
	(void)state;
	expect_runtime(39, 0,
		       BYTES(COMMITTED "\x2a\0\0\0\x01\0"
				       "\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0"
				       "\x04\0\0\0\0\0\0\0\x05\0\0\0\0\0\0\0"
				       "\x07\0"),
		       "Name=\"CommittedUsage\" DataSize=42u Data=(Version=1u "
		       "TotalCommittedInUse=1u TotalCommittedInGlobalDecommit=2u "
		       "TotalCommittedInFree=3u TotalCommittedInGlobalFree=4u "
		       "TotalBookkeepingCommitted=5u) ClrInstanceID=7u");
	/* shorter than the row, and than its own size */
	expect_runtime(39, 0, BYTES(COMMITTED "\x04\0\0\0\x01\0\x09\x09\x07\0"),
		       "Name=\"CommittedUsage\" DataSize=4u Data=(Version=1u "
		       "TotalCommittedInUse=!is cut short TotalCommittedInGlobalDecommit=null "
		       "TotalCommittedInFree=null TotalCommittedInGlobalFree=null "
		       "TotalBookkeepingCommitted=null) ClrInstanceID=7u");
	expect_runtime(39, 0, BYTES(COMMITTED "\xff\xff\xff\xff\x01\0"),
		       "Name=\"CommittedUsage\" DataSize=4294967295u Data=!is cut short "
		       "ClrInstanceID=null");
	/* unknown, or an unknown version */
	expect_runtime(39, 0, BYTES("X\0\0\0\x02\0\0\0\x01\0\x07\0"),
		       "Name=\"X\" DataSize=2u Data=<0100> ClrInstanceID=7u");
	expect_runtime(39, 0, BYTES(COMMITTED "\x02\0\0\0\0\0\x07\0"),
		       "Name=\"CommittedUsage\" DataSize=2u Data=<0000> ClrInstanceID=7u");
	expect_runtime(39, 0, BYTES(COMMITTED),
		       "Name=\"CommittedUsage\" DataSize=null Data=null "
		       "ClrInstanceID=null");
}

static void reads_bytes_with_a_count(void **state)
{
	(void)state;
	expect_runtime(297, 0,
		       BYTES("\0\0\x01\0\0\x80\x03\0\0\0"
			     "\x10\0\0\0\0\0\0\0\x01\x02\x03"),
		       "ClrInstanceID=0u MethodFlags=2147483649u DataSize=3u MethodID=0x10 "
		       "Data=<010203>");
}

static void reads_text_of_bytes(void **state)
{
	const struct pp_kind kind = { .provider = RUNTIME "Stress", .name = "", .version = 1 };

	(void)state;
	expect_payload(&kind, BYTES("\x01\0\0\0\x02hi\xff\0\x05\0"),
		       "Facility=1u LogLevel=2u Message=\"hi\xef\xbf\xbd\" ClrInstanceID=5u");
	expect_payload(&kind, BYTES("\x01\0\0\0\x02hi"),
		       "Facility=1u LogLevel=2u Message=!is a text without a terminator "
		       "ClrInstanceID=null");
}

static void reads_the_known_fields_of_newer_versions(void **state)
{
	struct plans plans = { 0 };
	struct pp_kind kind = runtime(2, 9);

	(void)state;
	assert_true(plans_for(&plans, &kind)->newer_than_known);
	expect_payload(&kind, BYTES("\x05\0\0\0\x02\0\0\0\0\0more"),
		       "Count=5u Depth=2u ClrInstanceID=0u");
	kind.version = 1;
	kind.index = 1;
	assert_false(plans_for(&plans, &kind)->newer_than_known);
	plans_release(&plans);
}

static void attaches_the_maps_of_numbers(void **state)
{
	const struct pp_kind start = runtime(1, 2);
	const struct pp_kind history = runtime(205, 4);
	struct plans plans = { 0 };
	const struct plan_field *field = plans_for(&plans, &start)->fields;

	(void)state;
	assert_null(field[0].value.map);
	assert_ptr_equal(field[2].value.map, value_map_find("GCReason"));
	plans_release(&plans);
	/* a map of positions belongs to the array */
	field = plans_for(&plans, &history)->fields;
	assert_int_equal(field[12].type, PLAN_COUNTED);
	assert_ptr_equal(field[12].value.map, value_map_find("GCTimeSlot"));
	assert_null(field[12].inner[0].value.map);
	plans_release(&plans);
}

static bool has_error(const struct payload_plan *plan, struct literal bytes, int pointer_size)
{
	char *text = payload_text(plan, bytes, pointer_size);
	const bool bad = strchr(text, '!');

	free(text);
	return bad;
}

static const char *const providers[] = {
	[CLR_RUNTIME] = RUNTIME,
	[CLR_RUNDOWN] = RUNTIME "Rundown",
	[CLR_SAMPLE_PROFILER] = "Microsoft-DotNETCore-SampleProfiler",
	[CLR_PRIVATE] = RUNTIME "Private",
	[CLR_STRESS] = RUNTIME "Stress",
};

/* With all counts 0 and all texts empty; then as many bytes as possible. */
static void reads_every_row_of_the_table(void **state)
{
	static const uint8_t zeros[512];
	struct plans plans = { 0 };
	size_t index = 0;

	(void)state;
	for (size_t i = 0; i < clr_table_count; i++) {
		const struct clr_event *row = &clr_table[i];
		struct pp_kind kind = {
			.index = index++, .name = "", .id = row->id, .version = row->version
		};
		const struct payload_plan *plan;

		if (row->provider == CLR_GC_DYNAMIC)
			continue;
		kind.provider = providers[row->provider];
		plan = plans_for(&plans, &kind);
		assert_false(plan->newer_than_known);
		assert_int_equal(plan->fields[0].type == PLAN_REST, !*clr_text(row->fields));
		assert_false(has_error(plan, (struct literal){ zeros, sizeof(zeros) }, 8));
		assert_false(has_error(plan, (struct literal){ zeros, sizeof(zeros) }, 4));
		assert_false(has_error(plan, (struct literal){ zeros, 0 }, 8));
	}
	assert_int_equal(index, clr_table_count);
	assert_int_equal(clr_table_count, 457);
	plans_release(&plans);
}

/* Every map in the table exists, and belongs to an existing field. */
static void finds_every_map_of_the_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < clr_table_count; i++) {
		char maps[1024];
		char *rest = maps;

		snprintf(maps, sizeof(maps), "%s", clr_text(clr_table[i].maps));
		for (char *pair; (pair = strsep(&rest, ",")) && *pair;) {
			const char *field = strsep(&pair, "=");
			const char *at = strstr(clr_text(clr_table[i].fields), field);

			assert_non_null(value_map_find(pair));
			assert_non_null(at);
			assert_int_equal(at[strlen(field)], ':');
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_a_collection),
		cmocka_unit_test(reads_a_sampled_allocation_with_both_sizes_of_pointers),
		cmocka_unit_test(reads_two_arrays_side_by_side),
		cmocka_unit_test(survives_a_map_that_is_too_short_for_its_count),
		cmocka_unit_test(reads_nested_records),
		cmocka_unit_test(skips_filler_in_records),
		cmocka_unit_test(decodes_dynamic_gc_events),
		cmocka_unit_test(reads_bytes_with_a_count),
		cmocka_unit_test(reads_text_of_bytes),
		cmocka_unit_test(reads_the_known_fields_of_newer_versions),
		cmocka_unit_test(attaches_the_maps_of_numbers),
		cmocka_unit_test(reads_every_row_of_the_table),
		cmocka_unit_test(finds_every_map_of_the_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
