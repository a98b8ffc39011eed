/* SPDX-License-Identifier: MIT */
/*
 * Sums over requests at the end of a trace: percentiles, order, and which table to show.
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/requests_table.h"
#include "base/alloc.h"

static int by_size(const void *left, const void *right)
{
	const int64_t a = *(const int64_t *)left;
	const int64_t b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

/* The least time that `percent` of all do not exceed. */
static int64_t percentile(const struct request_group *group, size_t percent)
{
	const size_t rank = (group->timed * percent + 99) / 100;

	return group->timed ? group->times[rank ? rank - 1 : 0] : 0;
}

static int by_code(const void *left, const void *right)
{
	const struct request_status *a = left;
	const struct request_status *b = right;

	return (a->code > b->code) - (a->code < b->code);
}

static void finish_group(struct request_group *group)
{
	if (group->timed)
		qsort(group->times, group->timed, sizeof(*group->times), by_size);
	group->p50_ns = percentile(group, 50);
	group->p95_ns = percentile(group, 95);
	group->p99_ns = percentile(group, 99);
	group->max_ns = percentile(group, 100);
	qsort(group->statuses, group->status_count, sizeof(group->statuses[0]), by_code);
}

/* More than REQUEST_STATUSES are not of HTTP any more, so they need no distinction. */
void request_add_status(struct request_group *group, int code, uint64_t count)
{
	size_t i = 0;

	while (i < group->status_count && group->statuses[i].code != code)
		i++;
	if (i == REQUEST_STATUSES)
		i--;
	if (i == group->status_count)
		group->statuses[group->status_count++].code = code;
	group->statuses[i].count += count;
}

static void add_group(struct request_group *all, const struct request_group *group)
{
	all->count += group->count;
	all->failed += group->failed;
	all->unfinished += group->unfinished;
	all->total_ns = ns_plus(all->total_ns, group->total_ns);
	for (int i = 0; i < REQUEST_WAITS; i++)
		all->waits_ns[i] = ns_plus(all->waits_ns[i], group->waits_ns[i]);
	for (size_t i = 0; i < group->status_count; i++)
		request_add_status(all, group->statuses[i].code, group->statuses[i].count);
	if (group->timed)
		memcpy(all->times + all->timed, group->times, group->timed * sizeof(*group->times));
	all->timed += group->timed;
}

static int by_count(const void *left, const void *right)
{
	const struct request_group *a = *(const struct request_group *const *)left;
	const struct request_group *b = *(const struct request_group *const *)right;
	const int names = strcmp(a->name, b->name);

	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	return names ? names : strcmp(a->method, b->method);
}

static int by_time(const void *left, const void *right)
{
	const struct request *a = *(const struct request *const *)left;
	const struct request *b = *(const struct request *const *)right;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? 1 : -1;
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	return strcmp(a->group->name, b->group->name);
}

static void finish_table(struct request_table *table)
{
	size_t timed = 0;

	table->groups = record_set_list(&table->groups_by_name, by_count, &table->group_count);
	while (table->group_count && !table->groups[table->group_count - 1]->count)
		table->group_count--; /* the query asks for none of its requests */
	for (size_t i = 0; i < table->group_count; i++)
		timed += table->groups[i]->timed;
	table->all.times = xcalloc(timed + 1, sizeof(*table->all.times));
	for (size_t i = 0; i < table->group_count; i++) {
		finish_group(table->groups[i]);
		add_group(&table->all, table->groups[i]);
	}
	finish_group(&table->all);
	qsort(table->slowest, table->slowest_count, sizeof(struct request *), by_time);
}

void requests_finish(void *self, const struct pass *pass)
{
	struct requests *requests = self;

	(void)pass;
	for (int i = 0; i < REQUEST_SOURCES; i++)
		finish_table(&requests->tables[i]);
}

static const struct request_table *first_of(const struct requests *requests,
					    enum request_source from, enum request_source to)
{
	for (enum request_source i = from; i <= to; i++)
		if (requests->tables[i].all.count)
			return &requests->tables[i];
	return NULL;
}

const struct request_table *requests_server(const struct requests *requests)
{
	return first_of(requests, REQUEST_HOSTING, REQUEST_SERVER_SPAN);
}

const struct request_table *requests_client(const struct requests *requests)
{
	return first_of(requests, REQUEST_HTTP_CLIENT, REQUEST_CLIENT_SPAN);
}

const char *requests_source_name(const struct requests *requests, const struct request_table *table)
{
	static const char *const names[REQUEST_SOURCES] = {
		[REQUEST_HOSTING] = "aspnetcore",	    [REQUEST_KESTREL] = "kestrel",
		[REQUEST_SERVER_SPAN] = "diagnosticsource", [REQUEST_HTTP_CLIENT] = "httpclient",
		[REQUEST_CLIENT_SPAN] = "diagnosticsource", [REQUEST_OPERATION] = "network",
		[REQUEST_ACTIVITY] = "activities",
	};

	return names[table - requests->tables];
}

const char *request_wait_name(enum request_wait wait)
{
	static const char *const names[REQUEST_WAITS] = {
		[REQUEST_QUEUE] = "queue",     [REQUEST_DNS] = "dns",
		[REQUEST_CONNECT] = "connect", [REQUEST_TLS] = "tls",
		[REQUEST_SEND] = "send",       [REQUEST_ANSWER] = "answer",
		[REQUEST_RECEIVE] = "receive", [REQUEST_CALLS] = "calls",
		[REQUEST_LOCKS] = "locks",     [REQUEST_GC] = "gc",
	};

	return names[wait];
}
