/* SPDX-License-Identifier: MIT */
#include "analyze/contention.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "clr/event_ids.h"
#include "clr/providers.h"

/* A wait that has begun. */
struct open_wait {
	struct contention_site *site; /* NULL: there is none, or it is not asked for */
	struct contention_owner *owner;
	const struct pp_thread *thread;
	int64_t start_ns;
	uint32_t stack;
	uint32_t link;
	bool open;
};

struct contention_thread {
	struct open_wait waits[CONTENTION_KINDS];
};

static struct open_wait *open_wait(struct contention_stats *stats, const struct pp_thread *thread,
				   enum contention_kind kind)
{
	stats->threads =
		xroom(stats->threads, &stats->thread_count, thread->index, sizeof(*stats->threads));
	return &stats->threads[thread->index].waits[kind];
}

static struct contention_lock *lock_of(struct contention_stats *stats,
				       struct contention_table *table,
				       const struct contention_lock *like)
{
	return record_set_add(&table->locks_by_id, &stats->arena, like);
}

static void add_time(struct contention_sum *sum, uint64_t time_ns)
{
	sum->total_ns += time_ns;
	if (time_ns > sum->max_ns)
		sum->max_ns = time_ns;
}

static void hand_out(const struct contention_stats *stats, const struct open_wait *wait,
		     struct contention_wait item)
{
	if (!stats->take || !wait->open)
		return;
	item.thread = wait->thread;
	item.start_ns = wait->start_ns;
	item.stack = wait->stack;
	item.link = wait->link;
	stats->take(stats->to, &item);
}

/* How long it took; it was counted when it began. */
static void end_wait(struct contention_table *table, struct open_wait *wait, uint64_t time_ns)
{
	if (wait->site) {
		add_time(&table->all, time_ns);
		add_time(&wait->site->sum, time_ns);
		add_time(&wait->site->lock->sum, time_ns);
		if (wait->owner)
			add_time(&wait->owner->sum, time_ns);
		if (wait->site->lock->waiting)
			wait->site->lock->waiting--;
	}
	*wait = (struct open_wait){ 0 };
}

static void begin_wait(struct contention_stats *stats, struct contention_table *table,
		       struct open_wait *wait, struct contention_lock *lock)
{
	wait->site =
		record_set_add(&table->sites_by_place, &stats->arena,
			       &(struct contention_site){ .lock = lock, .stack = wait->stack });
	table->all.count++;
	lock->sum.count++;
	wait->site->sum.count++;
	if (wait->owner)
		wait->owner->sum.count++;
	if (++lock->waiting > lock->waiting_most)
		lock->waiting_most = lock->waiting;
}

static void open_at(struct open_wait *wait, const struct event_context *at)
{
	*wait = (struct open_wait){ .thread = at->event->thread,
				    .start_ns = at->time_ns,
				    .stack = event_stack(at),
				    .link = event_link(at),
				    .open = true };
}

/* The one before it never ended, as far as is known. */
static struct open_wait *new_wait(struct contention_stats *stats, const struct event_context *at,
				  enum contention_kind kind)
{
	struct contention_table *table = &stats->tables[kind];
	struct open_wait *wait = open_wait(stats, at->event->thread, kind);

	table->seen++;
	if (wait->open) {
		hand_out(stats, wait,
			 (struct contention_wait){ .kind = kind, .end_ns = wait->start_ns });
		table->unfinished += wait->site != NULL;
		end_wait(table, wait, 0);
	}
	open_at(wait, at);
	return wait;
}

/* Single waits are handed out instead of being counted. */
static bool counts(const struct contention_stats *stats, const struct event_context *at)
{
	return at->wanted && !stats->take;
}

enum { START_FLAGS, START_LOCK, START_OBJECT, START_OWNER };
static const char *const start_fields[] = { "ContentionFlags", "LockID", "AssociatedObjectID",
					    "LockOwnerThreadID", NULL };

static void take_start(void *self, const struct event_context *at)
{
	struct contention_stats *stats = self;
	struct contention_table *table = &stats->tables[CONTENTION_LOCKS];
	const struct field_value *values = at->values;
	struct open_wait *wait = new_wait(stats, at, CONTENTION_LOCKS);
	struct contention_lock *lock;

	if (!counts(stats, at))
		return;
	table->native += values[START_FLAGS].number == 1;
	lock = lock_of(stats, table,
		       &(struct contention_lock){
			       .process_id = at->event->thread->process_id,
			       .id = values[START_LOCK].number,
			       .object_id = values[START_OBJECT].number,
		       });
	if (values[START_OWNER].known && values[START_OWNER].number)
		wait->owner = record_set_add(
			&stats->owners, &stats->arena,
			&(struct contention_owner){
				.lock = lock, .thread_id = (int64_t)values[START_OWNER].number });
	begin_wait(stats, table, wait, lock);
}

enum { HANDLE_SOURCE, HANDLE_OBJECT };
static const char *const handle_fields[] = { "WaitSource", "AssociatedObjectID", NULL };

/* Handles have no name of their own, and objects move: those of one source are one. */
static void take_handle_start(void *self, const struct event_context *at)
{
	struct contention_stats *stats = self;
	struct contention_table *table = &stats->tables[CONTENTION_HANDLES];
	const struct field_value *values = at->values;
	struct open_wait *wait = new_wait(stats, at, CONTENTION_HANDLES);

	if (counts(stats, at))
		begin_wait(stats, table, wait,
			   lock_of(stats, table,
				   &(struct contention_lock){
					   .process_id = at->event->thread->process_id,
					   .id = values[HANDLE_SOURCE].number,
					   .object_id = values[HANDLE_OBJECT].number,
				   }));
}

/* The first event of the thread may be an end; what it waited for is not known then. */
static void begin_unstarted(struct contention_stats *stats, const struct event_context *at,
			    struct contention_table *table, struct open_wait *wait)
{
	table->seen++;
	open_at(wait, at);
	if (!counts(stats, at))
		return;
	table->unstarted++;
	begin_wait(
		stats, table, wait,
		lock_of(stats, table,
			&(struct contention_lock){ .process_id = at->event->thread->process_id }));
}

static void stop(struct contention_stats *stats, const struct event_context *at,
		 enum contention_kind kind, uint64_t length_ns)
{
	struct contention_table *table = &stats->tables[kind];
	struct open_wait *wait = open_wait(stats, at->event->thread, kind);

	if (!wait->open)
		begin_unstarted(stats, at, table, wait);
	if (!length_ns && at->time_ns > wait->start_ns)
		length_ns = (uint64_t)(at->time_ns - wait->start_ns);
	hand_out(stats, wait,
		 (struct contention_wait){
			 .kind = kind, .end_ns = at->time_ns, .length_ns = length_ns });
	end_wait(table, wait, length_ns);
}

static const char *const stop_fields[] = { "DurationNs", NULL };

static void take_stop(void *self, const struct event_context *at)
{
	double measured_ns = 0;

	if (at->values[0].known)
		memcpy(&measured_ns, &at->values[0].number, sizeof(measured_ns));
	stop(self, at, CONTENTION_LOCKS,
	     measured_ns > 0 && measured_ns < 9e18 ? (uint64_t)(measured_ns + 0.5) : 0);
}

static void take_handle_stop(void *self, const struct event_context *at)
{
	stop(self, at, CONTENTION_HANDLES, 0);
}

static const struct event_row rows[] = {
	{ CLR_RUNTIME_PROVIDER, CLR_CONTENTION_START, NULL, start_fields, take_start },
	{ CLR_RUNTIME_PROVIDER, CLR_CONTENTION_STOP, NULL, stop_fields, take_stop },
	{ CLR_RUNTIME_PROVIDER, CLR_WAIT_HANDLE_WAIT_START, NULL, handle_fields,
	  take_handle_start },
	{ CLR_RUNTIME_PROVIDER, CLR_WAIT_HANDLE_WAIT_STOP, NULL, NULL, take_handle_stop },
	{ 0 },
};

static void begin(void *self, struct pass *pass, const struct analysis_setup *setup)
{
	struct contention_stats *stats = self;

	(void)pass;
	stats->take = setup->take;
	stats->to = setup->to;
	stats->owners = (struct record_set)RECORD_SET(struct contention_owner, thread_id);
	for (int i = 0; i < CONTENTION_KINDS; i++)
		stats->tables[i] = (struct contention_table){
			.locks_by_id = RECORD_SET(struct contention_lock, id),
			.sites_by_place = RECORD_SET(struct contention_site, stack),
		};
}

static void release(void *self)
{
	struct contention_stats *stats = self;

	for (int i = 0; i < CONTENTION_KINDS; i++) {
		record_set_release(&stats->tables[i].locks_by_id);
		record_set_release(&stats->tables[i].sites_by_place);
	}
	free(stats->threads);
	record_set_release(&stats->owners);
	arena_release(&stats->arena);
}

static int by_sum(const struct contention_sum *a, const struct contention_sum *b)
{
	if (a->total_ns != b->total_ns)
		return a->total_ns < b->total_ns ? 1 : -1;
	return (a->count < b->count) - (a->count > b->count);
}

static int by_lock(const struct contention_lock *a, const struct contention_lock *b)
{
	if (a->process_id != b->process_id)
		return a->process_id < b->process_id ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

static int locks_by_time(const void *left, const void *right)
{
	const struct contention_lock *a = *(const struct contention_lock *const *)left;
	const struct contention_lock *b = *(const struct contention_lock *const *)right;
	const int order = by_sum(&a->sum, &b->sum);

	return order ? order : by_lock(a, b);
}

static int sites_by_time(const void *left, const void *right)
{
	const struct contention_site *a = *(const struct contention_site *const *)left;
	const struct contention_site *b = *(const struct contention_site *const *)right;
	const int order = by_sum(&a->sum, &b->sum);
	const int locks = order ? order : by_lock(a->lock, b->lock);

	return locks ? locks : (a->stack > b->stack) - (a->stack < b->stack);
}

static int owners_by_time(const void *left, const void *right)
{
	const struct contention_owner *a = *(const struct contention_owner *const *)left;
	const struct contention_owner *b = *(const struct contention_owner *const *)right;
	const int order = by_sum(&a->sum, &b->sum);

	return order ? order : (a->thread_id > b->thread_id) - (a->thread_id < b->thread_id);
}

/* Each lock gets its own, from the last to the first. */
static void share_owners(struct contention_stats *stats)
{
	size_t count;
	struct contention_owner **list = record_set_list(&stats->owners, owners_by_time, &count);

	while (count) {
		struct contention_owner *owner = list[--count];

		owner->other = owner->lock->owners;
		owner->lock->owners = owner;
	}
}

static void sort(struct contention_table *table)
{
	table->locks = record_set_list(&table->locks_by_id, locks_by_time, &table->lock_count);
	table->sites = record_set_list(&table->sites_by_place, sites_by_time, &table->site_count);
}

/* Who still waits does so until the end. */
static void end_open(struct contention_stats *stats, enum contention_kind kind,
		     struct open_wait *wait, int64_t end_ns)
{
	const uint64_t length_ns =
		wait->open && end_ns > wait->start_ns ? (uint64_t)(end_ns - wait->start_ns) : 0;

	hand_out(stats, wait,
		 (struct contention_wait){ .kind = kind,
					   .end_ns = end_ns,
					   .length_ns = length_ns,
					   .unfinished = true });
	stats->tables[kind].unfinished += wait->site != NULL;
	end_wait(&stats->tables[kind], wait, length_ns);
}

static void finish(void *self, const struct pass *pass)
{
	struct contention_stats *stats = self;

	for (size_t i = 0; i < stats->thread_count; i++)
		for (int kind = 0; kind < CONTENTION_KINDS; kind++)
			end_open(stats, kind, &stats->threads[i].waits[kind], pass_last_ns(pass));
	for (int i = 0; i < CONTENTION_KINDS; i++)
		sort(&stats->tables[i]);
	share_owners(stats);
}

const struct analysis contention_analysis = {
	.name = "contention",
	.size = sizeof(struct contention_stats),
	.rows = rows,
	.begin = begin,
	.finish = finish,
	.release = release,
};
