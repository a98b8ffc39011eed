/* SPDX-License-Identifier: MIT */
#include "perf/perf_sampler.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "perf/perf_ring.h"

struct perf_sampler {
	struct perf_layout layout;
	struct perf_ring *rings;
	int *fds;
	struct pollfd *polled; /* a descriptor of -1: its threads have ended */
	size_t count;
	size_t current; /* the ring that is being read */
};

/* A processor that is off has no event: it has the number of one that could be there. */
static int add_processor(struct perf_sampler *sampler, const struct perf_options *options,
			 size_t pages, struct pp_error *err)
{
	const size_t i = sampler->count;
	struct pp_error refused = { 0 };
	const int fd = perf_event_new(options, &refused);

	if (fd < 0 && errno == ENODEV)
		return 0;
	if (fd < 0)
		return error_set(err, refused.code, "%s", refused.text);
	sampler->fds[i] = fd;
	sampler->polled[i] = (struct pollfd){ .fd = fd, .events = POLLIN };
	sampler->count++;
	return perf_ring_open(&sampler->rings[i], fd, pages, err);
}

struct perf_sampler *perf_sampler_open(const struct perf_options *options, size_t pages,
				       struct pp_error *err)
{
	const long processors = sysconf(_SC_NPROCESSORS_CONF);
	const size_t most = processors > 0 ? (size_t)processors : 1;
	struct perf_options each = *options;
	struct perf_sampler *sampler = xcalloc(1, sizeof(*sampler));

	sampler->layout = perf_event_layout(options);
	sampler->rings = xcalloc(most, sizeof(*sampler->rings));
	sampler->fds = xcalloc(most, sizeof(*sampler->fds));
	sampler->polled = xcalloc(most, sizeof(*sampler->polled));
	each.inherit = true;
	for (size_t i = 0; i < most; i++) {
		each.cpu = (int)i;
		if (add_processor(sampler, &each, pages, err)) {
			perf_sampler_close(sampler);
			return NULL;
		}
	}
	return sampler;
}

void perf_sampler_close(struct perf_sampler *sampler)
{
	if (!sampler)
		return;
	for (size_t i = 0; i < sampler->count; i++) {
		perf_ring_close(&sampler->rings[i]);
		close(sampler->fds[i]);
	}
	xfree(sampler->rings);
	xfree(sampler->fds);
	xfree(sampler->polled);
	xfree(sampler);
}

static int for_each(struct perf_sampler *sampler, int (*call)(int fd, struct pp_error *err),
		    struct pp_error *err)
{
	int failed = 0;

	for (size_t i = 0; i < sampler->count; i++)
		failed |= call(sampler->fds[i], err);
	return failed;
}

int perf_sampler_enable(struct perf_sampler *sampler, struct pp_error *err)
{
	return for_each(sampler, perf_event_enable, err);
}

int perf_sampler_disable(struct perf_sampler *sampler, struct pp_error *err)
{
	return for_each(sampler, perf_event_disable, err);
}

static bool is_running(const struct perf_sampler *sampler)
{
	for (size_t i = 0; i < sampler->count; i++)
		if (sampler->polled[i].fd >= 0)
			return true;
	return false;
}

/* After the last thread of an event has ended, poll() returns at once, for ever. */
bool perf_sampler_wait(struct perf_sampler *sampler, int milliseconds)
{
	if (!is_running(sampler) || poll(sampler->polled, sampler->count, milliseconds) <= 0)
		return is_running(sampler);
	for (size_t i = 0; i < sampler->count; i++)
		if (sampler->polled[i].revents & (POLLHUP | POLLERR | POLLNVAL))
			sampler->polled[i].fd = -1;
	return is_running(sampler);
}

int perf_sampler_next(struct perf_sampler *sampler, struct perf_record *record,
		      struct pp_error *err)
{
	const void *bytes;
	size_t size;

	for (size_t tried = 0; tried < sampler->count; tried++) {
		struct perf_ring *ring = &sampler->rings[sampler->current];

		if (perf_ring_next(ring, &bytes, &size))
			return perf_record_read(&sampler->layout, bytes, size, record, err) ? -1
											    : 1;
		if (ring->is_broken)
			return error_set(err, PP_ERROR_FORMAT,
					 "the ring of a perf event has no records at %llu",
					 (unsigned long long)ring->tail);
		sampler->current = (sampler->current + 1) % sampler->count;
	}
	return 0;
}

uint64_t perf_sampler_lost(const struct perf_sampler *sampler)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < sampler->count; i++)
		lost += sampler->rings[i].lost;
	return lost;
}
