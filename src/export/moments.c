/* SPDX-License-Identifier: MIT */
#include "export/moments.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { THROWN_TYPE, THROWN_MESSAGE };
static const char *const thrown_fields[] = { "ExceptionType", "ExceptionMessage", NULL };
static const char *const stop_fields[] = { "DurationNs", NULL };

static const char *text_of(struct moments *moments, const struct field_value *value)
{
	return value->known ? text_pool_add(&moments->texts, value->text, value->size) : "";
}

static void take_exception(void *self, const struct watched *watched)
{
	struct moments *moments = self;

	moments->told = (struct moment){
		.kind = MOMENT_EXCEPTION,
		.start_ns = watched->time_ns,
		.end_ns = watched->time_ns,
		.place = *moments->place,
		.type = text_of(moments, &watched->values[THROWN_TYPE]),
		.message = text_of(moments, &watched->values[THROWN_MESSAGE]),
	};
}

static struct moment_wait *wait_of(struct moments *moments, const struct pp_thread *thread)
{
	moments->waits =
		xroom(moments->waits, &moments->wait_count, thread->index, sizeof(*moments->waits));
	return &moments->waits[thread->index];
}

static void tell_wait(struct moments *moments, struct moment_wait *wait, int64_t end_ns)
{
	moments->told = (struct moment){
		.kind = MOMENT_WAIT,
		.start_ns = wait->start_ns,
		.end_ns = end_ns,
		.place = wait->place,
		.type = "",
		.message = "",
	};
	if (end_ns > wait->start_ns)
		moments->told.length_ns = (uint64_t)watch_ns_between(wait->start_ns, end_ns);
	*wait = (struct moment_wait){ 0 };
}

/* One before it that never ended took no time that is known. */
static void take_wait(void *self, const struct watched *watched)
{
	struct moments *moments = self;
	struct moment_wait *wait = wait_of(moments, watched->event->thread);

	if (wait->open)
		tell_wait(moments, wait, wait->start_ns);
	*wait = (struct moment_wait){ .open = true,
				      .start_ns = watched->time_ns,
				      .place = *moments->place };
}

/* One whose begin was not recorded is told with what its end knows. */
static void take_wait_end(void *self, const struct watched *watched)
{
	struct moments *moments = self;
	struct moment_wait *wait = wait_of(moments, watched->event->thread);
	double told_ns = 0;

	if (watched->values[0].known)
		memcpy(&told_ns, &watched->values[0].number, sizeof(told_ns));
	if (!wait->open)
		*wait = (struct moment_wait){ .start_ns = watched->time_ns,
					      .place = *moments->place };
	tell_wait(moments, wait, watched->time_ns);
	if (told_ns > 0 && told_ns < 9e18)
		moments->told.length_ns = (uint64_t)(told_ns + 0.5);
}

const struct watch_row moments_rows[] = {
	{ WATCH_RUNTIME, 80, thrown_fields, take_exception },
	{ WATCH_RUNTIME, 81, NULL, take_wait },
	{ WATCH_RUNTIME, 91, stop_fields, take_wait_end },
	{ 0 },
};

bool moments_take(struct moments *moments, const struct pp_trace_header *header,
		  const struct pp_event *event, const struct moment_place *place)
{
	moments->told.kind = MOMENT_NONE;
	moments->place = place;
	watch_event(&moments->watch, header, event, moments);
	moments->place = NULL;
	return moments->told.kind != MOMENT_NONE;
}

bool moments_unfinished(struct moments *moments, int64_t end_ns)
{
	while (moments->finished < moments->wait_count) {
		struct moment_wait *wait = &moments->waits[moments->finished++];

		if (wait->open) {
			tell_wait(moments, wait, end_ns);
			moments->told.unfinished = true;
			return true;
		}
	}
	return false;
}

void moments_release(struct moments *moments)
{
	watch_release(&moments->watch);
	text_pool_release(&moments->texts);
	free(moments->waits);
	*moments = (struct moments)MOMENTS_NONE;
}
