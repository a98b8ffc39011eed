/* SPDX-License-Identifier: MIT */
#include "trace_samples.h"

#define GUID_A "AAAAAAAAAAAAAAAA"
#define GUID_B "BBBBBBBBBBBBBBBB"

#define TWO_ADDRESSES BYTES("\x10\0\0\0\0\0\0\0\x20\0\0\0\0\0\0\0")

static struct builder raw(int version)
{
	struct builder b = build_start(version);
	const uint32_t ping = kind(&b, .name = "Ping");
	uint32_t pong;

	event(&b, .kind = ping, .thread = 7, .ticks = 1000001, .payload = BYTES("abc"));
	pong = kind(&b, .name = "Pong", .event_id = 2,
		    .fields = BYTES("\x01\0\0\0\x09\0\0\0x\0\0\0"));
	event(&b, .kind = pong, .thread = 8, .ticks = 1000002, .payload = BYTES("\x05\0\0\0"),
	      .addresses = TWO_ADDRESSES, .activity = GUID_A);
	event(&b, .kind = ping, .thread = 7, .ticks = 1000002, .related = GUID_B);
	build_end(&b);
	return b;
}

static struct builder v1(void)
{
	return raw(1);
}

static struct builder v2(void)
{
	return raw(2);
}

static struct builder v3(void)
{
	struct builder b = build_start(3);

	build_events(&b, PLAIN);
	kind(&b, .id = 1, .name = "Ping");
	event(&b, .kind = 1, .thread = 7, .ticks = 1000001, .payload = BYTES("abc"),
	      .addresses = TWO_ADDRESSES);
	build_close(&b);
	build_events(&b, PLAIN);
	kind(&b, .id = 2,
	     .fields = BYTES("\x01\0\0\0\x01\0\0\0\x01\0\0\0\x12\0\0\0x\0\0\0y\0\0\0"));
	event(&b, .kind = 2, .thread = 7, .ticks = 1000005, .payload = BYTES("h\0i\0\0\0"));
	event(&b, .kind = 1, .thread = 9, .ticks = 1000006, .addresses = TWO_ADDRESSES);
	build_close(&b);
	build_end(&b);
	return b;
}

static struct builder v4_plain(void)
{
	struct builder b = build_ready(4);

	event(&b, .kind = 1, .thread = 5, .ticks = 10, .payload = BYTES("x"), .activity = GUID_A);
	event(&b, .kind = 1, .thread = 6, .ticks = 5, .payload = BYTES("yz"), .sorted = true);
	event(&b, .kind = 1, .thread = 5, .ticks = 20);
	build_close(&b);
	build_point_of(&b, KEEP_ALL, 5, 2);
	build_end(&b);
	put_zeros(&b, 3); /* like the writer of .NET's tests */
	return b;
}

/* Times that go back and forth on three threads, stacks, activities, a gap. */
static void compressed_events(struct builder *b)
{
	build_stacks(b, 1, 2);
	stack(b, 0x1000, 0x2000);
	stack(b, 0x3000);
	build_close(b);
	build_events(b, COMPRESSED);
	event(b, .kind = 1, .thread = 5, .ticks = 100, .stack = 1, .payload = BYTES("one"));
	event(b, .kind = 1, .thread = 5, .ticks = 110, .stack = 1, .payload = BYTES("two"));
	event(b, .kind = 2, .thread = 6, .ticks = 50, .cpu = 1, .activity = GUID_A);
	event(b, .kind = 2, .thread = 6, .capture = 7, .ticks = 60, .related = GUID_B);
	event(b, .kind = 1, .thread = 5, .sequence = 9, .ticks = 111, .stack = 2);
	build_close(b);
	build_point_of(b, KEEP_ALL, 5, 10);
	build_stacks(b, 1, 1);
	stack(b, 0x3000);
	build_close(b);
	build_events(b, COMPRESSED);
	event(b, .kind = 1, .thread = 5, .ticks = 200, .stack = 1);
	event(b, .kind = 1, .thread = 6, .ticks = 180, .sorted = true);
	event(b, .kind = 1, .thread = 6, .ticks = 190);
	build_close(b);
}

static struct builder v5_compressed(void)
{
	struct builder b = build_start(4);

	build_metadata(&b);
	/* no fields in the old list; opcode 10; one tagged field x, an array of i32 */
	kind(&b, .id = 1, .name = "Ping",
	     .fields = BYTES("\0\0\0\0\x01\0\0\0\x01\x0a\x14\0\0\0\x02\x01\0\0\0\x10\0\0\0x\0\0\0"
			     "\x13\0\0\0\x09\0\0\0"));
	kind(&b, .id = 2, .name = "Pong");
	build_close(&b);
	compressed_events(&b);
	build_end(&b);
	return b;
}

static struct builder v6_start(void)
{
	struct builder b = build_magic(6);

	build_block(&b, PART_TRACE);
	put_date(&b);
	put_u64(&b, 0);
	put_u64(&b, 1000);
	put_u32(&b, 8);
	put_u32(&b, 2);
	put_bytes(&b, BYTES("\x09ProcessId\x03"
			    "123"
			    "\x13HardwareThreadCount\x01"
			    "2"));
	build_close(&b);
	build_metadata(&b);
	/* x is an object with one i32; opcode 1, a pair, a description */
	kind(&b, .id = 1, .name = "Ping",
	     .fields = BYTES("\x01\0\x0a\0\x01x\x01\x01\0\x03\0\x01y\x09"),
	     .optional = BYTES("\x01\x01\x06\x01k\x01v\x05\x04What"));
	kind(&b, .id = 2, .name = "Pong", .fields = BYTES("\x01\0\x04\0\x01x\x18\x09"));
	build_close(&b);
	build_thread(&b, 5, 50, 123);
	build_thread(&b, 6, 60, 123);
	build_thread(&b, 7, 70, 123);
	return b;
}

static struct builder v6_plain(void)
{
	struct builder b = v6_start();

	build_block(&b, (enum part)99);
	put_bytes(&b, BYTES("later"));
	build_close(&b);
	build_events(&b, PLAIN);
	event(&b, .kind = 1, .thread = 5, .ticks = 10, .payload = BYTES("\x05\0\0\0"));
	event(&b, .kind = 2, .thread = 6, .ticks = 5, .payload = BYTES("\0\0\0\0"), .sorted = true);
	build_close(&b);
	build_removal(&b, 6, 1);
	build_events(&b, PLAIN);
	event(&b, .kind = 1, .thread = 5, .ticks = 11);
	build_close(&b);
	build_end(&b);
	return b;
}

static struct builder v6_compressed(void)
{
	struct builder b = v6_start();

	compressed_events(&b);
	build_end(&b);
	return b;
}

static struct builder v6_labels(void)
{
	struct builder b = v6_start();

	build_block(&b, PART_LABELS);
	put_u32(&b, 1);
	put_u32(&b, 2);
	put_bytes(&b, BYTES("\x01" GUID_A "\x05\x01k\x01v\x86\x01n\xf6\x01"));
	put_bytes(&b, BYTES("\x07\x02\x84\x01\x02\x03\x04\x05\x06\x07\x08"));
	build_close(&b);
	build_events(&b, COMPRESSED);
	event(&b, .kind = 1, .thread = 5, .ticks = 10, .labels = 1);
	event(&b, .kind = 1, .thread = 5, .ticks = 12, .labels = 1);
	event(&b, .kind = 2, .thread = 6, .ticks = 11, .labels = 2, .payload = BYTES("\0\0\0\0"));
	event(&b, .kind = 2, .thread = 6, .ticks = 13, .payload = BYTES("\0\0\0\0"));
	build_close(&b);
	build_point(&b, (enum point_flags)(FORGET_THREADS_FLAG | FORGET_METADATA_FLAG));
	build_metadata(&b);
	kind(&b, .id = 1, .name = "Other");
	build_close(&b);
	build_thread(&b, 5, 51, 123);
	build_block(&b, PART_LABELS);
	put_u32(&b, 1);
	put_u32(&b, 1);
	put_bytes(&b, BYTES("\x89\x03"));
	build_close(&b);
	build_events(&b, COMPRESSED);
	event(&b, .kind = 1, .thread = 5, .sequence = 1, .ticks = 20, .labels = 1);
	build_close(&b);
	build_point_of(&b, KEEP_ALL, 5, 3);
	build_end(&b);
	return b;
}

const struct sample samples[] = {
	{ "v1", v1, 3 },
	{ "v2", v2, 3 },
	{ "v3", v3, 3 },
	{ "v4_plain", v4_plain, 3 },
	{ "v5_compressed", v5_compressed, 8 },
	{ "v6_plain", v6_plain, 3 },
	{ "v6_compressed", v6_compressed, 8 },
	{ "v6_labels", v6_labels, 5 },
};

const size_t sample_count = sizeof(samples) / sizeof(samples[0]);
