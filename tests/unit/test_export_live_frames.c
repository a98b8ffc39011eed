/* SPDX-License-Identifier: MIT */
/* Names of addresses while methods are compiled: at once, a moment later, or never. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/buffer.h"
#include "clr/event_ids.h"
#include "export/live_frames.h"
#include "source_events.h"

#define PROCESS 11 /* of source_event() */

static struct source source;
static struct live_frames *frames;
static unsigned waits;
static bool comes_late;

static void put_utf16z(struct buffer *out, const char *text)
{
	for (; *text; text++)
		buffer_u16(out, (uint8_t)*text);
	buffer_u16(out, 0);
}

static void load(uint64_t id, uint64_t start, const char *name)
{
	struct buffer payload = { 0 };

	buffer_u64(&payload, id);
	buffer_u64(&payload, 77); /* the module */
	buffer_u64(&payload, start);
	buffer_u32(&payload, 0x100);
	buffer_u32(&payload, 0x6000001);
	buffer_u32(&payload, 8); /* jitted */
	put_utf16z(&payload, "Shop.Orders");
	put_utf16z(&payload, name);
	put_utf16z(&payload, "void  ()");
	source_runtime(&source, (int64_t)id, CLR_METHOD_LOAD_VERBOSE, 1, NULL, payload.bytes,
		       payload.size);
	buffer_release(&payload);
}

static void use_precompiled(uint64_t id, uint64_t start, const char *name)
{
	struct buffer payload = { 0 };

	buffer_u64(&payload, id);
	put_utf16z(&payload, "System.Text");
	put_utf16z(&payload, name);
	put_utf16z(&payload, "void  ()");
	buffer_u64(&payload, start);
	buffer_u16(&payload, 0);
	source_runtime(&source, (int64_t)id, CLR_R2R_GET_ENTRY_POINT, 0, NULL, payload.bytes,
		       payload.size);
	buffer_release(&payload);
}

static bool more(void *context, int wait_ms)
{
	(void)context;
	assert_true(wait_ms > 0);
	waits++;
	if (comes_late)
		load(9, 0x9000, "Late");
	return comes_late;
}

static int begin(void **state)
{
	(void)state;
	waits = 0;
	comes_late = false;
	source_init(&source, NULL);
	frames = live_frames_new(more, NULL);
	live_frames_listen(frames, &source.pass);
	return 0;
}

static int end(void **state)
{
	(void)state;
	source_release(&source);
	live_frames_free(frames);
	return 0;
}

static void assert_named(uint64_t address, const char *name, uint64_t offset)
{
	const struct event_frame frame = live_frames_get(frames, PROCESS, address);

	assert_non_null(frame.name);
	assert_string_equal(frame.name, name);
	assert_true(frame.has_offset);
	assert_int_equal(frame.offset, offset);
}

static void names_methods_as_they_are_compiled(void **state)
{
	(void)state;
	load(1, 0x1000, "Place");
	assert_named(0x1010, "Shop.Orders.Place()", 0x10);
	load(2, 0x2000, "Ship");
	assert_named(0x20ff, "Shop.Orders.Ship()", 0xff);
	assert_named(0x1000, "Shop.Orders.Place()", 0);
	assert_int_equal(waits, 0);
}

static void takes_the_newest_of_an_address(void **state)
{
	(void)state;
	load(1, 0x1000, "Old");
	assert_named(0x1010, "Shop.Orders.Old()", 0x10);
	load(2, 0x1000, "New");
	assert_named(0x1010, "Shop.Orders.New()", 0x10);
}

static void waits_for_a_name_that_comes_late(void **state)
{
	(void)state;
	comes_late = true;
	assert_named(0x9004, "Shop.Orders.Late()", 4);
	assert_int_equal(waits, 1);
}

static void waits_once_for_each_and_not_for_ever(void **state)
{
	(void)state;
	assert_null(live_frames_get(frames, PROCESS, 0x5000).name);
	assert_null(live_frames_get(frames, PROCESS, 0x5000).name);
	assert_int_equal(waits, 1);
	for (uint64_t address = 0x6000; address < 0x6100; address++)
		assert_null(live_frames_get(frames, PROCESS, address).name);
	assert_true(waits <= 8);
	load(5, 0x5000, "Known");
	assert_named(0x5000, "Shop.Orders.Known()", 0);
}

static void names_precompiled_code_by_its_start(void **state)
{
	(void)state;
	use_precompiled(1, 0x70000, "First");
	use_precompiled(2, 0x70400, "Second");
	assert_named(0x70300, "System.Text.First()", 0x300);
	assert_named(0x70500, "System.Text.Second()", 0x100);
	load(3, 0x70600, "Exact");
	assert_named(0x70610, "Shop.Orders.Exact()", 0x10);
	assert_null(live_frames_get(frames, PROCESS, 0x70400 + 64 * 1024).name);
	assert_null(live_frames_get(frames, PROCESS, 0x6ffff).name);
}

static void survives_events_that_are_cut_short(void **state)
{
	static const uint8_t bytes[60] = { 1 };

	(void)state;
	for (size_t size = 0; size < sizeof(bytes); size++) {
		source_runtime(&source, 1, CLR_R2R_GET_ENTRY_POINT, 0, NULL, bytes, size);
		source_runtime(&source, 1, CLR_METHOD_LOAD_VERBOSE, 1, NULL, bytes, size);
	}
	assert_null(live_frames_get(frames, PROCESS, 0x5000).name);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(names_methods_as_they_are_compiled),
		TEST(takes_the_newest_of_an_address),
		TEST(waits_for_a_name_that_comes_late),
		TEST(waits_once_for_each_and_not_for_ever),
		TEST(names_precompiled_code_by_its_start),
		TEST(survives_events_that_are_cut_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
