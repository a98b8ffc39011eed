/* SPDX-License-Identifier: MIT */
#include <poll.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "ipc/deadline.h"
#include "ipc/discover.h"
#include "ipc/exchange.h"
#include "ipc/answers.h"

/* Requests at a time: the usual limit is 1024 open files. */
#define AT_ONCE	    256
#define MOST_ROUNDS 4 /* of as many; then those that were not asked count as late */

struct question {
	struct candidate *candidate;
	struct exchange exchange;
	struct deadline deadline;
	int command; /* ProcessInfo 3, 2 or 1 */
};

struct questions {
	struct discovery *d;
	struct question *at;
	struct pollfd *waits; /* as many, and one for giving up */
	size_t count;
};

static void begin(struct question *q, int command)
{
	q->command = command;
	exchange_open_process(&q->exchange, &q->candidate->address);
	process_info_request(&q->exchange.request, command);
}

static enum answer read_info(struct questions *all, struct question *q)
{
	struct candidate *c = q->candidate;
	struct cursor payload = exchange_payload(&q->exchange);

	if (process_info_parse(&payload, q->command, all->d->arena, &c->info))
		return ANSWER_BAD;
	/* a socket with another start time in its name may belong to another process */
	if (c->other_key && c->info.process_id != (uint64_t)c->process.ns_pid)
		return ANSWER_DEAD;
	return ANSWER_INFO;
}

static enum answer read_failure(const struct question *q)
{
	switch (q->exchange.failure) {
	case PP_FAILURE_NO_SOCKET:
	case PP_FAILURE_DEAD_SOCKET:
		return ANSWER_DEAD;
	case PP_FAILURE_DENIED:
		return ANSWER_DENIED;
	case PP_FAILURE_UNSUPPORTED:
		return ANSWER_UNKNOWN;
	case PP_FAILURE_OTHER_PROCESS: /* left by another, unless the name is exactly its own */
		return q->candidate->other_key ? ANSWER_DEAD : ANSWER_OTHER;
	default:
		return ANSWER_BAD;
	}
}

/* One step; false once there is an answer. */
static bool go_on(struct questions *all, struct question *q)
{
	struct pp_error ignored = { 0 };
	enum answer answer;

	if (exchange_step(&q->exchange, &ignored) == EXCHANGE_PENDING) {
		if (deadline_left_ms(q->deadline))
			return true;
		answer = ANSWER_LATE;
	} else if (q->exchange.state == EXCHANGE_DONE) {
		answer = read_info(all, q);
	} else {
		answer = read_failure(q);
	}
	exchange_close(&q->exchange);
	if (answer == ANSWER_UNKNOWN && q->command > PROCESS_INFO_OLDEST) {
		begin(q, q->command - 1);
		return true;
	}
	q->candidate->answer = answer;
	return false;
}

/* Until one of them can continue, or has timed out. */
static void wait_for_any(struct questions *all)
{
	int timeout_ms = EXCHANGE_RETRY_MS;

	for (size_t i = 0; i < all->count; i++) {
		const struct question *q = &all->at[i];
		const int left_ms = deadline_left_ms(q->deadline);

		all->waits[i] = (struct pollfd){ q->exchange.fd, q->exchange.events, 0 };
		if (!i || left_ms < timeout_ms)
			timeout_ms = left_ms;
	}
	for (size_t i = 0; i < all->count; i++)
		if (all->waits[i].fd < 0 && timeout_ms > EXCHANGE_RETRY_MS)
			timeout_ms = EXCHANGE_RETRY_MS;
	all->waits[all->count] = (struct pollfd){ .fd = all->d->give_up_fd, .events = POLLIN };
	poll(all->waits, all->count + (all->d->give_up_fd > 0), timeout_ms);
}

static void go_on_all(struct questions *all)
{
	for (size_t i = 0; i < all->count;) {
		if (go_on(all, &all->at[i]))
			i++;
		else
			all->at[i] = all->at[--all->count];
	}
}

/* A process that is stopped by a signal cannot answer. */
static bool can_answer(const struct candidate *c)
{
	return c->process.socket && c->stat.state != 'T';
}

static void ask(struct questions *all, struct candidate *c)
{
	struct question *q = &all->at[all->count];

	c->address = (struct process_socket){ c->process.proc, c->process.pid,
					      c->process.start_ticks, c->process.socket };
	*q = (struct question){ .candidate = c, .deadline = deadline_in(all->d->timeout_ms) };
	q->deadline.give_up_fd = all->d->give_up_fd;
	q->exchange.fd = -1;
	all->count++;
	begin(q, PROCESS_INFO_NEWEST);
}

static int compare_users(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;

	return (a->status.user > b->status.user) - (a->status.user < b->status.user);
}

static int compare_turns(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;

	return (a->turn > b->turn) - (a->turn < b->turn);
}

/* Users take turns, so that one with a thousand silent listeners delays only their own. */
void discover_take_turns(struct discovery *d)
{
	if (!d->count)
		return;
	qsort(d->candidates, d->count, sizeof(*d->candidates), compare_users);
	for (size_t i = 1; i < d->count; i++)
		if (!compare_users(&d->candidates[i - 1], &d->candidates[i]))
			d->candidates[i].turn = d->candidates[i - 1].turn + 1;
	qsort(d->candidates, d->count, sizeof(*d->candidates), compare_turns);
}

static void ask_or_skip(struct questions *all, struct candidate *c, struct deadline end)
{
	if (!can_answer(c))
		return;
	if (deadline_left_ms(end))
		ask(all, c);
	else
		c->answer = ANSWER_LATE;
}

static void close_all(void *object)
{
	struct questions *all = object;

	for (size_t i = 0; i < all->count; i++)
		exchange_close(&all->at[i].exchange);
}

static void ask_all(struct questions *all, size_t room)
{
	struct discovery *d = all->d;
	const struct deadline end = deadline_in(d->timeout_ms * MOST_ROUNDS);

	for (size_t next = 0; next < d->count || all->count;) {
		for (; next < d->count && all->count < room; next++)
			ask_or_skip(all, &d->candidates[next], end);
		go_on_all(all);
		if (all->count)
			wait_for_any(all);
	}
}

void discover_ask(struct discovery *d)
{
	const size_t room = d->count < AT_ONCE ? d->count : AT_ONCE;
	struct questions *all = xcalloc(1, sizeof(*all));
	struct heap_drop *drop = heap_on_drop(close_all, all);

	all->d = d;
	all->at = xcalloc(room, sizeof(*all->at));
	all->waits = xcalloc(room + 1, sizeof(*all->waits));
	ask_all(all, room);
	heap_forget_drop(drop);
	xfree(all->at);
	xfree(all->waits);
	xfree(all);
}
