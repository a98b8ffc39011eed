/* SPDX-License-Identifier: MIT */
#include "analyze/requests.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/requests_table.h"
#include "base/alloc.h"
#include "base/hash.h"

#define NAMELESS_MOST 1024 /* open at one time; then they are given up */
#define SERVERS	      (1u << REQUEST_HOSTING | 1u << REQUEST_KESTREL | 1u << REQUEST_SERVER_SPAN)

static void begin(void *self, struct pass *pass, const struct analysis_setup *setup)
{
	struct requests *requests = self;

	(void)pass;
	(void)setup;
	for (int i = 0; i < REQUEST_SOURCES; i++)
		requests->tables[i].all = (struct request_group){ .name = "", .method = "" };
}

static void release_table(struct request_table *table)
{
	for (size_t i = 0; i < table->group_count; i++)
		free(table->groups[i]->times);
	free(table->groups);
	free(table->all.times);
	map_release(&table->by_name);
}

static void finish(void *self, const struct pass *pass)
{
	(void)pass;
	requests_sum_up(self);
}

static void release(void *self)
{
	struct requests *requests = self;

	for (int i = 0; i < REQUEST_SOURCES; i++)
		release_table(&requests->tables[i]);
	text_pool_release(&requests->texts);
	arena_release(&requests->arena);
	open_activities_release(&requests->spans);
	buffer_release(&requests->scratch);
	map_release(&requests->pauses);
}

const struct analysis request_analysis = {
	.name = "requests",
	.size = sizeof(struct requests),
	.rows = request_rows,
	.begin = begin,
	.finish = finish,
	.release = release,
};

static struct request_group *group_of(struct requests *requests, const struct request_start *start)
{
	struct request_table *table = &requests->tables[start->source];
	const char *name = start->name ? start->name : "";
	const char *method = start->method ? start->method : "";
	const uint64_t hash = hash_bytes(name, strlen(name)) ^
			      hash_u64(*method ? hash_bytes(method, strlen(method)) : 0);
	struct request_group *first = map_find(&table->by_name, hash);
	struct request_group *group = first;

	while (group && (strcmp(group->name, name) != 0 || strcmp(group->method, method) != 0))
		group = group->next;
	if (group)
		return group;
	group = arena_new(&requests->arena, struct request_group);
	*group = (struct request_group){
		.name = arena_text(&requests->arena, name, strlen(name)),
		.method = arena_text(&requests->arena, method, strlen(method)),
		.next = first,
	};
	map_put(&table->by_name, hash, group);
	table->groups = xgrow(table->groups, table->group_count, &table->group_capacity,
			      sizeof(struct request_group *));
	table->groups[table->group_count++] = group;
	return group;
}

static struct request *new_request(struct requests *requests)
{
	struct request *request = requests->free;

	if (!request)
		return arena_new(&requests->arena, struct request);
	requests->free = request->next;
	return request;
}

static void give_back(struct requests *requests, struct request *request)
{
	request->next = requests->free;
	requests->free = request;
}

static void take_off(struct request_table *table, struct request *request)
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
		take_off(table, oldest);
		give_back(requests, oldest);
	}
	request->next = table->nameless;
	table->nameless = request;
	table->nameless_count++;
}

/* Version 6 of the format has room for it beside the payload. */
static void set_trace(struct request *request, const struct pp_labels *labels)
{
	static const char digits[] = "0123456789abcdef";

	if (!labels || !(labels->present & PP_LABEL_TRACE))
		return;
	for (size_t i = 0; i < sizeof(labels->trace_id); i++) {
		request->trace_id[2 * i] = digits[labels->trace_id[i] >> 4];
		request->trace_id[2 * i + 1] = digits[labels->trace_id[i] & 15];
	}
}

struct request *request_begin(struct requests *requests, const struct event_context *at,
			      const struct request_start *start)
{
	struct request_table *table = &requests->tables[start->source];
	const struct pp_thread *thread = at->event->thread;
	struct request *request = new_request(requests);

	requests->seen++;
	*request = (struct request){
		.group = group_of(requests, start),
		.source = start->source,
		.wanted = at->wanted,
		.status = REQUEST_NO_STATUS,
		.process_id = thread->process_id,
		.thread_id = thread->id,
		.start_ns = at->time_ns,
		.time_ns = -1,
		.phase_ns = at->time_ns,
		.paused_ns = request_paused_ns(requests, thread->process_id, at->time_ns),
		.key = start->key,
	};
	set_trace(request, at->event->labels);
	if (request->wanted) {
		request->group->count++;
		request->group->unfinished++;
	}
	if (start->key.size)
		open_activities_open(&requests->spans, &start->key, start->source, request);
	else
		add_nameless(requests, table, request);
	return request;
}

static bool is_like(const struct request *request, int64_t process_id, const char *method)
{
	return request->process_id == process_id &&
	       (!method || !strcmp(request->group->method, method));
}

/* If one alone is open it is that; of several any will do, and none of them has a time. */
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

static void add_status(struct request_group *group, int code)
{
	size_t i = 0;

	while (i < group->status_count && group->statuses[i].code != code)
		i++;
	if (i == REQUEST_STATUSES) /* so many make no sense, and are not told apart */
		i--;
	if (i == group->status_count)
		group->statuses[group->status_count++].code = code;
	group->statuses[i].count++;
}

static void add_time(struct request_group *group, const struct request *request)
{
	group->times = xgrow(group->times, group->timed, &group->capacity, sizeof(*group->times));
	group->times[group->timed++] = request->time_ns;
	group->total_ns = ns_plus(group->total_ns, request->time_ns);
	for (int i = 0; i < REQUEST_WAITS; i++)
		group->waits_ns[i] = ns_plus(group->waits_ns[i], request->waits_ns[i]);
}

/* Returns the one that is no longer among the slowest, which may be itself. */
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

/* Requests around it that are answered have waited for one that is made. */
static void add_call(struct requests *requests, const struct request *call)
{
	struct activity_key key = call->key;

	while (key.size && activity_key_up(&key)) {
		const struct open_activity *span =
			open_activities_find(&requests->spans, &key, SERVERS);
		struct request *around = span ? span->owner : NULL;

		if (!around)
			continue;
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
		add_status(request->group, request->status == REQUEST_NO_STATUS && request->failed
						   ? REQUEST_EXCEPTION
						   : request->status);
	}
	if (request->wanted && request->time_ns >= 0) {
		add_time(request->group, request);
		out = keep_slowest(table, request);
	}
	if (out)
		give_back(requests, out);
}

void request_end(struct requests *requests, const struct event_context *at, struct request *request)
{
	const int64_t time_ns = ns_between(request->start_ns, at->time_ns);
	struct open_activity *span = NULL;

	if (!request->unclear && time_ns >= 0)
		request->time_ns = time_ns;
	request->waits_ns[REQUEST_GC] = ns_between(
		request->paused_ns, request_paused_ns(requests, request->process_id, at->time_ns));
	if (request->key.size)
		span = open_activities_find(&requests->spans, &request->key, 1u << request->source);
	if (span)
		open_activities_close(&requests->spans, span);
	else
		take_off(&requests->tables[request->source], request);
	if (request->source == REQUEST_HTTP_CLIENT && request->time_ns >= 0)
		add_call(requests, request);
	count_end(requests, request);
}

void request_end_unknown(struct requests *requests, const struct event_context *at,
			 enum request_source source)
{
	requests->seen++;
	requests->tables[source].began_before += at->wanted;
}

void request_set_status(struct request *request, int64_t status)
{
	if (status > 0 && status < 1000)
		request->status = (int)status;
}

void request_set_text(char *to, size_t size, const char *text, size_t text_size)
{
	if (text_size + 1 != size) /* of a fixed size, or it is something else */
		return;
	memcpy(to, text, text_size);
	to[text_size] = '\0';
}

struct pauses {
	int64_t total_ns;
	int64_t since_ns;
	bool paused;
};

int64_t request_paused_ns(const struct requests *requests, int64_t process_id, int64_t now_ns)
{
	const struct pauses *pauses = map_find(&requests->pauses, (uint64_t)process_id);

	if (!pauses)
		return 0;
	return pauses->paused ? ns_plus(pauses->total_ns, ns_between(pauses->since_ns, now_ns))
			      : pauses->total_ns;
}

void request_pause(struct requests *requests, int64_t process_id, int64_t now_ns, bool begins)
{
	struct pauses *pauses = map_find(&requests->pauses, (uint64_t)process_id);

	if (!pauses && !begins)
		return;
	if (!pauses) {
		pauses = arena_new(&requests->arena, struct pauses);
		map_put(&requests->pauses, (uint64_t)process_id, pauses);
	}
	if (begins && !pauses->paused)
		pauses->since_ns = now_ns;
	else if (!begins && pauses->paused)
		pauses->total_ns = ns_plus(pauses->total_ns, ns_between(pauses->since_ns, now_ns));
	pauses->paused = begins;
}
