/* SPDX-License-Identifier: MIT */
/*
 * A record is a header (u32 type, u16 misc, u16 size), a body and, if it is no sample, the fields
 * that tell when and where (sample_id), all in the order of perf_event_open(2). Fields that
 * were not asked for are not there.
 */
#include "perf/perf_record.h"

#include "base/cursor.h"
#include "base/error.h"

/* A string that ends in its field, and is padded to 8 bytes. */
static const char *read_text(struct cursor *c)
{
	const size_t left = cursor_left(c);
	const char *text = (const char *)cursor_bytes(c, left);

	if (!text || !memchr(text, '\0', left)) {
		cursor_fail(c);
		return "";
	}
	return text;
}

static void read_thread(struct cursor *c, struct perf_record *record)
{
	record->pid = cursor_u32(c);
	record->tid = cursor_u32(c);
}

static void read_cpu(struct cursor *c, struct perf_record *record)
{
	record->cpu = cursor_u32(c);
	cursor_u32(c);
}

static const uint8_t *read_words(struct cursor *c, uint64_t count)
{
	if (count > cursor_left(c) / 8) {
		cursor_fail(c);
		return NULL;
	}
	return cursor_bytes(c, (size_t)count * 8);
}

/* The bytes that were copied come first; the rest of the space is not of the stack. */
static void read_stack(struct cursor *c, struct perf_sample *sample)
{
	const uint64_t size = cursor_u64(c);
	uint64_t used;

	if (!size)
		return;
	if (size > cursor_left(c)) {
		cursor_fail(c);
		return;
	}
	sample->stack = cursor_bytes(c, (size_t)size);
	used = cursor_u64(c);
	sample->stack_size = (size_t)(used < size ? used : size);
}

static void read_registers(const struct perf_layout *layout, struct cursor *c,
			   struct perf_sample *sample)
{
	sample->register_abi = cursor_u64(c);
	if (sample->register_abi == PERF_SAMPLE_REGS_ABI_NONE)
		return;
	sample->registers = read_words(c, layout->register_count);
	sample->register_count = sample->registers ? layout->register_count : 0;
}

static void read_sample(const struct perf_layout *layout, struct cursor *c,
			struct perf_record *record)
{
	const uint64_t has = layout->sample_type;
	struct perf_sample *sample = &record->sample;

	if (has & PERF_SAMPLE_IDENTIFIER)
		record->id = cursor_u64(c);
	if (has & PERF_SAMPLE_IP)
		sample->ip = cursor_u64(c);
	if (has & PERF_SAMPLE_TID)
		read_thread(c, record);
	if (has & PERF_SAMPLE_TIME)
		record->time_ns = cursor_u64(c);
	if (has & PERF_SAMPLE_ADDR)
		cursor_u64(c);
	if (has & PERF_SAMPLE_ID)
		record->id = cursor_u64(c);
	if (has & PERF_SAMPLE_STREAM_ID)
		cursor_u64(c);
	if (has & PERF_SAMPLE_CPU)
		read_cpu(c, record);
	if (has & PERF_SAMPLE_PERIOD)
		sample->period = cursor_u64(c);
	if (has & PERF_SAMPLE_CALLCHAIN) {
		const uint64_t count = cursor_u64(c);

		sample->chain = read_words(c, count);
		sample->chain_count = sample->chain ? (size_t)count : 0;
	}
	if (has & PERF_SAMPLE_RAW) {
		const uint32_t size = cursor_u32(c);

		sample->raw = cursor_bytes(c, size);
		sample->raw_size = sample->raw ? size : 0;
	}
	if (has & PERF_SAMPLE_REGS_USER)
		read_registers(layout, c, sample);
	if (has & PERF_SAMPLE_STACK_USER)
		read_stack(c, sample);
}

static void read_mapping(struct cursor *c, struct perf_record *record)
{
	struct perf_mapping *mapping = &record->mapping;

	read_thread(c, record);
	mapping->start = cursor_u64(c);
	mapping->size = cursor_u64(c);
	mapping->offset = cursor_u64(c);
	if (record->type == PERF_RECORD_MMAP2) {
		struct cursor file = cursor_within(c, 24);

		if (record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
			const uint8_t size = cursor_u8(&file);

			cursor_bytes(&file, 3);
			mapping->build_id_size =
				size < PERF_BUILD_ID_MOST ? size : PERF_BUILD_ID_MOST;
			mapping->build_id = cursor_bytes(&file, PERF_BUILD_ID_MOST);
		} else {
			mapping->device_major = cursor_u32(&file);
			mapping->device_minor = cursor_u32(&file);
			mapping->inode = cursor_u64(&file);
		}
		mapping->protection = cursor_u32(c);
		mapping->flags = cursor_u32(c);
	}
	mapping->path = read_text(c);
}

static void read_name(struct cursor *c, struct perf_record *record)
{
	read_thread(c, record);
	record->name = read_text(c);
}

static void read_task(struct cursor *c, struct perf_record *record)
{
	record->pid = cursor_u32(c);
	record->parent.pid = cursor_u32(c);
	record->tid = cursor_u32(c);
	record->parent.tid = cursor_u32(c);
	record->time_ns = cursor_u64(c);
}

static void read_lost(struct cursor *c, struct perf_record *record)
{
	record->id = cursor_u64(c);
	record->lost = cursor_u64(c);
}

static void read_lost_samples(struct cursor *c, struct perf_record *record)
{
	record->lost = cursor_u64(c);
}

static void read_throttle(struct cursor *c, struct perf_record *record)
{
	record->time_ns = cursor_u64(c);
	record->id = cursor_u64(c);
}

typedef void body_reader(struct cursor *c, struct perf_record *record);

static body_reader *body_reader_of(uint32_t type)
{
	static body_reader *const readers[] = {
		[PERF_RECORD_MMAP] = read_mapping,
		[PERF_RECORD_MMAP2] = read_mapping,
		[PERF_RECORD_COMM] = read_name,
		[PERF_RECORD_FORK] = read_task,
		[PERF_RECORD_EXIT] = read_task,
		[PERF_RECORD_LOST] = read_lost,
		[PERF_RECORD_LOST_SAMPLES] = read_lost_samples,
		[PERF_RECORD_THROTTLE] = read_throttle,
		[PERF_RECORD_UNTHROTTLE] = read_throttle,
	};

	return type < sizeof(readers) / sizeof(readers[0]) ? readers[type] : NULL;
}

/* Fields of sample_id, each of 8 bytes. */
#define ID_FIELDS                                                                                  \
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |             \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

static size_t sample_id_size(const struct perf_layout *layout)
{
	const uint64_t has = layout->sample_type & ID_FIELDS;

	return layout->sample_id_all ? 8 * (size_t)__builtin_popcountll(has) : 0;
}

/* `c` has exactly these bytes. A body that has thread or time knows it better. */
static void read_sample_id(const struct perf_layout *layout, struct cursor *c,
			   struct perf_record *record)
{
	const uint64_t has = layout->sample_id_all ? layout->sample_type : 0;
	struct perf_record at = { 0 };

	if (has & PERF_SAMPLE_TID)
		read_thread(c, &at);
	if (has & PERF_SAMPLE_TIME)
		at.time_ns = cursor_u64(c);
	if (has & PERF_SAMPLE_ID)
		at.id = cursor_u64(c);
	if (has & PERF_SAMPLE_STREAM_ID)
		cursor_u64(c);
	if (has & PERF_SAMPLE_CPU)
		read_cpu(c, &at);
	if (has & PERF_SAMPLE_IDENTIFIER)
		at.id = cursor_u64(c);
	record->cpu = at.cpu;
	if (!record->pid && !record->tid)
		record->pid = at.pid, record->tid = at.tid;
	if (!record->time_ns)
		record->time_ns = at.time_ns;
	if (!record->id)
		record->id = at.id;
}

static void read_other(const struct perf_layout *layout, struct cursor *c,
		       struct perf_record *record)
{
	const size_t id_size = sample_id_size(layout);
	body_reader *read_body = body_reader_of(record->type);
	struct cursor body;

	if (id_size > cursor_left(c)) {
		cursor_fail(c);
		return;
	}
	body = cursor_within(c, cursor_left(c) - id_size);
	if (read_body)
		read_body(&body, record);
	read_sample_id(layout, c, record);
	if (body.failed)
		cursor_fail(c);
}

int perf_record_read(const struct perf_layout *layout, const void *bytes, size_t size,
		     struct perf_record *record, struct pp_error *err)
{
	struct cursor c = cursor_over(bytes, size);
	uint16_t record_size;

	*record = (struct perf_record){ .type = cursor_u32(&c), .misc = cursor_u16(&c) };
	record_size = cursor_u16(&c);
	if (c.failed || record_size != size)
		return error_set(err, PP_ERROR_FORMAT, "a perf record of %zu bytes says it has %u",
				 size, record_size);
	if (record->type == PERF_RECORD_SAMPLE)
		read_sample(layout, &c, record);
	else
		read_other(layout, &c, record);
	if (c.failed)
		return error_set(err, PP_ERROR_FORMAT,
				 "a perf record of type %u is cut short: it has %zu bytes",
				 record->type, size);
	return 0;
}
