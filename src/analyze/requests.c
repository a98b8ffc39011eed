/* SPDX-License-Identifier: MIT */
#include "analyze/requests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/requests_table.h"
#include "base/alloc.h"

#define NAMELESS_MOST 1024 /* open at one time; the oldest is given up */

/* How long a process was paused for garbage collections. */
struct pauses {
	int64_t total_ns;
	int64_t since_ns;
	bool paused;
};

static void begin(void *self, struct pass *pass, const struct analysis_setup *setup)
{
	struct requests *requests = self;

	(void)setup;
	requests->names.arena = &pass->arena;
	for (int i = 0; i < REQUEST_SOURCES; i++)
		requests->tables[i].groups_by_name =
			(struct record_set)RECORD_SET(struct request_group, method);
}

static void release_table(struct request_table *table)
{
	for (size_t i = 0; i < table->groups_by_name.count; i++)
		xfree(((struct request_group *)table->groups_by_name.list[i])->times);
	xfree(table->all.times);
	record_set_release(&table->groups_by_name);
}

static void release(void *self)
{
	struct requests *requests = self;

	for (int i = 0; i < REQUEST_SOURCES; i++)
		release_table(&requests->tables[i]);
	strings_release(&requests->names);
	open_activities_release(&requests->spans);
	buffer_release(&requests->scratch);
	map_release(&requests->pauses);
}

static struct pauses *pauses_of(struct requests *requests, const struct event_context *at)
{
	const uint64_t process = (uint64_t)at->event->thread->process_id;
	struct pauses *pauses = map_find(&requests->pauses, process);

	if (!pauses) {
		pauses = arena_new(&at->pass->arena, struct pauses);
		map_put(&requests->pauses, process, pauses);
	}
	return pauses;
}

/* Up to the event. */
static int64_t paused_ns(struct requests *requests, const struct event_context *at)
{
	const struct pauses *pauses = pauses_of(requests, at);

	return pauses->paused ? ns_plus(pauses->total_ns, ns_between(pauses->since_ns, at->time_ns))
			      : pauses->total_ns;
}

void request_pause(struct requests *requests, const struct event_context *at, bool begins)
{
	struct pauses *pauses = pauses_of(requests, at);

	if (begins && !pauses->paused)
		pauses->since_ns = at->time_ns;
	else if (!begins)
		pauses->total_ns = paused_ns(requests, at);
	pauses->paused = begins;
}

static const char *keep(struct requests *requests, const char *text)
{
	return strings_intern(&requests->names, text ? text : "", text ? strlen(text) : 0);
}

static struct request_group *group_of(struct requests *requests, const struct request_start *start,
				      struct arena *arena)
{
	return record_set_add(&requests->tables[start->source].groups_by_name, arena,
			      &(struct request_group){ .name = keep(requests, start->name),
						       .method = keep(requests, start->method) });
}

static void recycle(struct requests *requests, struct request *request)
{
	request->next = requests->free;
	requests->free = request;
}

static void unlink_nameless(struct request_table *table, struct request *request)
{
	struct request **at = &table->nameless;

	while (*at && *at != request)
		at = &(*at)->next;
	if (*at) {
		*at = request->next;
		table->nameless_count--;
	}
}

static void add_nameless(struct requests *requests, struct request_table *table,
			 struct request *request)
{
	if (table->nameless_count >= NAMELESS_MOST) {
		struct request *oldest = table->nameless;

		while (oldest->next)
			oldest = oldest->next;
		unlink_nameless(table, oldest);
		recycle(requests, oldest);
	}
	request->next = table->nameless;
	table->nameless = request;
	table->nameless_count++;
}

/* Version 6 of the format has it outside the payload. */
static void set_trace(struct request *request, const struct pp_labels *labels)
{
	if (!labels || !(labels->present & PP_LABEL_TRACE))
		return;
	for (size_t i = 0; i < sizeof(labels->trace_id); i++)
		snprintf(request->trace_id + 2 * i, 3, "%02x", labels->trace_id[i]);
}

struct request *request_begin(struct requests *requests, const struct event_context *at,
			      const struct request_start *start)
{
	const struct pp_thread *thread = at->event->thread;
	struct request *request = requests->free;

	requests->seen++;
	if (request)
		requests->free = request->next;
	else
		request = arena_new(&at->pass->arena, struct request);
	*request = (struct request){
		.group = group_of(requests, start, &at->pass->arena),
		.source = start->source,
		.wanted = at->wanted,
		.status = REQUEST_NO_STATUS,
		.process_id = thread->process_id,
		.thread_id = thread->id,
		.start_ns = at->time_ns,
		.time_ns = -1,
		.phase_ns = at->time_ns,
		.paused_ns = paused_ns(requests, at),
		.key = start->key,
	};
	set_trace(request, at->event->labels);
	if (request->wanted) {
		request->group->count++;
		burst_add(&requests->tables[start->source].burst, at->time_ns, 1);
		request->group->unfinished++;
	}
	if (start->key.size)
		request->span =
			open_activities_open(&requests->spans, &start->key, start->source, request);
	else
		add_nameless(requests, &requests->tables[start->source], request);
	return request;
}

static bool is_like(const struct request *request, int64_t process_id, const char *method)
{
	return request->process_id == process_id &&
	       (!method || !strcmp(request->group->method, method));
}

/* The only open one; of several, any will do, and none of them has a time. */
static struct request *find_nameless(struct request_table *table, int64_t process_id,
				     const char *method)
{
	struct request *found = NULL;
	size_t count = 0;

	for (struct request *request = table->nameless; request; request = request->next)
		if (is_like(request, process_id, method)) {
			found = request;
			count++;
		}
	for (struct request *request = table->nameless; request && count > 1;
	     request = request->next)
		request->unclear |= is_like(request, process_id, method);
	return found;
}

struct request *request_find(struct requests *requests, const struct pp_event *event,
			     const struct request_start *start)
{
	const struct open_activity *span;

	if (!start->key.size)
		return find_nameless(&requests->tables[start->source], event->thread->process_id,
				     start->method);
	span = open_activities_find(&requests->spans, &start->key, 1u << start->source);
	return span ? span->owner : NULL;
}

/* More than REQUEST_STATUSES are not of HTTP any more, so they need no distinction. */
static void add_status(struct request_group *group, int code, uint64_t count)
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

static void add_time(struct request_group *group, const struct request *request)
{
	group->times = xgrow(group->times, group->timed, &group->capacity, sizeof(*group->times));
	group->times[group->timed++] = request->time_ns;
	group->total_ns = ns_plus(group->total_ns, request->time_ns);
	for (int i = 0; i < REQUEST_WAITS; i++)
		group->waits_ns[i] = ns_plus(group->waits_ns[i], request->waits_ns[i]);
}

/* Returns the one that is not among the slowest any more, which may be itself. */
static struct request *keep_slowest(struct request_table *table, struct request *request)
{
	size_t least = 0;
	struct request *out;

	if (table->slowest_count < REQUESTS_SLOWEST) {
		table->slowest[table->slowest_count++] = request;
		return NULL;
	}
	for (size_t i = 1; i < REQUESTS_SLOWEST; i++)
		if (table->slowest[i]->time_ns < table->slowest[least]->time_ns)
			least = i;
	out = table->slowest[least];
	if (out->time_ns >= request->time_ns)
		return request;
	table->slowest[least] = request;
	return out;
}

struct request *request_around(const struct requests *requests, struct activity_key *key)
{
	const struct open_activity *span =
		open_activities_next(&requests->spans, key, REQUEST_SERVER_BITS);

	return span ? span->owner : NULL;
}

/* The requests being answered around it have waited for it. */
static void add_call(struct requests *requests, const struct request *call)
{
	struct activity_key key = call->key;
	struct request *around;

	if (!activity_key_up(&key))
		return;
	while ((around = request_around(requests, &key))) {
		around->calls++;
		around->waits_ns[REQUEST_CALLS] =
			ns_plus(around->waits_ns[REQUEST_CALLS], call->time_ns);
		if (!around->call || call->time_ns > around->call_ns) {
			around->call = call->group->name;
			around->call_ns = call->time_ns;
		}
	}
}

static void count_end(struct requests *requests, struct request *request)
{
	struct request_table *table = &requests->tables[request->source];
	struct request *out = request;

	if (request->wanted) {
		request->group->unfinished--;
		request->group->failed += request->failed || request->status >= 500;
		add_status(request->group,
			   request->status == REQUEST_NO_STATUS && request->failed
				   ? REQUEST_EXCEPTION
				   : request->status,
			   1);
	}
	if (request->wanted && request->time_ns >= 0) {
		add_time(request->group, request);
		out = keep_slowest(table, request);
	}
	if (out)
		recycle(requests, out);
}

void request_end(struct requests *requests, const struct event_context *at, struct request *request,
		 enum request_source source)
{
	const int64_t time_ns = request ? ns_between(request->start_ns, at->time_ns) : 0;

	if (!request) {
		requests->seen++;
		requests->tables[source].began_before += at->wanted;
		return;
	}
	if (!request->unclear && time_ns >= 0)
		request->time_ns = time_ns;
	request->waits_ns[REQUEST_GC] = ns_between(request->paused_ns, paused_ns(requests, at));
	if (source == REQUEST_HTTP_CLIENT && request->time_ns >= 0)
		add_call(requests, request);
	if (request->span)
		open_activities_close(&requests->spans, request->span);
	else
		unlink_nameless(&requests->tables[source], request);
	request->span = NULL;
	count_end(requests, request);
}

void request_set_status(struct request *request, int64_t status)
{
	if (status > 0 && status < 1000)
		request->status = (int)status;
}

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

static void add_group(struct request_group *all, const struct request_group *group)
{
	all->count += group->count;
	all->failed += group->failed;
	all->unfinished += group->unfinished;
	all->total_ns = ns_plus(all->total_ns, group->total_ns);
	for (int i = 0; i < REQUEST_WAITS; i++)
		all->waits_ns[i] = ns_plus(all->waits_ns[i], group->waits_ns[i]);
	for (size_t i = 0; i < group->status_count; i++)
		add_status(all, group->statuses[i].code, group->statuses[i].count);
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

static void finish(void *self, const struct pass *pass)
{
	struct requests *requests = self;

	(void)pass;
	for (int i = 0; i < REQUEST_SOURCES; i++)
		finish_table(&requests->tables[i]);
}

const struct analysis request_analysis = {
	.name = "requests",
	.size = sizeof(struct requests),
	.rows = request_rows,
	.begin = begin,
	.finish = finish,
	.release = release,
};

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
		[REQUEST_CONNECTION] = "connections",	    [REQUEST_ACTIVITY] = "activities",
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
