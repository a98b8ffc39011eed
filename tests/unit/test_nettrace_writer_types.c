/* SPDX-License-Identifier: MIT */
/*
 * One trace with everything in it: each type of field, labels, threads of two processes,
 * stacks, losses, universal events. With an argument, writes it to that file and prints its
 * events as our reader sees them; interop/writer.sh compares .NET's reader with that.
 */
#include "test_nettrace_writer.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/guid.h"
#include "perfpipe/nettrace_payload.h"
#include "perfpipe/nettrace_universal.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static const struct pp_type u16_type = { .code = PP_TYPE_U16 };
static const struct pp_type i32_type = { .code = PP_TYPE_I32 };
static const struct pp_type utf8_type = { .code = PP_TYPE_UTF8_UNIT };
static const struct pp_type utf16_type = { .code = PP_TYPE_UTF16_UNIT };
static const struct pp_type text_type = { .code = PP_TYPE_UTF16Z };
static const struct pp_field point_fields[] = { { "X", { .code = PP_TYPE_VARINT } },
						{ "Tag", { .code = PP_TYPE_UTF16Z } } };
static const struct pp_type point_type = { .code = PP_TYPE_OBJECT,
					   .fields = { point_fields, COUNT(point_fields) } };

static const struct pp_field all_fields[] = {
	{ "Bool32", { .code = PP_TYPE_BOOL32 } },
	{ "Char", { .code = PP_TYPE_UTF16_UNIT } },
	{ "I8", { .code = PP_TYPE_I8 } },
	{ "U8", { .code = PP_TYPE_U8 } },
	{ "I16", { .code = PP_TYPE_I16 } },
	{ "U16", { .code = PP_TYPE_U16 } },
	{ "I32", { .code = PP_TYPE_I32 } },
	{ "U32", { .code = PP_TYPE_U32 } },
	{ "I64", { .code = PP_TYPE_I64 } },
	{ "U64", { .code = PP_TYPE_U64 } },
	{ "F32", { .code = PP_TYPE_F32 } },
	{ "F64", { .code = PP_TYPE_F64 } },
	{ "Time", { .code = PP_TYPE_DATE_TIME } },
	{ "Guid", { .code = PP_TYPE_GUID } },
	{ "Text", { .code = PP_TYPE_UTF16Z } },
	{ "Bool8", { .code = PP_TYPE_BOOL8 } },
	{ "VarInt", { .code = PP_TYPE_VARINT } },
	{ "VarUInt", { .code = PP_TYPE_VARUINT } },
	{ "Unit8", { .code = PP_TYPE_UTF8_UNIT } },
	{ "Point", { .code = PP_TYPE_OBJECT, .fields = { point_fields, COUNT(point_fields) } } },
	{ "Ints", { .code = PP_TYPE_ARRAY, .element = &i32_type } },
	{ "Texts", { .code = PP_TYPE_ARRAY, .element = &text_type } },
	{ "Points", { .code = PP_TYPE_ARRAY, .element = &point_type } },
	{ "Utf8", { .code = PP_TYPE_ARRAY, .element = &utf8_type } },
	{ "Utf16", { .code = PP_TYPE_ARRAY, .element = &utf16_type } },
	{ "Fixed", { .code = PP_TYPE_FIXED_ARRAY, .element = &u16_type, .count = 3 } },
	{ "FixedText", { .code = PP_TYPE_FIXED_ARRAY, .element = &utf8_type, .count = 4 } },
	{ "RelLoc", { .code = PP_TYPE_REL_LOC, .element = &utf8_type } },
	{ "DataLoc", { .code = PP_TYPE_DATA_LOC, .element = &u16_type } },
};

static void put_numbers(struct pp_payload *p)
{
	pp_payload_bool32(p, true);
	pp_payload_u16(p, 0xeb); /* e with dots */
	pp_payload_u8(p, (uint8_t)-8);
	pp_payload_u8(p, 200);
	pp_payload_u16(p, (uint16_t)-1600);
	pp_payload_u16(p, 60000);
	pp_payload_u32(p, (uint32_t)-2000000000);
	pp_payload_u32(p, 4000000000);
	pp_payload_u64(p, (uint64_t)INT64_MIN);
	pp_payload_u64(p, UINT64_MAX);
	pp_payload_f32(p, 1.5F);
	pp_payload_f64(p, -0.125);
	pp_payload_date_time(p, INT64_C(1700000000123456700));
	pp_payload_raw(p, "\x33\x22\x11\x00\x55\x44\x77\x66\x88\x99\xaa\xbb\xcc\xdd\xee\xff", 16);
	pp_payload_utf16z(p, "Zo\xc3\xab \xf0\x9f\x92\xa9");
	pp_payload_bool8(p, true);
	pp_payload_varint(p, -123456789012);
	pp_payload_varuint(p, UINT64_MAX - 1);
	pp_payload_u8(p, 'u');
}

static void put_point(struct pp_payload *p, int64_t x, const char *tag)
{
	pp_payload_varint(p, x);
	pp_payload_utf16z(p, tag);
}

static void put_arrays(struct pp_payload *p)
{
	static const uint16_t fixed[] = { 1, 2, 65535 };
	size_t rel, data;

	put_point(p, -5, "corner");
	pp_payload_count(p, 3);
	for (uint32_t i = 0; i < 3; i++)
		pp_payload_u32(p, i * 10 - 10);
	pp_payload_count(p, 2);
	pp_payload_utf16z(p, "one");
	pp_payload_utf16z(p, "");
	pp_payload_count(p, 2);
	put_point(p, 1, "a");
	put_point(p, -1, "b");
	pp_payload_utf8(p, "plain");
	pp_payload_count(p, 2);
	pp_payload_raw(p, "h\0i\0", 4);
	pp_payload_raw(p, fixed, sizeof(fixed));
	pp_payload_raw(p, "four", 4);
	rel = pp_payload_location(p);
	data = pp_payload_location(p);
	pp_payload_rel_loc(p, rel, "elsewhere", 9);
	pp_payload_data_loc(p, data, fixed, sizeof(fixed));
}

/* State of the steps below. */
struct world {
	struct pp_writer *w;
	struct pp_payload *payload;
	uint64_t main;	 /* of process 100 */
	uint64_t worker; /* of process 100, too */
	uint64_t other;	 /* of process 200 */
	uint64_t capture;
	struct pp_error err;
};

static void say(struct world *x, struct pp_new_event event)
{
	event.payload = pp_payload_bytes(x->payload, &event.payload_size);
	assert_non_null(event.payload);
	if (pp_writer_event(x->w, &event, &x->err))
		fail_msg("%s", x->err.text);
	pp_payload_clear(x->payload);
}

static void write_types(struct world *x)
{
	static const uint8_t guid[17] = "\x78\x56\x34\x12\x34\x12\x78\x56\x9a\xbc\xde\xf0\1\2\3\4";
	static const struct pp_pair pairs[] = { { "unit", "ms" } };
	const struct pp_kind kind = { .provider = "Test-Types",
				      .name = "AllTypes",
				      .id = 10,
				      .version = 2,
				      .level = 4,
				      .opcode = -1,
				      .keywords = 0x8000000000000001,
				      .provider_guid = guid,
				      .message = "{Text}",
				      .description = "one of each",
				      .pairs = pairs,
				      .pair_count = 1,
				      .fields = { all_fields, COUNT(all_fields) } };
	const uint32_t handle = pp_writer_kind(x->w, &kind, &x->err);

	put_numbers(x->payload);
	put_arrays(x->payload);
	say(x, (struct pp_new_event){ .kind = handle, .thread = x->main, .ticks = 2000, .cpu = 1 });
}

static void write_labels(struct world *x)
{
	static const struct pp_label_pair pairs[] = { { "user", "Zo\xc3\xab", 0 },
						      { "try", NULL, -3 },
						      { "size", NULL, INT64_MAX } };
	struct pp_labels labels = { .present = PP_LABEL_ACTIVITY | PP_LABEL_RELATED |
					       PP_LABEL_TRACE | PP_LABEL_SPAN,
				    .activity_id = "\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17",
				    .related_activity_id = "\2\2\2\2\2\2\2\2\2\2\2\2\2\2\2",
				    .trace_id = "\3\3\3\3\3\3\3\3\3\3\3\3\3\3\3",
				    .span_id = 0x0102030405060708,
				    .pairs = pairs,
				    .pair_count = COUNT(pairs) };
	const struct pp_kind kind = {
		.provider = "Test-Labels", .name = "Labelled", .id = 11, .level = 5, .opcode = -1
	};
	const uint32_t handle = pp_writer_kind(x->w, &kind, &x->err);
	struct pp_new_event event = {
		.kind = handle, .thread = x->other, .ticks = 3000, .cpu = -1, .labels = &labels
	};

	say(x, event);
	labels = (struct pp_labels){ .present = PP_LABEL_OPCODE | PP_LABEL_KEYWORDS |
						PP_LABEL_LEVEL | PP_LABEL_VERSION,
				     .opcode = 24,
				     .keywords = 0x10,
				     .level = 2,
				     .version = 9 };
	event.ticks = 3001;
	say(x, event);
	event.ticks = 3002;
	event.labels = NULL;
	say(x, event);
}

/* Out of order, by two threads, with losses, in two groups. */
static void write_many(struct world *x)
{
	static const struct pp_field fields[] = { { "I", { .code = PP_TYPE_U32 } } };
	const struct pp_kind kind = { .provider = "Test-Many",
				      .name = "Tick",
				      .id = 12,
				      .opcode = -1,
				      .fields = { fields, 1 } };
	const uint32_t handle = pp_writer_kind(x->w, &kind, &x->err);

	for (uint32_t i = 0; i < 20; i++) {
		const uint64_t stack[] = { 0x7f0000001000 + i % 2, 0x7f0000002000 };

		if (i == 5)
			pp_writer_lost(x->w, x->worker, 7, &x->err);
		if (i == 12)
			pp_writer_flush(x->w, &x->err);
		pp_payload_u32(x->payload, i);
		say(x, (struct pp_new_event){ .kind = handle,
					      .thread = i % 3 ? x->worker : x->other,
					      .capture_thread = i % 4 ? 0 : x->capture,
					      .ticks = 4000 + (int64_t)(i ^ 3),
					      .cpu = (int32_t)(i % 4),
					      .stack = i % 5 ? stack : NULL,
					      .stack_count = i % 5 ? 2 : 0 });
	}
	pp_writer_lost(x->w, x->main, 3, &x->err);
	pp_writer_thread_end(x->w, x->other, &x->err);
}

static void write_universal(struct world *x)
{
	struct pp_new_event at = { .thread = x->main, .ticks = 1000, .cpu = -1 };
	const uint64_t stack[] = { 0x7f0000100020, 0x7f0000101000 };

	pp_writer_process(x->w, &at, PP_PROCESS_EXISTING,
			  &(struct pp_new_process){ .namespace_id = 9, .name = "/usr/bin/app" },
			  &x->err);
	pp_writer_mapping_metadata(
		x->w, &at,
		&(struct pp_new_mapping_metadata){ .id = 5, .symbols = "{\"type\":\"ELF\"}" },
		&x->err);
	pp_writer_mapping(x->w, &at,
			  &(struct pp_new_mapping){ .id = 1,
						    .start = 0x7f0000100000,
						    .end = 0x7f0000200000,
						    .file_offset = 0x1000,
						    .file_name = "/usr/lib/libx.so",
						    .metadata_id = 5 },
			  &x->err);
	pp_writer_symbol(x->w, &at,
			 &(struct pp_new_symbol){ .id = 1,
						  .mapping_id = 1,
						  .start = 0x7f0000100020,
						  .end = 0x7f000010003f,
						  .name = "native_fn" },
			 &x->err);
	at.thread = x->other;
	at.ticks = 1500;
	pp_writer_process(x->w, &at, PP_PROCESS_CREATE,
			  &(struct pp_new_process){ .name = "child", .namespace_name = "pod" },
			  &x->err);
	at.ticks = 1600;
	pp_writer_process_exit(x->w, &at, &x->err);
	at = (struct pp_new_event){
		.thread = x->main, .ticks = 1700, .cpu = 2, .stack = stack, .stack_count = 2
	};
	pp_writer_cpu(x->w, &at, 1, &x->err);
	at.ticks = 1800;
	at.cpu = 3;
	pp_writer_cswitch(x->w, &at, 12345, &x->err);
}

static struct memory write_all(void)
{
	static const struct pp_pair pairs[] = { { "HardwareThreadCount", "4" } };
	struct memory m = { 0 };
	struct pp_writer_options options = options_to(&m);
	struct world x = { .payload = pp_payload_new() };

	options.properties = pairs;
	options.property_count = 1;
	x.w = pp_writer_new(&options, &x.err);
	x.capture = pp_writer_thread(x.w, &(struct pp_thread){ .process_id = 0 }, &x.err);
	x.main = pp_writer_thread(
		x.w, &(struct pp_thread){ .process_id = 100, .id = 100, .name = "main" }, &x.err);
	x.worker =
		pp_writer_thread(x.w, &(struct pp_thread){ .process_id = 100, .id = 101 }, &x.err);
	x.other =
		pp_writer_thread(x.w, &(struct pp_thread){ .process_id = 200, .id = 201 }, &x.err);
	write_universal(&x);
	write_types(&x);
	write_labels(&x);
	write_many(&x);
	if (pp_writer_close(x.w, &x.err) || x.err.code)
		fail_msg("%s", x.err.text);
	pp_payload_free(x.payload);
	return m;
}

static void reads_back_every_type(void **state)
{
	struct memory m = write_all();
	struct back back = read_back(m.b.bytes, m.b.size);
	const struct pp_kind *kind;

	(void)state;
	assert_true(back.totals.complete);
	assert_int_equal(back.totals.lost, 10);
	assert_int_equal(back.totals.late, 0);
	assert_int_equal(back.count, 8 + 1 + 3 + 20);
	for (size_t i = 1; i < back.count; i++)
		assert_true(back.events[i - 1].ticks <= back.events[i].ticks);
	kind = back.events[8].kind;
	assert_string_equal(kind->name, "AllTypes");
	assert_string_equal(kind->message, "{Text}");
	assert_string_equal(kind->description, "one of each");
	assert_string_equal(kind->pairs[0].value, "ms");
	assert_memory_equal(kind->provider_guid, "\x78\x56", 2);
	assert_int_equal(kind->fields.count, COUNT(all_fields));
	for (size_t i = 0; i < COUNT(all_fields); i++) {
		assert_string_equal(kind->fields.list[i].name, all_fields[i].name);
		assert_int_equal(kind->fields.list[i].type.code, all_fields[i].type.code);
		assert_int_equal(kind->fields.list[i].type.count, all_fields[i].type.count);
	}
	back.memory = m;
	back_release(&back);
}

static void knows_universal_events_by_name_and_id(void **state)
{
	static const char *const names[] = { "ExistingProcess",
					     "ProcessMappingMetadata",
					     "ProcessMapping",
					     "ProcessSymbol",
					     "ProcessCreate",
					     "ProcessExit",
					     "cpu",
					     "cswitch" };
	static const uint32_t ids[] = { 0, 5, 3, 4, 1, 2 };
	struct memory m = write_all();
	struct back back = read_back(m.b.bytes, m.b.size);

	(void)state;
	for (size_t i = 0; i < 8; i++) {
		assert_string_equal(back.events[i].kind->name, names[i]);
		assert_string_equal(back.events[i].kind->provider,
				    i < 6 ? "Universal.System" : "Universal.Events");
		if (i < 6)
			assert_int_equal(back.events[i].kind->id, ids[i]);
	}
	assert_memory_equal(back.events[0].payload, "\x09\x0c\0/usr/bin/app\0\0", 17);
	assert_int_equal(back.events[5].payload_size, 0);
	assert_memory_equal(back.events[6].payload, "\1", 1);
	assert_memory_equal(back.events[7].payload, "\xb9\x60", 2);
	assert_int_equal(back.events[7].stack->count, 2);
	back.memory = m;
	back_release(&back);
}

static void fails_a_payload_that_cannot_be_encoded(void **state)
{
	struct pp_payload *p = pp_payload_new();
	char *text = calloc(1, 70000);
	size_t size, location;

	(void)state;
	assert_non_null(pp_payload_bytes(p, &size));
	assert_int_equal(size, 0);
	pp_payload_count(p, 65536);
	pp_payload_u8(p, 1);
	assert_null(pp_payload_bytes(p, &size));
	pp_payload_clear(p);
	memset(text, 'x', 65536);
	pp_payload_utf8(p, text);
	assert_null(pp_payload_bytes(p, &size));
	pp_payload_clear(p);
	location = pp_payload_location(p);
	pp_payload_raw(p, text, 65532);
	pp_payload_rel_loc(p, location, "a", 1);
	assert_non_null(pp_payload_bytes(p, &size));
	pp_payload_data_loc(p, location, "a", 1);
	assert_null(pp_payload_bytes(p, &size));
	pp_payload_free(p);
	free(text);
}

static void rejects_a_universal_text_that_is_too_long(void **state)
{
	struct memory m = { 0 };
	struct pp_writer *w = writer_to(&m);
	struct pp_error err = { 0 };
	struct pp_new_event at = { .thread = a_thread(w, 1) };
	char *text = malloc(65537);

	(void)state;
	memset(text, 'x', 65536);
	text[65536] = '\0';
	assert_int_equal(pp_writer_symbol(w, &at, &(struct pp_new_symbol){ .name = text }, &err),
			 -1);
	assert_string_equal(err.text, "a text of a universal event takes more than 65,535 bytes");
	err = (struct pp_error){ 0 };
	assert_int_equal(pp_writer_cpu(w, &at, 1, &err), 0);
	assert_int_equal(pp_writer_close(w, &err), 0);
	buffer_release(&m.b);
	free(text);
}

static void print_guid(const struct pp_event *e, unsigned bit, const uint8_t *guid)
{
	char text[GUID_TEXT_SIZE] = "-";

	if (e->labels && e->labels->present & bit)
		guid_text(guid, text);
	printf(" %s", text);
}

/*
 * Provider, process, thread, ms since the start, CPU (0 for unknown, as in .NET's reader),
 * activities, stack.
 */
static void print_event(const struct pp_trace_header *header, const struct pp_event *e)
{
	printf("%s %" PRId64 " %" PRId64 " %.6f %d", e->kind->provider, e->thread->process_id,
	       e->thread->id, (double)pp_trace_time_ns(header, e->ticks) / 1e6,
	       e->cpu < 0 ? 0 : e->cpu);
	print_guid(e, PP_LABEL_ACTIVITY, e->labels ? e->labels->activity_id : NULL);
	print_guid(e, PP_LABEL_RELATED, e->labels ? e->labels->related_activity_id : NULL);
	for (size_t i = 0; e->stack && i < e->stack->count; i++)
		printf(" %" PRIx64, e->stack->addresses[i]);
	printf("\n");
}

static int write_and_print(const char *path)
{
	struct memory m = write_all();
	struct back back = read_back(m.b.bytes, m.b.size);
	FILE *file = fopen(path, "wb");

	if (!file || fwrite(m.b.bytes, 1, m.b.size, file) != m.b.size || fclose(file))
		return 1;
	for (size_t i = 0; i < back.count; i++)
		print_event(pp_nettrace_header(back.trace), &back.events[i]);
	printf("lost %" PRIu64 "\n", back.totals.lost);
	back.memory = m;
	back_release(&back);
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_back_every_type),
		cmocka_unit_test(knows_universal_events_by_name_and_id),
		cmocka_unit_test(fails_a_payload_that_cannot_be_encoded),
		cmocka_unit_test(rejects_a_universal_text_that_is_too_long),
	};

	return argc == 2 ? write_and_print(argv[1]) : cmocka_run_group_tests(tests, NULL, NULL);
}
