/* SPDX-License-Identifier: MIT */
#include "nettrace/header.h"

#include <stdlib.h>
#include <string.h>

#include "base/unicode.h"
#include "nettrace/pairs.h"

#define NS_PER_SECOND INT64_C(1000000000)
#define NS_PER_MS     INT64_C(1000000)

__extension__ typedef __int128 i128;

/* Days since 1970-01-01; the year starts in March, so that a leap day is its last. */
static int64_t days_since_1970(int64_t year, unsigned month, unsigned day)
{
	const int64_t y = month <= 2 ? year - 1 : year;
	const int64_t era = (y >= 0 ? y : y - 399) / 400;
	const int64_t year_of_era = y - era * 400;
	const int64_t day_of_year =
		(153 * ((int64_t)month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 +
	       day_of_year - 719468;
}

/* A Windows SYSTEMTIME; the day of the week is ignored, since writers disagree on it. */
static int64_t system_time_ns(struct cursor *c)
{
	const unsigned year = cursor_u16(c);
	const unsigned month = cursor_u16(c);
	const unsigned day = (cursor_u16(c), cursor_u16(c));
	const unsigned hour = cursor_u16(c);
	const unsigned minute = cursor_u16(c);
	const unsigned second = cursor_u16(c);
	const unsigned ms = cursor_u16(c);
	int64_t seconds = days_since_1970(year, month, day) * 86400;

	/* 64 bits of nanoseconds cover 1677 to 2262 */
	if (year < 1678 || year > 2261 || month < 1 || month > 12 || day < 1 || day > 31 ||
	    hour > 23 || minute > 59 || second > 60 || ms > 999)
		return 0;
	seconds += hour * 3600 + minute * 60 + second;
	return seconds * NS_PER_SECOND + ms * NS_PER_MS;
}

static void parse_clock(struct pp_trace_header *header, struct cursor *c)
{
	header->start_ns = system_time_ns(c);
	header->start_ticks = cursor_i64(c);
	header->ticks_per_second = cursor_i64(c);
}

static void parse_v1(struct pp_trace_header *header, struct cursor *c)
{
	cursor_u32(c); /* index of the forward reference to the end of the events */
	parse_clock(header, c);
}

/* NativeAOT's runtime writes this number of processors on every machine but those with Windows. */
#define NATIVE_AOT_PROCESSORS 0xFFFF

static void parse_v3(struct pp_trace_header *header, struct cursor *c)
{
	parse_clock(header, c);
	header->pointer_size = cursor_i32(c);
	header->process_id = cursor_i32(c);
	header->processors = cursor_i32(c);
	header->native_aot = header->processors == NATIVE_AOT_PROCESSORS;
	if (header->native_aot)
		header->processors = -1;
	header->sampling_ns = cursor_i32(c);
}

/* Properties that are members of the header; the last of a name wins. */
static void apply_property(struct pp_trace_header *header, const struct pp_pair *pair)
{
	const int64_t number = strtoll(pair->value, NULL, 10);

	if (!strcmp(pair->key, "ProcessId"))
		header->process_id = number;
	else if (!strcmp(pair->key, "HardwareThreadCount"))
		header->processors = (int)number;
	else if (!strcmp(pair->key, "ExpectedCPUSamplingRate"))
		header->sampling_ns = number;
}

static void parse_v6(struct pp_trace_header *header, struct cursor *c, struct arena *arena)
{
	uint32_t count;
	struct pp_pair *pairs;

	parse_clock(header, c);
	header->pointer_size = cursor_i32(c);
	count = cursor_u32(c);
	if (count > cursor_left(c) / 2) /* a pair has at least two bytes */
		cursor_fail(c);
	if (c->failed)
		return;
	pairs = arena_array(arena, struct pp_pair, count);
	for (uint32_t i = 0; i < count; i++) {
		pairs[i] = cursor_pair(c, arena);
		apply_property(header, &pairs[i]);
	}
	header->properties = pairs;
	header->property_count = count;
}

static int check(const struct pp_trace_header *header, const struct cursor *c, struct pp_error *err)
{
	if (c->failed)
		return error_set(err, PP_ERROR_FORMAT, "the trace header is cut short");
	if (header->ticks_per_second <= 0)
		return error_set(err, PP_ERROR_FORMAT,
				 "the trace header gives a clock of %lld ticks per second",
				 (long long)header->ticks_per_second);
	if (header->version > 2 && header->pointer_size != 4 && header->pointer_size != 8)
		return error_set(err, PP_ERROR_FORMAT,
				 "the trace header gives pointers of %d bytes",
				 header->pointer_size);
	return 0;
}

int header_parse(struct pp_trace_header *header, struct cursor c, struct arena *arena,
		 struct pp_error *err)
{
	header->pointer_size = -1;
	header->process_id = -1;
	header->processors = -1;
	header->sampling_ns = -1;
	if (header->version >= 6)
		parse_v6(header, &c, arena);
	else if (header->version >= 3)
		parse_v3(header, &c);
	else
		parse_v1(header, &c);
	return check(header, &c, err);
}

int64_t pp_trace_time_ns(const struct pp_trace_header *header, int64_t ticks)
{
	int64_t whole;
	i128 ns;

	/* on Linux a tick is a nanosecond, and a 128-bit division takes longer than the rest */
	if (header->ticks_per_second == NS_PER_SECOND &&
	    !__builtin_sub_overflow(ticks, header->start_ticks, &whole))
		return whole;
	ns = ((i128)ticks - header->start_ticks) * NS_PER_SECOND / header->ticks_per_second;
	if (ns > INT64_MAX)
		return INT64_MAX;
	return ns < INT64_MIN ? INT64_MIN : (int64_t)ns;
}
