/* SPDX-License-Identifier: MIT */
/*
 * Compilations summed up: all, by tier, by trigger, and in groups.
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/jit.h"
#include "base/alloc.h"

static void sum_add(struct jit_sum *sum, const struct jit_sum *more)
{
	sum->count += more->count;
	sum->il_bytes += more->il_bytes;
	sum->native_bytes += more->native_bytes;
	sum->time_ns = ns_plus(sum->time_ns, more->time_ns);
	if (more->max_ns > sum->max_ns)
		sum->max_ns = more->max_ns;
}

static struct jit_sum sum_of(const struct jit_method *method)
{
	return (struct jit_sum){
		.count = 1,
		.il_bytes = method->il_size,
		.native_bytes = method->native_size,
		.time_ns = method->time_ns,
		.max_ns = method->time_ns,
	};
}

void jit_summary_add(struct jit_summary *summary, const struct jit_method *method)
{
	const struct jit_sum sum = sum_of(method);

	sum_add(&summary->all, &sum);
	sum_add(&summary->tiers[method->tier], &sum);
	sum_add(&summary->triggers[method->trigger], &sum);
	summary->rejits += method->version != 0;
	summary->osr += method->tier == JIT_OSR;
	summary->r2r_rejected += method->r2r_rejected;
}

/* "System.Text" of "System.Text.Rune+Parts`1[System.Int32]". */
static size_t namespace_size(const char *type)
{
	size_t size = strcspn(type, "[`+<");

	while (size && type[size - 1] != '.')
		size--;
	return size ? size - 1 : 0;
}

static struct jit_group group_of(enum jit_key key, const struct jit_method *method)
{
	struct jit_group group = { .sum = sum_of(method) };

	if (key == JIT_BY_NAMESPACE) {
		group.text = method->type;
		group.size = namespace_size(method->type);
	} else if (key == JIT_BY_MODULE) {
		group.text = method->module;
		group.size = method->module ? strlen(method->module) : 0;
	} else {
		group.process_id = method->process_id;
		group.thread_id = method->thread_id;
	}
	return group;
}

static int by_key(const void *left, const void *right)
{
	const struct jit_group *a = left;
	const struct jit_group *b = right;
	const size_t size = a->size < b->size ? a->size : b->size;
	const int order = size ? memcmp(a->text, b->text, size) : 0;

	if (order)
		return order;
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	if (a->process_id != b->process_id)
		return a->process_id < b->process_id ? -1 : 1;
	return (a->thread_id > b->thread_id) - (a->thread_id < b->thread_id);
}

static int by_time(const void *left, const void *right)
{
	const struct jit_group *a = left;
	const struct jit_group *b = right;

	if (a->sum.time_ns != b->sum.time_ns)
		return a->sum.time_ns < b->sum.time_ns ? 1 : -1;
	if (a->sum.count != b->sum.count)
		return a->sum.count < b->sum.count ? 1 : -1;
	return by_key(left, right);
}

size_t jit_group_by(enum jit_key key, const struct jit_method *const *methods, size_t count,
		    struct jit_group **groups)
{
	struct jit_group *list = xcalloc(count + 1, sizeof(*list));
	size_t merged = 0;

	for (size_t i = 0; i < count; i++)
		list[i] = group_of(key, methods[i]);
	qsort(list, count, sizeof(*list), by_key);
	for (size_t i = 0; i < count; i++)
		if (merged && !by_key(&list[merged - 1], &list[i]))
			sum_add(&list[merged - 1].sum, &list[i].sum);
		else
			list[merged++] = list[i];
	qsort(list, merged, sizeof(*list), by_time);
	*groups = list;
	return merged;
}
