/* SPDX-License-Identifier: MIT */
/* Building a model from events: threads and their names, marks, stacks, methods, times. */
#include "fill/fill.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/buffer.h"
#include "nettrace/recording_end.h"
#include "clr/event_ids.h"
#include "clr/providers.h"
#include "source_events.h"

/* A model being built. */
struct filled {
	struct source source;
	struct model model;
	struct fill *fill;
};

static void begin(struct filled *f, struct fill_options options)
{
	options.model = &f->model;
	source_init(&f->source, NULL);
	f->fill = pass_want(&f->source.pass, &fill_analysis,
			    &(const struct analysis_setup){ .options = &options });
}

static void end(struct filled *f)
{
	pass_finish(&f->source.pass, NULL);
	fill_build(f->fill);
}

static void release(struct filled *f)
{
	source_release(&f->source);
	model_release(&f->model);
}

static void runtime_on(struct source *s, uint32_t id, int64_t now, int64_t thread)
{
	s->thread_id = thread;
	source_runtime(s, now, id, 0, NULL, NULL, 0);
}

static void sample(struct source *s, int64_t now, uint64_t address)
{
	s->address = address;
	s->id = SOURCE_NO_ID;
	source_event(s, now, SAMPLE_PROFILER_PROVIDER "/", NULL, "type#2");
	s->id = 0;
	s->address = 0;
}

static const char *name_of(const struct filled *f, int64_t thread_id)
{
	for (size_t i = 0; i < f->model.thread_count; i++)
		if (f->model.threads[i].id == thread_id)
			return f->model.threads[i].name;
	fail_msg("there is no thread %lld", (long long)thread_id);
	return NULL;
}

static void a_thread_is_named_by_the_trace_or_by_its_role(void **state)
{
	struct filled f;

	(void)state;
	begin(&f, (struct fill_options){ 0 });
	runtime_on(&f.source, CLR_THREAD_POOL_WORKER_THREAD_START, 10, 1);
	runtime_on(&f.source, CLR_THREAD_POOL_WORKER_THREAD_WAIT, 11, 2);
	runtime_on(&f.source, CLR_TIERED_COMPILATION_BACKGROUND_JIT_START, 12, 3);
	runtime_on(&f.source, CLR_GC_FINALIZERS_BEGIN, 13, 4);
	runtime_on(&f.source, CLR_THREAD_POOL_WORKER_THREAD_START, 14, 4); /* the first name wins */
	runtime_on(&f.source, CLR_GC_START, 15, 5);
	f.source.thread_name = "Main";
	runtime_on(&f.source, CLR_THREAD_POOL_WORKER_THREAD_START, 16, 6);
	end(&f);
	assert_string_equal(name_of(&f, 1), ".NET ThreadPool Worker");
	assert_string_equal(name_of(&f, 2), ".NET ThreadPool Worker");
	assert_string_equal(name_of(&f, 3), ".NET Tiered Compilation Worker");
	assert_string_equal(name_of(&f, 4), ".NET Finalizer");
	assert_null(name_of(&f, 5));
	assert_string_equal(name_of(&f, 6), "Main");
	release(&f);
}

static void threads_and_processes_record_when_they_were_seen(void **state)
{
	struct filled f;

	(void)state;
	begin(&f, (struct fill_options){ 0 });
	runtime_on(&f.source, CLR_GC_START, 10, 7);
	runtime_on(&f.source, CLR_GC_START, 20, 8);
	f.source.process_id = 12;
	runtime_on(&f.source, CLR_GC_START, 30, 7);
	f.source.process_id = 11;
	runtime_on(&f.source, CLR_GC_START, 40, 7);
	assert_int_equal(fill_thread(f.fill, &f.source.threads[1]), 1);
	end(&f);
	assert_int_equal(f.model.thread_count, 3);
	assert_int_equal(f.model.process_count, 2);
	assert_int_equal(f.model.threads[0].first_ns, 10);
	assert_int_equal(f.model.threads[0].last_ns, 40);
	assert_int_equal(f.model.threads[0].events, 2);
	assert_int_equal(f.model.threads[1].first_ns, 20);
	assert_int_equal(f.model.processes[f.model.threads[2].process].id, 12);
	assert_int_equal(f.model.processes[0].events, 3);
	assert_int_equal(f.model.processes[0].last_ns, 40);
	assert_int_equal(f.model.events, 4);
	assert_int_equal(f.model.first_ns, 10);
	assert_int_equal(f.model.last_ns, 40);
	release(&f);
}

/* Allocations and tasks prove that a thread is running, if they have a stack. */
static void send_marks(struct source *s, uint64_t address)
{
	s->address = address;
	runtime_on(s, CLR_GC_ALLOCATION_TICK, 10, 7);
	runtime_on(s, CLR_ALLOCATION_SAMPLED, 20, 7);
	for (s->id = 7; s->id <= 12; s->id++)
		source_event(s, 30, TPL_PROVIDER "/", NULL, "a#0;b#0;task#1;behavior#1");
	s->id = 0;
	s->address = 0;
}

static void only_an_event_with_a_stack_marks_its_thread(void **state)
{
	struct filled f;

	(void)state;
	begin(&f, (struct fill_options){ .marks = true });
	send_marks(&f.source, 0);
	assert_int_equal(samples_count(&f.model.samples), 0);
	send_marks(&f.source, 0x1000);
	end(&f);
	/* two allocations, and of six events of tasks all but the stop */
	assert_int_equal(f.model.samples.counts[SAMPLE_MARK], 2 + 5);
	assert_int_equal(samples_count(&f.model.samples), 2 + 5);
	release(&f);
	begin(&f, (struct fill_options){ .tasks = true });
	send_marks(&f.source, 0x1000);
	end(&f);
	assert_int_equal(samples_count(&f.model.samples), 0);
	release(&f);
}

static void events_with_names_are_notes_if_requested(void **state)
{
	struct filled f;

	(void)state;
	for (int notes = 0; notes < 2; notes++) {
		begin(&f, (struct fill_options){ .notes = notes });
		source_event(&f.source, 10, "Demo/Ping", NULL, "");
		source_event(&f.source, 20, "Demo/PingStart", "//1/", "");
		source_event(&f.source, 30, "Demo/", NULL, "");
		source_event(&f.source, 40, UNIVERSAL_EVENTS_PROVIDER "/other", NULL, "");
		end(&f);
		assert_int_equal(f.model.samples.counts[SAMPLE_NOTE], notes ? 2 : 0);
		release(&f);
	}
}

/* Notes the stack number of each event. */
static void note_stack(void *self, const struct event_context *at)
{
	struct recorded_stack *stacks = self;

	stacks[at->time_ns / 10] = event_stack(at);
}

static void method_event(struct source *s, uint32_t id, int64_t now, uint64_t method,
			 const char *name)
{
	struct buffer p = { 0 };

	buffer_u64(&p, method);
	buffer_u64(&p, 900);
	buffer_u64(&p, 0x1000);
	buffer_u32(&p, 0x100);
	buffer_u32(&p, 0);
	buffer_u32(&p, 8); /* jitted */
	buffer_utf16z(&p, "Shop.Orders");
	buffer_utf16z(&p, name);
	buffer_utf16z(&p, "void  ()");
	source_runtime(s, now, id, 0, NULL, p.bytes, p.size);
	buffer_release(&p);
}

static const char *leaf_of(const struct filled *f, struct recorded_stack recorded)
{
	const uint32_t stack = model_stack_now(&f->model, recorded);

	assert_int_not_equal(stack, STACK_EMPTY);
	return f->model.frames[f->model.stacks.nodes[stack].frame].name;
}

/* A method is unloaded, and another one is loaded at its address. */
static void an_address_that_gets_new_code_starts_a_new_stack(void **state)
{
	struct recorded_stack stacks[10] = { 0 };
	struct filled f;

	(void)state;
	begin(&f, (struct fill_options){ 0 });
	pass_want_every(&f.source.pass, note_stack, stacks);
	method_event(&f.source, CLR_METHOD_LOAD_VERBOSE, 0, 1, "Place");
	sample(&f.source, 10, 0x1010);
	sample(&f.source, 20, 0x1010);
	sample(&f.source, 30, 0x1020); /* another address in the same method */
	method_event(&f.source, CLR_METHOD_UNLOAD_VERBOSE, 40, 1, "Place");
	method_event(&f.source, CLR_METHOD_LOAD_VERBOSE, 50, 2, "Cancel");
	sample(&f.source, 60, 0x1010);
	f.source.process_id = 12; /* which has no method there */
	sample(&f.source, 70, 0x1010);
	end(&f);
	assert_int_equal(stacks[0].number, 0); /* no stack */
	assert_int_equal(stacks[1].number, stacks[2].number);
	assert_int_not_equal(stacks[1].number, stacks[6].number);
	assert_int_not_equal(stacks[6].number, stacks[7].number);
	assert_string_equal(leaf_of(&f, stacks[1]), "Shop.Orders.Place()");
	assert_string_equal(leaf_of(&f, stacks[3]), "Shop.Orders.Place()");
	assert_string_equal(leaf_of(&f, stacks[6]), "Shop.Orders.Cancel()");
	assert_string_not_equal(leaf_of(&f, stacks[7]), "Shop.Orders.Cancel()");
	assert_int_equal(f.model.samples.counts[SAMPLE_MANAGED], 5);
	release(&f);
}

static void module_event(struct source *s, uint32_t id, int64_t now)
{
	struct buffer p = { 0 };

	buffer_u64(&p, 900);
	buffer_u64(&p, 0);
	buffer_u64(&p, 0);
	buffer_utf16z(&p, "/app/Shop.dll");
	buffer_utf16z(&p, "");
	source_runtime(s, now, id, 0, NULL, p.bytes, p.size);
	buffer_release(&p);
}

/* As dotnet-trace does: in lower case if an event of the module comes before those of methods. */
static void modules_are_spelled_by_the_order_of_events(void **state)
{
	static const struct {
		bool notes, module_first, unloaded;
		const char *module;
	} rows[] = {
		{ true, true, false, "shop" },
		{ true, false, false, "Shop" },
		{ true, true, true, "Shop" }, /* the method is the first after it */
		{ false, true, false, "Shop" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct recorded_stack stacks[10] = { 0 };
		struct filled f;
		uint32_t stack;

		begin(&f, (struct fill_options){ .notes = rows[i].notes });
		pass_want_every(&f.source.pass, note_stack, stacks);
		if (rows[i].module_first)
			module_event(&f.source, CLR_MODULE_LOAD, 0);
		if (rows[i].unloaded)
			module_event(&f.source, CLR_MODULE_UNLOAD, 10);
		method_event(&f.source, CLR_METHOD_LOAD_VERBOSE, 20, 1, "Place");
		sample(&f.source, 30, 0x1010);
		module_event(&f.source, CLR_MODULE_LOAD, 40);
		end(&f);
		stack = model_stack_now(&f.model, stacks[3]);
		assert_string_equal(f.model.frames[f.model.stacks.nodes[stack].frame].module,
				    rows[i].module);
		release(&f);
	}
}

/* Most names come at the end of a trace. */
static void a_rundown_names_earlier_addresses(void **state)
{
	struct recorded_stack stacks[10] = { 0 };
	struct filled f;

	(void)state;
	begin(&f, (struct fill_options){ .raw_names = true });
	pass_want_every(&f.source.pass, note_stack, stacks);
	sample(&f.source, 10, 0x1010);
	method_event(&f.source, CLR_METHOD_DC_END_VERBOSE_V2, 20, 1, "Place");
	end(&f);
	assert_string_equal(leaf_of(&f, stacks[1]), "Shop.Orders.Place()");
	assert_int_equal(f.model.losses.frames_unresolved, 0);
	release(&f);
}

static void samples_of_the_kernel_have_their_own_weight(void **state)
{
	static const uint8_t payload[] = { 3 };
	static const struct pp_thread thread = { .id = 7, .process_id = 11 };
	static const struct pp_kind kinds[] = {
		{ .index = 0, .provider = UNIVERSAL_EVENTS_PROVIDER, .name = "cpu", .id = 1 },
		{ .index = 1, .provider = UNIVERSAL_EVENTS_PROVIDER, .name = "cswitch", .id = 2 },
	};
	static const enum sample_kind expected[] = { SAMPLE_CPU, SAMPLE_SWITCH };
	static const int64_t weights[] = { 3 * 500, 3 * 1000 }; /* 3 intervals, 3 ticks */
	const struct pp_trace_header header = { .ticks_per_second = 1000 * 1000,
						.pointer_size = 8,
						.sampling_ns = 500 };
	struct sample_walk walk;
	struct model_sample seen;
	struct filled f;
	size_t count = 0;

	(void)state;
	begin(&f, (struct fill_options){ 0 });
	for (size_t i = 0; i < 2; i++)
		pass_event(&f.source.pass, &header,
			   &(const struct pp_event){ .ticks = (int64_t)i,
						     .kind = &kinds[i],
						     .thread = &thread,
						     .payload = payload,
						     .payload_size = 1 });
	end(&f);
	sample_walk_begin(&walk, &f.model.samples, UNTIL_NOTHING);
	while (sample_walk_next(&walk, &seen)) {
		assert_int_equal(seen.kind, expected[count]);
		assert_int_equal(seen.weight, weights[count++]);
	}
	sample_walk_end(&walk);
	assert_int_equal(count, 2);
	release(&f);
}

static void expect_process(const char *command_line, const char *name)
{
	struct filled f;
	char fields[128];

	snprintf(fields, sizeof(fields), "CommandLine=%s", command_line);
	begin(&f, (struct fill_options){ 0 });
	source_event(&f.source, 10, EVENT_PIPE_PROVIDER "/ProcessInfo", NULL, fields);
	end(&f);
	assert_string_equal(f.model.processes[0].name, name);
	assert_string_equal(f.model.processes[0].command_line, command_line);
	release(&f);
}

static void the_runtime_names_its_process_as_ps_does(void **state)
{
	(void)state;
	expect_process("/usr/bin/dotnet shop.dll", "shop");
	expect_process("dotnet exec --roll-forward major /srv/shop/shop.dll  a.dll", "shop");
	expect_process("/usr/bin/dotnet build", "dotnet");
	expect_process("dotnet .dll", "dotnet");
	expect_process("/srv/shop other.dll", "shop");
}

static void a_truncated_recording_says_what_stopped_it(void **state)
{
	struct pp_nettrace *trace = pp_nettrace_new(NULL, &(struct pp_error){ 0 });
	struct filled f;

	(void)state;
	begin(&f, (struct fill_options){ 0 });
	pass_finish(&f.source.pass, NULL);
	assert_false(f.model.losses.cut);
	release(&f);
	begin(&f, (struct fill_options){ 0 });
	pass_finish(&f.source.pass, trace); /* without an end mark */
	assert_true(f.model.losses.cut);
	assert_null(f.model.losses.stopped_by);
	release(&f);
	begin(&f, (struct fill_options){ 0 });
	f.source.id = RECORDING_END_ID;
	source_event(&f.source, 10, RECORDING_END_PROVIDER "/" RECORDING_END_NAME, NULL,
		     "reason=the disk is full");
	pass_finish(&f.source.pass, NULL);
	assert_true(f.model.losses.cut);
	assert_string_equal(f.model.losses.stopped_by, "the disk is full");
	release(&f);
	pp_nettrace_free(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_is_named_by_the_trace_or_by_its_role),
		cmocka_unit_test(threads_and_processes_record_when_they_were_seen),
		cmocka_unit_test(only_an_event_with_a_stack_marks_its_thread),
		cmocka_unit_test(events_with_names_are_notes_if_requested),
		cmocka_unit_test(an_address_that_gets_new_code_starts_a_new_stack),
		cmocka_unit_test(modules_are_spelled_by_the_order_of_events),
		cmocka_unit_test(a_rundown_names_earlier_addresses),
		cmocka_unit_test(samples_of_the_kernel_have_their_own_weight),
		cmocka_unit_test(the_runtime_names_its_process_as_ps_does),
		cmocka_unit_test(a_truncated_recording_says_what_stopped_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
