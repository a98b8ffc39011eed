/* SPDX-License-Identifier: MIT */
#include "report/thread_sites.h"

#include <stdlib.h>

#include "base/alloc.h"

struct thread_share {
	int64_t process_id;
	int64_t thread_id;
	const char *name;
	double percent;
	uint64_t count;
	uint64_t amount;
};

#define ROW struct thread_share

/* clang-format off */
#define THREAD_SHAPE(by_, ...) \
	static const struct result_field by_##_fields[] = { \
		FIELD(ROW, process_id, "process_id", "Process", UNIT_ID, .flags = SHOWN_BY_PROCESS), \
		FIELD(ROW, thread_id, "thread_id", "Thread", UNIT_ID, .flags = NOT_NEGATIVE), \
		FIELD(ROW, percent, "percent", "%", UNIT_PERCENT, .flags = SHOWN_PEOPLE), \
		FIELD(ROW, count, "count", "Count", UNIT_COUNT), \
		__VA_ARGS__ \
		FIELD(ROW, name, "name", "Name", UNIT_TEXT, .flags = WIDE), \
		FIELD_END, \
	}; \
	const struct result_shape threads_by_##by_ = { by_##_fields, NULL }

THREAD_SHAPE(time, FIELD(ROW, amount, "total_ns", "Waited", UNIT_TIME),);
THREAD_SHAPE(bytes, FIELD(ROW, amount, "bytes", "Bytes", UNIT_SIZE),);
THREAD_SHAPE(count,);
/* clang-format on */

void thread_sites_add(struct thread_sites *to, const struct pp_thread *thread,
		      const struct thread_site *site)
{
	struct thread_site like = { .part = site->part,
				    .thread = fill_thread(to->report->fill, thread),
				    .stack = site->stack };
	struct thread_site *known = record_set_add(&to->sites, &to->report->pass.arena, &like);

	known->count += site->count;
	known->amount += site->amount;
}

void thread_sites_want(struct report *report, const struct analysis *analysis,
		       void (*take)(void *to, const void *item))
{
	struct thread_sites *sites = xcalloc(1, sizeof(*sites));

	*sites = (struct thread_sites){ .report = report,
					.analysis = analysis,
					.take = take,
					.sites = RECORD_SET(struct thread_site, stack) };
	report->thread_sites = sites;
}

void thread_sites_begin(struct thread_sites *sites)
{
	pass_want(&sites->report->pass, sites->analysis,
		  &(const struct analysis_setup){ .take = sites->take, .to = sites });
}

void thread_sites_free(struct thread_sites *sites)
{
	if (sites)
		record_set_release(&sites->sites);
	xfree(sites);
}

static uint64_t size_of(const struct thread_share *share, enum method_order order)
{
	return order == BY_AMOUNT ? share->amount : share->count;
}

static int by_size(const void *left, const void *right, void *order)
{
	const struct thread_share *a = left;
	const struct thread_share *b = right;
	const uint64_t size_a = size_of(a, *(const enum method_order *)order);
	const uint64_t size_b = size_of(b, *(const enum method_order *)order);

	if (size_a != size_b)
		return size_a < size_b ? 1 : -1;
	return (a->thread_id > b->thread_id) - (a->thread_id < b->thread_id);
}

static struct thread_share sum_sites(struct report *report, uint32_t part,
				     struct thread_share *shares)
{
	const struct calltree *filter = report_stack_filter(report);
	struct thread_share all = { 0 };
	size_t count;
	struct thread_site **sites = record_set_list(&report->thread_sites->sites, NULL, &count);

	for (size_t i = 0; i < count; i++) {
		if (sites[i]->part != part || (filter && !calltree_passes(filter, sites[i]->stack)))
			continue;
		shares[sites[i]->thread].count += sites[i]->count;
		shares[sites[i]->thread].amount += sites[i]->amount;
		all.count += sites[i]->count;
		all.amount += sites[i]->amount;
	}
	return all;
}

struct result_rows thread_site_rows(struct report *report, uint32_t part, enum method_order order)
{
	const struct model *model = &report->model;
	struct thread_share *shares =
		REPORT_ROWS_NEW(report, struct thread_share, model->thread_count);
	const struct thread_share all = sum_sites(report, part, shares);
	size_t count = 0;

	for (size_t i = 0; i < model->thread_count; i++) {
		const struct model_thread *thread = &model->threads[i];

		shares[i].process_id = model->processes[thread->process].id;
		shares[i].thread_id = thread->id;
		shares[i].name = thread->name;
		shares[i].percent =
			report_percent(size_of(&shares[i], order), size_of(&all, order));
		if (shares[i].count)
			shares[count++] = shares[i];
	}
	qsort_r(shares, count, sizeof(*shares), by_size, &order);
	return report_first(report, ROWS_OF(shares, count), SIZE_MAX);
}
