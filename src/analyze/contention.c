/* SPDX-License-Identifier: MIT */
#include "analyze/contention.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* A wait that has begun. */
struct open_wait {
	struct contention_site *site; /* NULL: there is none, or it does not count */
	struct contention_owner *owner;
	int64_t start_ns;
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
	wait->site = record_set_add(
		&table->sites_by_place, &stats->arena,
		&(struct contention_site){ .lock = lock, .stack = stats->place->stack });
	table->all.count++;
	lock->sum.count++;
	wait->site->sum.count++;
	if (wait->owner)
		wait->owner->sum.count++;
	if (++lock->waiting > lock->waiting_most)
		lock->waiting_most = lock->waiting;
}

/* The one before it never ended, as far as is known. */
static struct open_wait *new_wait(struct contention_stats *stats, const struct watched *watched,
				  enum contention_kind kind)
{
	struct contention_table *table = &stats->tables[kind];
	struct open_wait *wait = open_wait(stats, watched->event->thread, kind);

	table->seen++;
	if (wait->open) {
		table->unfinished += wait->site != NULL;
		end_wait(table, wait, 0);
	}
	wait->open = true;
	wait->start_ns = watched->time_ns;
	return wait;
}

enum { START_FLAGS, START_LOCK, START_OBJECT, START_OWNER };
static const char *const start_fields[] = { "ContentionFlags", "LockID", "AssociatedObjectID",
					    "LockOwnerThreadID", NULL };

static void take_start(void *self, const struct watched *watched)
{
	struct contention_stats *stats = self;
	struct contention_table *table = &stats->tables[CONTENTION_LOCKS];
	const struct field_value *values = watched->values;
	struct open_wait *wait = new_wait(stats, watched, CONTENTION_LOCKS);
	struct contention_lock *lock;

	if (!stats->place->counts)
		return;
	table->native += values[START_FLAGS].number == 1;
	lock = lock_of(stats, table,
		       &(struct contention_lock){
			       .process_id = watched->event->thread->process_id,
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
static void take_handle_start(void *self, const struct watched *watched)
{
	struct contention_stats *stats = self;
	struct contention_table *table = &stats->tables[CONTENTION_HANDLES];
	const struct field_value *values = watched->values;
	struct open_wait *wait = new_wait(stats, watched, CONTENTION_HANDLES);

	if (stats->place->counts)
		begin_wait(stats, table, wait,
			   lock_of(stats, table,
				   &(struct contention_lock){
					   .process_id = watched->event->thread->process_id,
					   .id = values[HANDLE_SOURCE].number,
					   .object_id = values[HANDLE_OBJECT].number,
				   }));
}

/* The first event of the thread may be an end; what it was for is not known then. */
static void stop(struct contention_stats *stats, const struct watched *watched,
		 enum contention_kind kind, uint64_t time_ns)
{
	struct contention_table *table = &stats->tables[kind];
	struct open_wait *wait = open_wait(stats, watched->event->thread, kind);

	if (!wait->open) {
		table->seen++;
		if (!stats->place->counts)
			return;
		table->unstarted++;
		begin_wait(stats, table, wait,
			   lock_of(stats, table,
				   &(struct contention_lock){
					   .process_id = watched->event->thread->process_id }));
	} else if (!time_ns && watched->time_ns > wait->start_ns) {
		time_ns = (uint64_t)watch_ns_between(wait->start_ns, watched->time_ns);
	}
	end_wait(table, wait, time_ns);
}

static const char *const stop_fields[] = { "DurationNs", NULL };

static void take_stop(void *self, const struct watched *watched)
{
	double told_ns = 0;

	if (watched->values[0].known)
		memcpy(&told_ns, &watched->values[0].number, sizeof(told_ns));
	stop(self, watched, CONTENTION_LOCKS,
	     told_ns > 0 && told_ns < 9e18 ? (uint64_t)(told_ns + 0.5) : 0);
}

static void take_handle_stop(void *self, const struct watched *watched)
{
	stop(self, watched, CONTENTION_HANDLES, 0);
}

static const struct watch_row rows[] = {
	{ WATCH_RUNTIME, 81, start_fields, take_start },
	{ WATCH_RUNTIME, 91, stop_fields, take_stop },
	{ WATCH_RUNTIME, 301, handle_fields, take_handle_start },
	{ WATCH_RUNTIME, 302, NULL, take_handle_stop },
	{ 0 },
};

void contention_init(struct contention_stats *stats)
{
	*stats = (struct contention_stats){
		.watch = { .rows = rows },
		.owners = RECORD_SET(struct contention_owner, thread_id),
	};
	for (int i = 0; i < CONTENTION_KINDS; i++)
		stats->tables[i] = (struct contention_table){
			.locks_by_id = RECORD_SET(struct contention_lock, id),
			.sites_by_place = RECORD_SET(struct contention_site, stack),
		};
}

void contention_release(struct contention_stats *stats)
{
	for (int i = 0; i < CONTENTION_KINDS; i++) {
		record_set_release(&stats->tables[i].locks_by_id);
		record_set_release(&stats->tables[i].sites_by_place);
	}
	free(stats->threads);
	record_set_release(&stats->owners);
	watch_release(&stats->watch);
	arena_release(&stats->arena);
	contention_init(stats);
}

void contention_add(struct contention_stats *stats, const struct pp_trace_header *header,
		    const struct pp_event *event, const struct contention_place *place)
{
	stats->place = place;
	watch_event(&stats->watch, header, event, stats);
	stats->place = NULL;
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

void contention_finish(struct contention_stats *stats, int64_t end_ns)
{
	for (size_t i = 0; i < stats->thread_count; i++)
		for (int kind = 0; kind < CONTENTION_KINDS; kind++) {
			struct open_wait *wait = &stats->threads[i].waits[kind];
			const int64_t time_ns = watch_ns_between(wait->start_ns, end_ns);

			stats->tables[kind].unfinished += wait->site != NULL;
			end_wait(&stats->tables[kind], wait,
				 wait->open && time_ns > 0 ? (uint64_t)time_ns : 0);
		}
	for (int i = 0; i < CONTENTION_KINDS; i++)
		sort(&stats->tables[i]);
	share_owners(stats);
}
