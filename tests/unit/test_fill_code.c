/* SPDX-License-Identifier: MIT */
/*
 * Code that is loaded, unloaded, replaced and listed at the end, of several processes; mapped files
 * and their symbols; traces that are cut or wrong.
 */
#include "code_trace.h"

#define KERNEL UINT64_C(0xFFFFFFFF81000000)

static void an_address_means_what_was_loaded_there_at_the_time(void **state)
{
	struct code_trace s;

	(void)state;
	code_trace_begin(&s);
	LOAD(&s, 10, .id = 1, .start = 0x1000, .name = "A", .flags = TIER(3u));
	SAMPLE(&s, 0, 20, 0x1010);
	UNLOAD(&s, 30, .id = 1, .start = 0x1000, .name = "A");
	SAMPLE(&s, 0, 40, 0x1010); /* of the next one, whose event comes late */
	LOAD(&s, 50, .id = 2, .start = 0x1000, .name = "B");
	SAMPLE(&s, 0, 60, 0x1010);
	code_trace_end(&s);
	code_trace_expect(&s, false, "T.A() T.B() T.B()");
	code_trace_release(&s);
}

/* Without an unload: the runtime does not always write one. */
static void a_load_over_other_code_ends_that(void **state)
{
	struct code_trace s;

	(void)state;
	code_trace_begin(&s);
	LOAD(&s, 10, .id = 1, .start = 0x1000, .name = "A");
	SAMPLE(&s, 0, 20, 0x1010, 0x1090);
	LOAD(&s, 30, .id = 2, .start = 0x1080, .name = "B");
	SAMPLE(&s, 0, 40, 0x1010, 0x1090);
	code_trace_end(&s);
	code_trace_expect(&s, false, "T.A();T.A() T.B();T.A()");
	code_trace_release(&s);
}

static void a_load_event_may_come_after_the_first_sample(void **state)
{
	struct code_trace s;

	(void)state;
	code_trace_begin(&s);
	SAMPLE(&s, 0, 10, 0x1010);
	LOAD(&s, 20, .id = 1, .start = 0x1000, .name = "A");
	SAMPLE(&s, 0, 30, 0x1010);
	code_trace_end(&s);
	code_trace_expect(&s, false, "T.A() T.A()");
	assert_int_equal(s.model.frame_count, 1);
	code_trace_release(&s);
}

static void a_method_can_be_loaded_again_at_its_old_place(void **state)
{
	struct code_trace s;

	(void)state;
	code_trace_begin(&s);
	LOAD(&s, 10, .id = 1, .start = 0x1000, .name = "A");
	UNLOAD(&s, 20, .id = 1, .start = 0x1000, .name = "A");
	LOAD(&s, 30, .id = 2, .start = 0x1000, .name = "B");
	UNLOAD(&s, 40, .id = 2, .start = 0x1000, .name = "B");
	LOAD(&s, 50, .id = 1, .start = 0x1000, .name = "A");
	SAMPLE(&s, 0, 60, 0x1010);
	code_trace_end(&s);
	code_trace_expect(&s, false, "T.A()");
	assert_int_equal(s.model.method_count, 3);
	code_trace_release(&s);
}

static void a_rundown_adds_only_what_no_load_has_named(void **state)
{
	struct code_trace s;

	(void)state;
	code_trace_begin(&s);
	LOAD(&s, 10, .id = 1, .start = 0x1000, .name = "A");
	SAMPLE(&s, 0, 20, 0x2010, 0x1010);
	RUNDOWN(&s, 30, .id = 1, .start = 0x1000, .name = "A");
	RUNDOWN(&s, 40, .id = 2, .start = 0x2000, .name = "B");
	RUNDOWN(&s, 50, .id = 2, .start = 0x2000, .name = "B"); /* at the start and the end */
	code_trace_end(&s);
	code_trace_expect(&s, false, "T.A();T.B()");
	assert_int_equal(s.model.method_count, 2);
	code_trace_release(&s);
}

static void a_rundown_after_an_unload_shows_that_it_was_loaded_again(void **state)
{
	struct code_trace s;

	(void)state;
	code_trace_begin(&s);
	UNLOAD(&s, 10, .id = 1, .start = 0x1000, .name = "A"); /* loaded before the trace */
	LOAD(&s, 20, .id = 2, .start = 0x1000, .name = "B");
	SAMPLE(&s, 0, 30, 0x1010);
	UNLOAD(&s, 40, .id = 2, .start = 0x1000, .name = "B");
	SAMPLE(&s, 0, 50, 0x1010); /* its load was lost */
	RUNDOWN(&s, 60, .id = 1, .start = 0x1000, .name = "A");
	code_trace_end(&s);
	code_trace_expect(&s, false, "T.B() T.A()");
	code_trace_release(&s);
}

/* On-stack replacement: the new body is called by the old one, and both are one call. */
static void a_body_that_took_over_is_one_call_with_the_old_one(void **state)
{
	struct code_trace s;

	(void)state;
	code_trace_begin(&s);
	LOAD(&s, 10, .id = 1, .start = 0x1000, .name = "Loop", .flags = TIER(3u));
	LOAD(&s, 10, .id = 1, .start = 0x2000, .name = "Loop", .flags = OSR);
	LOAD(&s, 10, .id = 2, .start = 0x3000, .name = "Other", .flags = OSR);
	SAMPLE(&s, 0, 20, 0x2010, 0x1010);
	SAMPLE(&s, 0, 30, 0x1010, 0x1010);	   /* a recursion */
	SAMPLE(&s, 0, 40, 0x3010, 0x1010);	   /* another method */
	SAMPLE(&s, 0, 50, 0x3010, 0x2010, 0x1010); /* what it calls */
	SAMPLE(&s, 0, 60, 0x2010);		   /* the old one is not on the stack */
	code_trace_end(&s);
	code_trace_expect(
		&s, false,
		"T.Loop() T.Loop();T.Loop() T.Loop();T.Other() T.Loop();T.Other() T.Loop()");
	code_trace_release(&s);
}

static void tiers_are_in_names_if_they_are_asked_for(void **state)
{
	struct code_trace s;

	(void)state;
	code_trace_begin(&s);
	LOAD(&s, 10, .id = 1, .start = 0x1000, .name = "A", .flags = TIER(3u));
	LOAD(&s, 10, .id = 1, .start = 0x2000, .name = "A", .flags = TIER(4u));
	RUNDOWN(&s, 90, .id = 2, .start = 0x3000, .name = "B", .flags = R2R);
	SAMPLE(&s, 0, 20, 0x1010, 0x2010, 0x3010);
	code_trace_end_with(&s, (struct fill_options){ .tiers = true });
	code_trace_expect(&s, false, "[ReadyToRun]T.B();[OptimizedTier1]T.A();[QuickJitted]T.A()");
	code_trace_release(&s);
}

static void processes_have_code_of_their_own(void **state)
{
	struct code_trace s;

	(void)state;
	code_trace_begin(&s);
	code_load_module(&s, 0, 0, 900, "/app/First.dll");
	code_load_module(&s, 1, 0, 900, "C:\\app\\Second.DLL");
	LOAD(&s, 10, .id = 1, .start = 0x1000, .name = "A", .process = 0);
	LOAD(&s, 20, .id = 1, .start = 0x1000, .name = "B", .process = 1);
	for (int i = 0; i < 3; i++)
		SAMPLE(&s, i, 30 + i, 0x1010);
	UNLOAD(&s, 40, .id = 1, .start = 0x1000, .name = "A", .process = 0);
	LOAD(&s, 50, .id = 2, .start = 0x1000, .name = "C", .process = 0);
	for (int i = 0; i < 3; i++)
		SAMPLE(&s, i, 60 + i, 0x1010);
	code_trace_end(&s);
	code_trace_expect(&s, true, "First!T.A() Second!T.B() ?!? First!T.C() Second!T.B() ?!?");
	assert_int_equal(s.model.losses.frames_unresolved, 1);
	assert_int_equal(s.model.losses.samples_unresolved, 2);
	assert_int_equal(s.model.losses.samples, 6);
	code_trace_release(&s);
}

/* The runtime uses ids again. */
static void a_method_belongs_to_the_module_of_its_time(void **state)
{
	struct code_trace s;

	(void)state;
	code_trace_begin(&s);
	code_load_module(&s, 0, 10, 900, "/app/old.dll");
	LOAD(&s, 20, .id = 1, .start = 0x1000, .name = "A");
	SAMPLE(&s, 0, 30, 0x1010);
	code_load_module(&s, 0, 40, 900, "/app/new.dll");
	LOAD(&s, 50, .id = 2, .start = 0x2000, .name = "B");
	SAMPLE(&s, 0, 60, 0x1010, 0x2010);
	code_trace_end(&s);
	code_trace_expect(&s, true, "old!T.A() new!T.B();old!T.A()");
	assert_string_equal(s.model.frames[0].path, "/app/old");
	assert_string_equal(s.model.modules[0].path, "/app/old.dll");
	code_trace_release(&s);
}

/* As .NET's own library spells them: jitted code when it is loaded, other code in the rundown. */
static void a_module_may_have_two_spellings(void **state)
{
	struct code_trace s;

	(void)state;
	code_trace_begin(&s);
	code_load_module(&s, 0, 10, 900, "/app/Shop.dll");
	LOAD(&s, 20, .id = 1, .start = 0x1000, .name = "A", .flags = TIER(3u));
	SAMPLE(&s, 0, 30, 0x2010, 0x1010);
	code_unload_module(&s, 0, 40, 900);
	RUNDOWN(&s, 50, .id = 2, .start = 0x2000, .name = "B", .flags = R2R);
	code_trace_end_with(&s, (struct fill_options){ .notes = true });
	assert_string_equal(s.model.modules[0].name, "Shop");
	for (size_t i = 0; i < s.model.frame_count; i++) {
		const struct model_frame *frame = &s.model.frames[i];
		const bool jitted = !strcmp(frame->name, "T.A()");

		assert_string_equal(frame->module, jitted ? "shop" : "Shop");
		assert_string_equal(frame->path, jitted ? "/app/shop" : "/app/Shop");
	}
	assert_int_equal(s.model.frame_count, 2);
	code_trace_release(&s);
}

static void symbols_name_addresses_of_mapped_files(void **state)
{
	struct code_trace s;

	(void)state;
	code_trace_begin(&s);
	pp_writer_mapping_metadata(s.writer,
				   &(struct pp_new_event){ .thread = s.threads[0], .cpu = -1 },
				   &(const struct pp_new_mapping_metadata){
					   .id = 5, .symbols = "{\"build_id\": \"0a1b\"}" },
				   &s.err);
	code_map_file(&s, 0, 5, 0x7000, "/usr/lib/libx.so.1");
	code_add_symbol(&s, 0, 5, 0x7100, "ns::Class::f(int)");
	SAMPLE(&s, 0, 10, 0x7100);
	SAMPLE(&s, 0, 20, 0x710f);
	SAMPLE(&s, 0, 30, 0x7110); /* after the symbol */
	SAMPLE(&s, 0, 40, 0x8000); /* after the mapping */
	code_trace_end(&s);
	code_trace_expect(
		&s, true,
		"libx.so.1!ns::Class::f(int) libx.so.1!ns::Class::f(int) libx.so.1!0x510 ?!?");
	assert_string_equal(s.model.modules[0].build_id, "0a1b");
	assert_string_equal(s.model.frames[0].class_text, "ns::Class");
	assert_false(s.model.frames[0].unresolved);
	assert_int_equal(s.model.losses.frames_unresolved, 2);
	code_trace_release(&s);
}

static void processes_that_share_a_mapping_share_its_symbols(void **state)
{
	struct code_trace s;

	(void)state;
	code_trace_begin(&s);
	code_map_file(&s, 0, 5, 0x7000, "/lib/libx.so");
	code_map_file(&s, 1, 5, 0x7000, "/lib/libx.so");
	code_map_file(&s, 2, 6, 0x7000, "/lib/liby.so");
	code_add_symbol(&s, 0, 5, 0x7100, "f");
	for (int i = 0; i < 3; i++)
		SAMPLE(&s, i, 10 + i, 0x7100);
	code_trace_end(&s);
	code_trace_expect(&s, true, "libx.so!f libx.so!f liby.so!0x500");
	code_trace_release(&s);
}

static void the_kernel_is_the_same_in_all_processes(void **state)
{
	struct code_trace s;

	(void)state;
	code_trace_begin(&s);
	code_map_file(&s, 0, 9, KERNEL, "vmlinux");
	code_add_symbol(&s, 0, 9, KERNEL + 0x100, "schedule");
	SAMPLE(&s, 0, 10, KERNEL + 0x108);
	SAMPLE(&s, 2, 20, KERNEL + 0x108);
	code_trace_end(&s);
	code_trace_expect(&s, true, "vmlinux!schedule vmlinux!schedule");
	code_trace_release(&s);
}

/* Code of a file that is mapped, but that the runtime knows better. */
static void the_runtime_is_asked_before_symbols(void **state)
{
	struct code_trace s;

	(void)state;
	code_trace_begin(&s);
	code_map_file(&s, 0, 5, 0x7000, "/app/Shop.dll");
	code_add_symbol(&s, 0, 5, 0x7100, "stub");
	RUNDOWN(&s, 90, .id = 1, .start = 0x7100, .size = 8, .name = "A", .flags = R2R);
	SAMPLE(&s, 0, 10, 0x7100);
	SAMPLE(&s, 0, 20, 0x7108);
	code_trace_end(&s);
	code_trace_expect(&s, false, "T.A() stub");
	code_trace_release(&s);
}

static void a_stop_of_all_threads_is_from_its_begin_to_its_end(void **state)
{
	struct code_trace s;
	struct buffer p = { 0 };

	(void)state;
	code_trace_begin(&s);
	buffer_u32(&p, 1);
	buffer_u32(&p, 0);
	buffer_u16(&p, 0);
	code_event(&s, CLR_RUNTIME_PROVIDER, CLR_GC_SUSPEND_EE_BEGIN, code_at(&s, 1, 10), &p);
	p = (struct buffer){ 0 };
	buffer_u16(&p, 0);
	code_event(&s, CLR_RUNTIME_PROVIDER, CLR_GC_RESTART_EE_END, code_at(&s, 1, 25), &p);
	code_trace_end(&s);
	assert_int_equal(s.model.stop_count, 1);
	assert_int_equal(s.model.stops[0].from_ns, 10);
	assert_int_equal(s.model.stops[0].to_ns, 25);
	assert_int_equal(s.model.processes[s.model.stops[0].process].id, 101);
	code_trace_release(&s);
}

static void lost_events_have_a_cause(void **state)
{
	struct code_trace s;

	(void)state;
	code_trace_begin(&s);
	SAMPLE(&s, 0, 10, 0x1010);
	pp_writer_lost(s.writer, s.threads[0], 7, &s.err);
	SAMPLE(&s, 0, 20, 0x1010);
	pp_writer_lost(s.writer, s.threads[1], 2, &s.err);
	code_trace_end(&s);
	assert_int_equal(s.model.losses.events, 9);
	assert_int_equal(s.model.losses.by_cause[LOSS_GAP], 9);
	assert_int_equal(s.model.losses.by_cause[LOSS_RING], 0);
	code_trace_release(&s);
}

static void a_trace_without_its_end_is_cut_and_has_what_came_before(void **state)
{
	struct code_trace s;

	(void)state;
	code_trace_begin(&s);
	LOAD(&s, 10, .id = 1, .start = 0x1000, .name = "A");
	SAMPLE(&s, 0, 20, 0x1010);
	pp_writer_flush(s.writer, &s.err);
	const size_t whole = s.bytes.size;

	SAMPLE(&s, 0, 30, 0x2010);
	RUNDOWN(&s, 40, .id = 2, .start = 0x2000, .name = "B");
	assert_int_equal(pp_writer_close(s.writer, &s.err), 0);
	code_trace_read(&s, whole, (struct fill_options){ 0 });
	code_trace_expect(&s, false, "T.A()");
	assert_true(s.model.losses.cut);
	assert_false(s.model.losses.damaged);
	code_trace_release(&s);
}

/* Any prefix of a trace is a trace of less. */
static void a_trace_can_be_cut_anywhere(void **state)
{
	struct code_trace s;
	struct buffer bytes;

	(void)state;
	code_trace_begin(&s);
	code_map_file(&s, 0, 5, 0x7000, "/lib/libx.so");
	code_add_symbol(&s, 0, 5, 0x7100, "f");
	LOAD(&s, 10, .id = 1, .start = 0x1000, .name = "A");
	SAMPLE(&s, 0, 20, 0x7100, 0x1010);
	assert_int_equal(pp_writer_close(s.writer, &s.err), 0);
	bytes = s.bytes;
	for (size_t size = 0; size < bytes.size; size++) {
		s = (struct code_trace){ .bytes = bytes };
		code_trace_read(&s, size, (struct fill_options){ .notes = size % 2 });
		assert_true(s.model.losses.cut);
		assert_in_range(samples_count(&s.model.samples), 0, 1);
		model_release(&s.model);
	}
	buffer_release(&bytes);
}

/* Truncated payloads, and ranges that wrap around. */
static void events_that_cannot_be_are_left_out(void **state)
{
	struct code_trace s;
	struct buffer p = { 0 };

	(void)state;
	code_trace_begin(&s);
	LOAD(&s, 10, .id = 1, .start = UINT64_MAX - 8, .name = "A");
	buffer_u64(&p, 1);
	code_event(&s, CLR_RUNTIME_PROVIDER, CLR_METHOD_LOAD_VERBOSE, code_at(&s, 0, 10), &p);
	p = (struct buffer){ 0 };
	buffer_u64(&p, 900);
	code_event(&s, CLR_RUNTIME_PROVIDER, CLR_MODULE_LOAD, code_at(&s, 0, 10), &p);
	p = (struct buffer){ 0 };
	buffer_u8(&p, 1);
	code_event(&s, UNIVERSAL_SYSTEM_PROVIDER, 3, code_at(&s, 0, 10), &p);
	p = (struct buffer){ 0 };
	buffer_u8(&p, 1);
	code_event(&s, UNIVERSAL_SYSTEM_PROVIDER, 4, code_at(&s, 0, 10), &p);
	SAMPLE(&s, 0, 20, UINT64_MAX - 4);
	code_trace_end(&s);
	code_trace_expect(&s, true, "?!?");
	assert_int_equal(s.model.method_count, 0);
	assert_int_equal(s.model.module_count, 0);
	code_trace_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_means_what_was_loaded_there_at_the_time),
		cmocka_unit_test(a_load_over_other_code_ends_that),
		cmocka_unit_test(a_load_event_may_come_after_the_first_sample),
		cmocka_unit_test(a_method_can_be_loaded_again_at_its_old_place),
		cmocka_unit_test(a_rundown_adds_only_what_no_load_has_named),
		cmocka_unit_test(a_rundown_after_an_unload_shows_that_it_was_loaded_again),
		cmocka_unit_test(a_body_that_took_over_is_one_call_with_the_old_one),
		cmocka_unit_test(tiers_are_in_names_if_they_are_asked_for),
		cmocka_unit_test(processes_have_code_of_their_own),
		cmocka_unit_test(a_method_belongs_to_the_module_of_its_time),
		cmocka_unit_test(a_module_may_have_two_spellings),
		cmocka_unit_test(symbols_name_addresses_of_mapped_files),
		cmocka_unit_test(processes_that_share_a_mapping_share_its_symbols),
		cmocka_unit_test(the_kernel_is_the_same_in_all_processes),
		cmocka_unit_test(the_runtime_is_asked_before_symbols),
		cmocka_unit_test(a_stop_of_all_threads_is_from_its_begin_to_its_end),
		cmocka_unit_test(lost_events_have_a_cause),
		cmocka_unit_test(a_trace_without_its_end_is_cut_and_has_what_came_before),
		cmocka_unit_test(a_trace_can_be_cut_anywhere),
		cmocka_unit_test(events_that_cannot_be_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
