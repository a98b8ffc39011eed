/* SPDX-License-Identifier: MIT */
#include "nettrace/thread_times.h"

#include "base/array.h"

#define MORE_AT 16 /* the offset of `more` and `count` in a payload */

static const struct pp_field row_fields[] = {
	{ "thread_id", { .code = PP_TYPE_I64 } }, { "run_ns", { .code = PP_TYPE_U64 } },
	{ "ready_ns", { .code = PP_TYPE_U64 } },  { "state", { .code = PP_TYPE_UTF16_UNIT } },
	{ "name", { .code = PP_TYPE_UTF16Z } },
};

static const struct pp_type row_type = {
	.code = PP_TYPE_OBJECT,
	.fields = { row_fields, ARRAY_COUNT(row_fields) },
};

static const struct pp_field fields[] = {
	{ "time", { .code = PP_TYPE_I64 } },
	{ "process_run_ns", { .code = PP_TYPE_U64 } },
	{ "more", { .code = PP_TYPE_U8 } },
	{ "threads", { .code = PP_TYPE_ARRAY, .element = &row_type } },
};

const struct pp_kind thread_times_kind = {
	.provider = THREAD_TIMES_PROVIDER,
	.name = THREAD_TIMES_NAME,
	.id = THREAD_TIMES_ID,
	.level = 4,
	.opcode = -1,
	.fields = { fields, ARRAY_COUNT(fields) },
};

void thread_times_put_head(struct buffer *b, const struct thread_times_head *head)
{
	buffer_u64(b, (uint64_t)head->ticks);
	buffer_u64(b, head->process_run_ns);
	buffer_u8(b, head->more);
	buffer_u16(b, head->count);
}

void thread_times_put_row(struct buffer *b, const struct thread_times_row *row)
{
	buffer_u64(b, (uint64_t)row->thread_id);
	buffer_u64(b, row->run_ns);
	buffer_u64(b, row->ready_ns);
	buffer_u16(b, (uint8_t)row->state);
	buffer_utf16z(b, row->name);
}

void thread_times_patch(struct buffer *b, const struct thread_times_head *head)
{
	const uint8_t more = head->more;

	buffer_patch(b, MORE_AT, &more, sizeof(more));
	buffer_patch(b, MORE_AT + sizeof(more), &head->count, sizeof(head->count));
}

void thread_times_set_ticks(struct buffer *b, size_t payload, int64_t ticks)
{
	buffer_patch(b, payload, &ticks, sizeof(ticks));
}

struct thread_times_head thread_times_head(struct cursor *c)
{
	struct thread_times_head head = { .ticks = cursor_i64(c) };

	head.process_run_ns = cursor_u64(c);
	head.more = cursor_u8(c);
	head.count = cursor_u16(c);
	return head;
}

struct thread_times_row thread_times_row(struct cursor *c)
{
	struct thread_times_row row = { .thread_id = cursor_i64(c) };

	row.run_ns = cursor_u64(c);
	row.ready_ns = cursor_u64(c);
	row.state = (char)cursor_u16(c);
	return row;
}
