/* SPDX-License-Identifier: MIT */
#include "report/request_shapes.h"

#include "base/buffer.h"
#include "base/text.h"

static const char *status_text(int code, struct arena *arena)
{
	if (code == REQUEST_EXCEPTION)
		return "exception";
	if (code == REQUEST_NO_STATUS)
		return "unknown";
	return arena_printf(arena, "%d", code);
}

bool request_group_is_timed(const struct request_group *group)
{
	return group->timed > 0;
}

bool request_group_has_status(const struct request_group *group)
{
	for (size_t i = 0; i < group->status_count; i++)
		if (group->statuses[i].code != REQUEST_NO_STATUS)
			return true;
	return false;
}

bool request_status_entry(const struct request_group *group, size_t index,
			  struct result_entry *entry, struct arena *arena)
{
	if (index >= group->status_count)
		return false;
	*entry = (struct result_entry){
		.key = status_text(group->statuses[index].code, arena),
		.value = { .unit = UNIT_COUNT,
			   .known = true,
			   .count = group->statuses[index].count },
	};
	return true;
}

bool request_wait_entry(const int64_t *waits_ns, size_t index, struct result_entry *entry)
{
	for (enum request_wait i = 0; i < REQUEST_WAITS; i++) {
		if (!waits_ns[i] || index-- > 0)
			continue;
		*entry = (struct result_entry){
			.key = request_wait_name(i),
			.value = { .unit = UNIT_TIME, .known = true, .number = waits_ns[i] },
		};
		return true;
	}
	return false;
}

static bool is_timed(const void *row)
{
	return request_group_is_timed(row);
}

static bool has_status(const void *row)
{
	return request_group_has_status(row);
}

/* Their failures are events of their own. */
static bool is_always_known(const void *row)
{
	(void)row;
	return true;
}

static bool status_entry(const void *row, size_t index, struct result_entry *entry,
			 struct arena *arena)
{
	return request_status_entry(row, index, entry, arena);
}

static bool wait_entry(const void *row, size_t index, struct result_entry *entry,
		       struct arena *arena)
{
	(void)arena;
	return request_wait_entry(((const struct request_group *)row)->waits_ns, index, entry);
}

/* "200", or "200 x38, 500 x2". */
static void make_status_text(const void *row, struct result_value *value, struct arena *arena)
{
	const struct request_group *group = row;
	struct buffer text = { 0 };

	for (size_t i = 0; i < group->status_count; i++) {
		const char *status = status_text(group->statuses[i].code, arena);

		if (group->status_count == 1 && group->statuses[i].code == REQUEST_NO_STATUS)
			break;
		buffer_printf(&text, "%s%s", i ? ", " : "", status);
		if (group->status_count > 1)
			buffer_printf(&text, " x%s", text_count(group->statuses[i].count).text);
	}
	value->known = text.size;
	value->text = buffer_keep(&text, arena);
}

/* "GET /orders/17", since people have no column for the method. */
static const char *whole_name(const struct request_group *group, struct arena *arena)
{
	if (!*group->method || !*group->name)
		return *group->method ? group->method : group->name;
	return arena_printf(arena, "%s %s", group->method, group->name);
}

static void make_whole_name(const void *row, struct result_value *value, struct arena *arena)
{
	value->text = whole_name(row, arena);
}

#define ROW struct request_group

/* clang-format off */
#define TIME_OF(member_, key_, title_, ...) \
	FIELD(ROW, member_, key_, title_, UNIT_TIME, .known = is_timed, __VA_ARGS__)
#define GROUP_FIELDS(method_, status_flags_, failed_) \
	FIELD(ROW, count, "count", "Count", UNIT_COUNT), \
	TIME_OF(p50_ns, "p50_ns", "p50", .flags = MOST), \
	TIME_OF(p95_ns, "p95_ns", "p95", .flags = MOST | MAIN), \
	TIME_OF(p99_ns, "p99_ns", "p99", .flags = MOST), \
	TIME_OF(max_ns, "max_ns", "Longest", .flags = MOST), \
	FIELD(ROW, total_ns, "total_ns", NULL, UNIT_TIME), \
	FIELD(ROW, failed, "failed", "Failed", UNIT_COUNT, .flags = SHOWN_IF_ANY, .known = (failed_)), \
	FIELD(ROW, unfinished, "unfinished", NULL, UNIT_COUNT), \
	FIELD(ROW, timed, "timed", NULL, UNIT_COUNT), \
	COMPUTED("statuses", NULL, UNIT_MAP, .entry = status_entry), \
	COMPUTED("status", "Status", UNIT_TEXT, .flags = SHOWN_PEOPLE | SHOWN_IF_ANY | (status_flags_), .make = make_status_text), \
	COMPUTED("waits_ns", NULL, UNIT_MAP, .entry = wait_entry), \
	FIELD(ROW, name, "name", NULL, UNIT_TEXT, .flags = KEY), \
	FIELD(ROW, method, method_, NULL, UNIT_TEXT, .flags = KEY | OR_NULL), \
	COMPUTED("text", "Name", UNIT_TEXT, .flags = SHOWN_PEOPLE | PATH, .make = make_whole_name), \
	FIELD_END
/* clang-format on */

/* Of what is not a request, a status would only say once more that it failed. */
static const struct result_field group_fields[] = { GROUP_FIELDS("method", 0, has_status) };
static const struct result_field operation_fields[] = { GROUP_FIELDS("operation", SHOWN_DATA,
								     is_always_known) };
static const struct result_field activity_fields[] = { GROUP_FIELDS("activity_source", SHOWN_DATA,
								    has_status) };

const struct result_shape request_group_shape = { group_fields, NULL };
const struct result_shape operation_shape = { operation_fields, NULL };
const struct result_shape activity_group_shape = { activity_fields, NULL };

#undef ROW
#define ROW struct request

static const struct request *request_of(const void *row)
{
	return row;
}

/* One that failed without a status ended with an exception. */
static int status_of(const struct request *request)
{
	return request->status == REQUEST_NO_STATUS && request->failed ? REQUEST_EXCEPTION
								       : request->status;
}

void make_request_status(const void *row, struct result_value *value, struct arena *arena)
{
	value->text = status_text(status_of(row), arena);
}

static bool knows_status(const void *row)
{
	return status_of(row) != REQUEST_NO_STATUS;
}

static void get_failed(const void *row, struct result_value *value)
{
	value->flag = request_of(row)->failed || request_of(row)->status >= 500;
}

static bool has_call(const void *row)
{
	return request_of(row)->call;
}

static bool slow_wait_entry(const void *row, size_t index, struct result_entry *entry,
			    struct arena *arena)
{
	(void)arena;
	return request_wait_entry(request_of(row)->waits_ns, index, entry);
}

/* The longest wait not listed yet, unless it is below a hundredth of the time. */
static enum request_wait next_wait(const struct request *request, unsigned listed)
{
	enum request_wait longest = REQUEST_WAITS;

	for (enum request_wait i = 0; i < REQUEST_WAITS; i++)
		if (!(listed >> i & 1) && request->waits_ns[i] > request->time_ns / 100 &&
		    (longest == REQUEST_WAITS || request->waits_ns[i] > request->waits_ns[longest]))
			longest = i;
	return longest;
}

#define WAITS_SHOWN 2 /* so that the name has room on 80 columns */

/* "answer 54.2 ms, queue 22.9 ms", the longest first. */
static void make_waited(const void *row, struct result_value *value, struct arena *arena)
{
	const struct request *request = row;
	struct buffer text = { 0 };
	unsigned listed = 0;
	enum request_wait wait;

	for (int i = 0; i < WAITS_SHOWN && (wait = next_wait(request, listed)) < REQUEST_WAITS;
	     i++) {
		listed |= 1u << wait;
		buffer_printf(&text, "%s%s %s", text.size ? ", " : "", request_wait_name(wait),
			      text_duration((uint64_t)request->waits_ns[wait]).text);
	}
	value->known = text.size;
	value->text = buffer_keep(&text, arena);
}

static void make_slow_name(const void *row, struct result_value *value, struct arena *arena)
{
	value->text = whole_name(request_of(row)->group, arena);
}

static const struct result_field request_fields[] = {
	FIELD(ROW, process_id, "process_id", "Process", UNIT_ID, .flags = SHOWN_BY_PROCESS),
	FIELD(ROW, thread_id, "thread_id", NULL, UNIT_ID),
	FIELD(ROW, start_ns, "start_ns", "Start", UNIT_TIME, .flags = WHEN),
	FIELD(ROW, time_ns, "duration_ns", "Time", UNIT_TIME),
	COMPUTED("status", NULL, UNIT_TEXT, .make = make_request_status),
	COMPUTED("status_text", "Status", UNIT_TEXT, .flags = SHOWN_PEOPLE, .known = knows_status,
		 .make = make_request_status),
	COMPUTED("failed", NULL, UNIT_FLAG, .known = knows_status, .get = get_failed),
	FIELD(ROW, key.text, "activity", NULL, UNIT_TEXT),
	FIELD(ROW, trace_id, "trace_id", "Trace", UNIT_TEXT, .flags = SHOWN_IF_ROOM),
	FIELD(ROW, span_id, "span_id", NULL, UNIT_TEXT),
	COMPUTED("waits_ns", NULL, UNIT_MAP, .entry = slow_wait_entry),
	COMPUTED("waited", "Waited for", UNIT_TEXT, .flags = SHOWN_PEOPLE, .make = make_waited),
	FIELD(ROW, calls, "calls", NULL, UNIT_COUNT),
	FIELD(ROW, call, "slowest_call", NULL, UNIT_TEXT),
	FIELD(ROW, call_ns, "slowest_call_ns", NULL, UNIT_TIME, .known = has_call),
	FIELD(ROW, exceptions, "exceptions", NULL, UNIT_COUNT),
	FIELD_THROUGH(ROW, group, struct request_group, name, "name", NULL, UNIT_TEXT),
	FIELD_THROUGH(ROW, group, struct request_group, method, "method", NULL, UNIT_TEXT,
		      .flags = OR_NULL),
	COMPUTED("text", "Name", UNIT_TEXT, .flags = SHOWN_PEOPLE | PATH, .make = make_slow_name),
	FIELD_END,
};

const struct result_shape request_shape = { request_fields, NULL };
