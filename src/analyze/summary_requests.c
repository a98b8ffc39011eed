/* SPDX-License-Identifier: MIT */
#include "analyze/summary_parts.h"

#define LEAST_SLOW   5	/* requests of a path, so that its median means something, */
#define LEAST_OTHERS 20 /* and of all others */

/* The median of all requests but those of the group; the times of both are sorted. */
static int64_t median_of_others(const struct request_group *all, const struct request_group *group)
{
	size_t left = (all->timed - group->timed + 1) / 2; /* to pass */
	size_t next = 0;				   /* of the group */

	for (size_t i = 0; i < all->timed && left; i++) {
		if (next < group->timed && all->times[i] == group->times[next])
			next++;
		else if (!--left)
			return all->times[i];
	}
	return 0;
}

static void add_slowest(struct summary_figures *figures, const struct request_table *table)
{
	const struct request_group *all = &table->all;
	const struct request_group *slow = NULL;

	for (size_t i = 0; i < table->group_count; i++)
		if (!slow || table->groups[i]->total_ns > slow->total_ns)
			slow = table->groups[i];
	if (!slow || slow->timed < LEAST_SLOW || all->timed - slow->timed < LEAST_OTHERS)
		return;
	figures->slow = (struct summary_path){
		.method = slow->method,
		.name = slow->name,
		.count = slow->count,
		.p50_ns = slow->p50_ns,
		.others_p50_ns = median_of_others(all, slow),
		.others = all->count - slow->count,
		.percent = 100 * (double)slow->total_ns / (double)all->total_ns,
	};
}

static void add_failed(struct summary_figures *figures, const struct request_table *table)
{
	uint64_t most = 0;

	figures->requests = table->all.count;
	figures->requests_failed = table->all.failed;
	for (size_t i = 0; i < table->group_count; i++)
		if (table->groups[i]->failed > most) {
			most = table->groups[i]->failed;
			figures->failed_name = table->groups[i]->name;
		}
}

/* Where only the other side's statuses were recorded, failures are seen there. */
void summary_add_requests(struct summary_figures *figures, const struct requests *requests)
{
	const struct request_table *incoming = requests_server(requests);
	const struct request_table *outgoing = requests_client(requests);

	figures->requests_outgoing =
		outgoing && (!incoming || (!incoming->all.failed && outgoing->all.failed));
	if (incoming || outgoing)
		add_slowest(figures, incoming ? incoming : outgoing);
	if (figures->requests_outgoing)
		add_failed(figures, outgoing);
	else if (incoming)
		add_failed(figures, incoming);
}
