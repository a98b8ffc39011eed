/* SPDX-License-Identifier: MIT */
/*
 * Event sources write counters as objects in self-describing events, meters write numbers as
 * texts. Both are read by the names of their fields, wherever in the payload these are.
 */
#include "analyze/counters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "clr/providers.h"

#define LONGEST_NUMBER	  64 /* bytes of a number that is written as text */
#define COUNTER_PUBLISHED 4  /* the id of CounterRateValuePublished */

/* Fields of one event. A missing number is NaN, a missing text "". */
struct counter_event {
	const char *provider, *name, *title, *unit, *tags, *quantiles;
	double mean, increment, interval_s, last, rate, total;
};

enum field_kind {
	FIELD_TEXT,
	FIELD_NUMBER,
};

#define FIELD(name, kind, member)                                                                  \
	{                                                                                          \
		name, kind, offsetof(struct counter_event, member)                                 \
	}

static const struct {
	const char *field;
	enum field_kind kind;
	size_t offset;
} fields[] = {
	FIELD("Name", FIELD_TEXT, name),
	FIELD("DisplayName", FIELD_TEXT, title),
	FIELD("DisplayUnits", FIELD_TEXT, unit),
	FIELD("Metadata", FIELD_TEXT, tags),
	FIELD("Mean", FIELD_NUMBER, mean),
	FIELD("Increment", FIELD_NUMBER, increment),
	FIELD("IntervalSec", FIELD_NUMBER, interval_s),
	FIELD("meterName", FIELD_TEXT, provider),
	FIELD("instrumentName", FIELD_TEXT, name),
	FIELD("unit", FIELD_TEXT, unit),
	FIELD("tags", FIELD_TEXT, tags),
	FIELD("quantiles", FIELD_TEXT, quantiles),
	FIELD("lastValue", FIELD_NUMBER, last),
	FIELD("rate", FIELD_NUMBER, rate),
	FIELD("value", FIELD_NUMBER, total),
};

/* NaN if it is not a number, or more follows it. */
static double number_in(const char *text, size_t size)
{
	char copy[LONGEST_NUMBER + 1];
	char *end;
	double number;

	if (!size || size > LONGEST_NUMBER)
		return NAN;
	memcpy(copy, text, size);
	copy[size] = 0;
	number = strtod(copy, &end);
	return *end ? NAN : number;
}

static double number_of(const struct value *value)
{
	switch (value->kind) {
	case VALUE_SIGNED:
		return (double)value->number;
	case VALUE_UNSIGNED:
		return (double)value->unsigned_number;
	case VALUE_FLOAT:
	case VALUE_DOUBLE:
		return value->real;
	case VALUE_TEXT:
		return number_in(value->text, value->size);
	default:
		return NAN;
	}
}

static void set_field(struct counter_stats *stats, struct counter_event *event,
		      const struct value *value)
{
	for (size_t i = 0; i < ARRAY_COUNT(fields); i++) {
		char *member = (char *)event + fields[i].offset;

		if (strcmp(value->name, fields[i].field) != 0)
			continue;
		if (fields[i].kind == FIELD_NUMBER)
			*(double *)(void *)member = number_of(value);
		else if (value->kind == VALUE_TEXT)
			*(const char **)(void *)member =
				strings_intern(&stats->strings, value->text, value->size);
	}
}

static const char *keep(struct counter_stats *stats, const char *text)
{
	return strings_intern(&stats->strings, text, strlen(text));
}

static struct counter_event read_event(struct counter_stats *stats, const struct event_context *at)
{
	const char *none = keep(stats, "");
	struct counter_event event = { .provider = keep(stats, at->event->kind->provider),
				       .name = none,
				       .title = none,
				       .unit = none,
				       .tags = none,
				       .quantiles = none,
				       .mean = NAN,
				       .increment = NAN,
				       .interval_s = NAN,
				       .last = NAN,
				       .rate = NAN,
				       .total = NAN };
	struct value value;

	payload_begin(&stats->values, at->plan, at->event, at->header->pointer_size);
	while (payload_next(&stats->values, &value))
		if (value.name)
			set_field(stats, &event, &value);
	return event;
}

static void sum_up(struct counter *counter, double value)
{
	if (!counter->count++)
		counter->first = counter->least = counter->most = value;
	counter->least = value < counter->least ? value : counter->least;
	counter->most = value > counter->most ? value : counter->most;
	counter->sum += value;
	counter->last = value;
}

static void add_reading(struct counter_stats *stats, const struct event_context *at,
			struct counter like, double value)
{
	struct counter_reading reading = { .time_ns = at->time_ns, .value = value };
	struct counter *counter;

	if (!isfinite(value) || !*like.name)
		return;
	stats->seen++;
	if (!event_query_passes_process(&at->pass->query, like.process_id, at->time_ns))
		return;
	like.number = (uint32_t)stats->count;
	counter = record_set_add(&stats->by_name, &at->pass->arena, &like);
	stats->list = record_set_list(&stats->by_name, NULL, &stats->count);
	reading.counter = counter->number;
	sum_up(counter, value);
	if (stats->setup.take) {
		setup_take(&stats->setup, &reading);
		return;
	}
	stats->readings = xgrow(stats->readings, stats->reading_count, &stats->reading_capacity,
				sizeof(*stats->readings));
	stats->readings[stats->reading_count++] = reading;
}

static struct counter counter_of(struct counter_stats *stats, const struct event_context *at,
				 const struct counter_event *event, enum counter_kind kind)
{
	return (struct counter){ .provider = event->provider,
				 .name = event->name,
				 .title = *event->title ? event->title : NULL,
				 .unit = event->unit,
				 .tags = event->tags,
				 .quantile = keep(stats, ""),
				 .process_id = at->event->thread->process_id,
				 .kind = kind };
}

/* Of an event source; the event describes itself. */
static void take_event_counter(void *self, const struct event_context *at)
{
	const struct counter_event event = read_event(self, at);
	const bool rate = !isnan(event.increment);
	const struct counter counter =
		counter_of(self, at, &event, rate ? COUNTER_RATE : COUNTER_VALUE);

	add_reading(self, at, counter,
		    rate ? event.increment / (event.interval_s > 0 ? event.interval_s : 1)
			 : event.mean);
}

/* "0.5=51;0.95=96;0.99=100": a counter for each. */
static void add_quantiles(struct counter_stats *stats, const struct event_context *at,
			  struct counter counter, const char *quantiles)
{
	while (*quantiles) {
		const size_t size = strcspn(quantiles, ";");
		const char *equals = memchr(quantiles, '=', size);

		if (equals) {
			const char *text = equals + 1;

			counter.quantile = strings_intern(&stats->strings, quantiles,
							  (size_t)(equals - quantiles));
			add_reading(stats, at, counter,
				    number_in(text, (size_t)(quantiles + size - text)));
		}
		quantiles += size + (quantiles[size] == ';');
	}
}

/* Of a meter. One that only grows is a total; runtimes before .NET 8 write its growth. */
static void take_instrument(void *self, const struct event_context *at)
{
	const struct counter_event event = read_event(self, at);
	const bool gauge = at->event->kind->id != COUNTER_PUBLISHED;
	const bool grown = isnan(event.total);
	const struct counter counter = counter_of(self, at, &event,
						  gauge	  ? COUNTER_VALUE
						  : grown ? COUNTER_RATE
							  : COUNTER_TOTAL);

	if (*event.quantiles)
		add_quantiles(self, at, counter, event.quantiles);
	else if (!isnan(event.last))
		add_reading(self, at, counter, event.last);
	else
		add_reading(self, at, counter, grown ? event.rate : event.total);
}

static const struct event_row rows[] = {
	{ METRICS_PROVIDER, 4, "CounterRateValuePublished", NULL, take_instrument },
	{ METRICS_PROVIDER, 5, "GaugeValuePublished", NULL, take_instrument },
	{ METRICS_PROVIDER, 6, "HistogramValuePublished", NULL, take_instrument },
	{ METRICS_PROVIDER, 16, "UpDownCounterRateValuePublished", NULL, take_instrument },
	{ 0 },
};

/* Any event source may have counters. */
static const struct event_row *choose(const void *self, const struct pp_kind *kind)
{
	static const struct event_row row = { .handle = take_event_counter };

	(void)self;
	return strcmp(kind->name, "EventCounters") ? NULL : &row;
}

static void begin(void *self, struct pass *pass, const struct analysis_setup *setup)
{
	struct counter_stats *stats = self;

	(void)setup;
	stats->strings.arena = &pass->arena;
}

static void release(void *self)
{
	struct counter_stats *stats = self;

	xfree(stats->readings);
	record_set_release(&stats->by_name);
	strings_release(&stats->strings);
	payload_release(&stats->values);
}

static const struct counter_stats initial = { .by_name = RECORD_SET(struct counter, kind) };

const struct analysis counter_analysis = {
	.name = "counters",
	.size = sizeof(struct counter_stats),
	.initial = &initial,
	.has_items = true,
	.rows = rows,
	.choose = choose,
	.begin = begin,
	.release = release,
};
