/* SPDX-License-Identifier: MIT */
#include "analyze/contention.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "clr/event_ids.h"
#include "clr/providers.h"

/* Waits at a site while a thread held the lock. */
struct site_owner {
	struct site_owner *next;
	const struct contention_site *site;
	struct contention_owner *owner;
	struct contention_sum sum;
};

/* A wait that has begun. */
struct open_wait {
	struct contention_wait wait;  /* its thread is NULL if there is none */
	struct contention_site *site; /* NULL: it is not counted */
	struct site_owner *owner;     /* or NULL */
	bool wanted;
};

struct contention_thread {
	struct open_wait waits[CONTENTION_KINDS];
};

static enum contention_kind kind_of(const struct event_context *at)
{
	const uint32_t id = at->event->kind->id;

	return id == CLR_CONTENTION_START || id == CLR_CONTENTION_STOP ? CONTENTION_LOCKS
								       : CONTENTION_HANDLES;
}

static struct open_wait *open_wait(struct contention_stats *stats, const struct event_context *at)
{
	const struct pp_thread *thread = at->event->thread;

	stats->threads =
		xroom(stats->threads, &stats->thread_count, thread->index, sizeof(*stats->threads));
	return &stats->threads[thread->index].waits[kind_of(at)];
}

static void add_time(struct contention_sum *sum, uint64_t time_ns)
{
	sum->total_ns += time_ns;
	if (time_ns > sum->max_ns)
		sum->max_ns = time_ns;
}

/* It was counted when it began; now its time is known. */
static void end_wait(struct contention_stats *stats, struct open_wait *open, int64_t end_ns,
		     uint64_t length_ns)
{
	open->wait.end_ns = end_ns;
	open->wait.length_ns = length_ns;
	if (open->wanted && stats->setup.take)
		setup_take(&stats->setup, &open->wait);
	if (open->site) {
		add_time(&open->site->sum, length_ns);
		if (open->owner)
			add_time(&open->owner->sum, length_ns);
		if (open->site->lock->waiting)
			open->site->lock->waiting--;
	}
	*open = (struct open_wait){ 0 };
}

static void begin_wait(struct contention_stats *stats, const struct event_context *at,
		       struct open_wait *open)
{
	stats->tables[kind_of(at)].seen++;
	*open = (struct open_wait){
		.wait = { .kind = kind_of(at),
			  .thread = at->event->thread,
			  .start_ns = at->time_ns,
			  .stack = event_stack(at),
			  .link = event_link(at) },
		.wanted = at->wanted,
	};
}

static void count_wait(struct contention_stats *stats, struct open_wait *open,
		       struct contention_lock *lock, struct arena *arena)
{
	struct contention_table *table = &stats->tables[open->wait.kind];

	open->site = record_set_add(
		&table->sites_by_place, arena,
		&(struct contention_site){ .lock = lock, .stack = open->wait.stack });
	open->site->sum.count++;
	if (++lock->waiting > lock->waiting_most)
		lock->waiting_most = lock->waiting;
}

static void count_owner(struct contention_stats *stats, struct open_wait *open, int64_t thread_id,
			struct arena *arena)
{
	struct contention_owner *owner = record_set_add(
		&stats->owners, arena,
		&(struct contention_owner){ .lock = open->site->lock, .thread_id = thread_id });

	open->owner = record_set_add(&stats->site_owners, arena,
				     &(struct site_owner){ .site = open->site, .owner = owner });
	open->owner->sum.count++;
}

/* Waits are either counted or passed on one by one. */
static bool is_counted(const struct contention_stats *stats, const struct event_context *at)
{
	return at->wanted && !stats->setup.take;
}

enum { START_LOCK, START_SOURCE, START_OBJECT, START_FLAGS, START_OWNER };
static const char start_fields[] =
	"LockID WaitSource AssociatedObjectID ContentionFlags LockOwnerThreadID";

/* Wait handles have no id, and objects move: all of one source are one. */
static void take_start(void *self, const struct event_context *at)
{
	struct contention_stats *stats = self;
	const enum contention_kind kind = kind_of(at);
	struct contention_table *table = &stats->tables[kind];
	const struct field_value *values = at->values;
	struct open_wait *open = open_wait(stats, at);
	struct arena *arena = &at->pass->arena;
	const struct contention_lock like = {
		.process_id = at->event->thread->process_id,
		.id = values[kind == CONTENTION_LOCKS ? START_LOCK : START_SOURCE].number,
		.object_id = values[START_OBJECT].number,
	};

	if (open->wait.thread) { /* its end was lost */
		if (open->site)
			open->site->unfinished++;
		end_wait(stats, open, open->wait.start_ns, 0);
	}
	begin_wait(stats, at, open);
	if (!is_counted(stats, at))
		return;
	count_wait(stats, open, record_set_add(&table->locks_by_id, arena, &like), arena);
	open->site->native += values[START_FLAGS].number == 1;
	if (values[START_OWNER].known && values[START_OWNER].number)
		count_owner(stats, open, (int64_t)values[START_OWNER].number, arena);
}

/* The first event of the thread may be an end: then its lock is unknown. */
static void begin_unstarted(struct contention_stats *stats, const struct event_context *at,
			    struct open_wait *open)
{
	const struct contention_lock like = { .process_id = at->event->thread->process_id };
	struct contention_table *table = &stats->tables[kind_of(at)];
	struct arena *arena = &at->pass->arena;

	begin_wait(stats, at, open);
	if (!is_counted(stats, at))
		return;
	count_wait(stats, open, record_set_add(&table->locks_by_id, arena, &like), arena);
	open->site->unstarted++;
}

static uint64_t time_between(int64_t start_ns, int64_t end_ns)
{
	return end_ns > start_ns ? (uint64_t)(end_ns - start_ns) : 0;
}

/* The runtime's own measurement counts, where it is recorded. */
static void take_stop(void *self, const struct event_context *at)
{
	struct open_wait *open = open_wait(self, at);
	const double measured_ns = field_real(&at->values[0]);

	if (!open->wait.thread)
		begin_unstarted(self, at, open);
	end_wait(self, open, at->time_ns,
		 measured_ns >= 0.5 && measured_ns < 9e18
			 ? (uint64_t)(measured_ns + 0.5)
			 : time_between(open->wait.start_ns, at->time_ns));
}

static const struct event_row rows[] = {
	{ CLR_RUNTIME_PROVIDER, CLR_CONTENTION_START, NULL, start_fields, take_start },
	{ CLR_RUNTIME_PROVIDER, CLR_CONTENTION_STOP, NULL, "DurationNs", take_stop },
	{ CLR_RUNTIME_PROVIDER, CLR_WAIT_HANDLE_WAIT_START, NULL, start_fields, take_start },
	{ CLR_RUNTIME_PROVIDER, CLR_WAIT_HANDLE_WAIT_STOP, NULL, "DurationNs", take_stop },
	{ 0 },
};

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

	return locks ? locks
		     : (a->stack.number > b->stack.number) - (a->stack.number < b->stack.number);
}

static int owners_by_time(const void *left, const void *right)
{
	const struct contention_owner *a = *(const struct contention_owner *const *)left;
	const struct contention_owner *b = *(const struct contention_owner *const *)right;
	const int order = by_sum(&a->sum, &b->sum);

	return order ? order : (a->thread_id > b->thread_id) - (a->thread_id < b->thread_id);
}

static bool passes(const struct calltree *tree, const struct contention_site *site)
{
	return !tree || calltree_passes(tree, site->stack);
}

static void add_sum(struct contention_sum *sum, const struct contention_sum *more)
{
	sum->count += more->count;
	sum->total_ns += more->total_ns;
	if (more->max_ns > sum->max_ns)
		sum->max_ns = more->max_ns;
}

/* Links each owner to its lock, from the last to the first. */
static void share_owners(struct contention_stats *stats)
{
	size_t count;
	struct contention_owner **list = record_set_list(&stats->owners, owners_by_time, &count);

	while (count) {
		struct contention_owner *owner = list[--count];

		if (!owner->sum.count)
			continue;
		owner->other = owner->lock->owners;
		owner->lock->owners = owner;
	}
}

static void sum_owners(struct contention_stats *stats, const struct calltree *tree)
{
	size_t count;
	struct site_owner **list = record_set_list(&stats->site_owners, NULL, &count);

	for (size_t i = 0; i < count; i++)
		list[i]->owner->sum = (struct contention_sum){ 0 };
	for (size_t i = 0; i < count; i++)
		if (passes(tree, list[i]->site))
			add_sum(&list[i]->owner->sum, &list[i]->sum);
	share_owners(stats);
}

static void sum_sites(struct contention_table *table)
{
	for (size_t i = 0; i < table->site_count; i++) {
		const struct contention_site *site = table->sites[i];

		add_sum(&table->all, &site->sum);
		add_sum(&site->lock->sum, &site->sum);
		table->unfinished += site->unfinished;
		table->unstarted += site->unstarted;
		table->native += site->native;
	}
	table->locks = record_set_list(&table->locks_by_id, locks_by_time, &table->lock_count);
	while (table->lock_count && !table->locks[table->lock_count - 1]->sum.count)
		table->lock_count--; /* all waits for them are left out */
}

static void sum_all(struct contention_table *table)
{
	table->sites = record_set_list(&table->sites_by_place, sites_by_time, &table->site_count);
	sum_sites(table);
}

static void keep_lasting(struct contention_stats *stats, const struct open_wait *open,
			 int64_t end_ns)
{
	if (open->wait.kind != CONTENTION_LOCKS || !open->site)
		return;
	stats->lasting = xgrow(stats->lasting, stats->lasting_count, &stats->lasting_capacity,
			       sizeof(*stats->lasting));
	stats->lasting[stats->lasting_count++] = (struct lasting_wait){
		.process_id = open->wait.thread->process_id,
		.thread_id = open->wait.thread->id,
		.owner_id = open->owner ? open->owner->owner->thread_id : 0,
		.start_ns = open->wait.start_ns,
		.end_ns = end_ns,
		.stack = open->wait.stack,
	};
}

/* Waits that are still open last until the end. */
static void end_trace(void *self, const struct pass *pass)
{
	struct contention_stats *stats = self;
	const int64_t end_ns = pass_last_ns(pass);

	for (size_t i = 0; i < stats->thread_count * CONTENTION_KINDS; i++) {
		struct open_wait *open =
			&stats->threads[i / CONTENTION_KINDS].waits[i % CONTENTION_KINDS];

		if (!open->wait.thread)
			continue;
		open->wait.unfinished = true;
		keep_lasting(stats, open, end_ns);
		if (open->site)
			open->site->unfinished++;
		end_wait(stats, open, end_ns, time_between(open->wait.start_ns, end_ns));
	}
}

static void finish(void *self, const struct pass *pass)
{
	struct contention_stats *stats = self;

	(void)pass;
	for (int i = 0; i < CONTENTION_KINDS; i++)
		sum_all(&stats->tables[i]);
	sum_owners(stats, NULL);
}

static void clear_sums(struct contention_table *table)
{
	for (size_t i = 0; i < table->lock_count; i++) {
		table->locks[i]->sum = (struct contention_sum){ 0 };
		table->locks[i]->owners = NULL;
	}
	table->all = (struct contention_sum){ 0 };
	table->unfinished = table->unstarted = table->native = 0;
}

static void filter_sites(struct contention_table *table, const struct calltree *tree)
{
	size_t left = 0;

	for (size_t i = 0; i < table->site_count; i++)
		if (passes(tree, table->sites[i]))
			table->sites[left++] = table->sites[i];
		else
			table->sites[i]->lock->partly = true;
	table->site_count = left;
}

void contention_filter(struct contention_stats *stats, const struct calltree *tree)
{
	for (int i = 0; i < CONTENTION_KINDS; i++) {
		clear_sums(&stats->tables[i]);
		filter_sites(&stats->tables[i], tree);
		sum_sites(&stats->tables[i]);
	}
	sum_owners(stats, tree);
}

static void release(void *self)
{
	struct contention_stats *stats = self;

	for (int i = 0; i < CONTENTION_KINDS; i++) {
		record_set_release(&stats->tables[i].locks_by_id);
		record_set_release(&stats->tables[i].sites_by_place);
	}
	xfree(stats->threads);
	xfree(stats->lasting);
	record_set_release(&stats->owners);
	record_set_release(&stats->site_owners);
}

static const struct contention_stats initial = {
	.owners = RECORD_SET(struct contention_owner, thread_id),
	.site_owners = RECORD_SET(struct site_owner, owner),
	.tables = {
		[CONTENTION_LOCKS] = {
			.locks_by_id = RECORD_SET(struct contention_lock, id),
			.sites_by_place = RECORD_SET(struct contention_site, stack),
		},
		[CONTENTION_HANDLES] = {
			.locks_by_id = RECORD_SET(struct contention_lock, id),
			.sites_by_place = RECORD_SET(struct contention_site, stack),
		},
	},
};

const struct analysis contention_analysis = {
	.name = "contention",
	.size = sizeof(struct contention_stats),
	.initial = &initial,
	.has_items = true,
	.rows = rows,
	.end_trace = end_trace,
	.finish = finish,
	.release = release,
};
