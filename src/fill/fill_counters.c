/* SPDX-License-Identifier: MIT */
/*
 * Counters: those of event sources, whose events describe themselves and hold everything in
 * objects, and those of meters, which write numbers as texts. Both are read by the names
 * of their fields, wherever in the payload these are.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fill/fill_rows.h"

#define LONGEST_NUMBER	  64 /* bytes of a number that is written as text */
#define COUNTER_PUBLISHED 4  /* the id of CounterRateValuePublished */

/* What one event says. A number that it lacks is NaN, a text is "". */
struct said {
	const char *provider, *name, *title, *unit, *tags, *quantiles;
	double mean, increment, interval_s, last, rate, total;
};

enum said_kind {
	SAID_TEXT,
	SAID_NUMBER,
};

#define FIELD(name, kind, member)                                                                  \
	{                                                                                          \
		name, kind, offsetof(struct said, member)                                          \
	}

static const struct {
	const char *field;
	enum said_kind kind;
	size_t offset;
} fields[] = {
	FIELD("Name", SAID_TEXT, name),
	FIELD("DisplayName", SAID_TEXT, title),
	FIELD("DisplayUnits", SAID_TEXT, unit),
	FIELD("Metadata", SAID_TEXT, tags),
	FIELD("Mean", SAID_NUMBER, mean),
	FIELD("Increment", SAID_NUMBER, increment),
	FIELD("IntervalSec", SAID_NUMBER, interval_s),
	FIELD("meterName", SAID_TEXT, provider),
	FIELD("instrumentName", SAID_TEXT, name),
	FIELD("unit", SAID_TEXT, unit),
	FIELD("tags", SAID_TEXT, tags),
	FIELD("quantiles", SAID_TEXT, quantiles),
	FIELD("lastValue", SAID_NUMBER, last),
	FIELD("rate", SAID_NUMBER, rate),
	FIELD("value", SAID_NUMBER, total),
};

/* NaN if it is none, or there is more behind it. */
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

static void take(struct fill *fill, struct said *said, const struct value *value)
{
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		char *member = (char *)said + fields[i].offset;

		if (strcmp(value->name, fields[i].field) != 0)
			continue;
		if (fields[i].kind == SAID_NUMBER)
			*(double *)(void *)member = number_of(value);
		else if (value->kind == VALUE_TEXT)
			*(const char **)(void *)member =
				strings_intern(&fill->model->strings, value->text, value->size);
	}
}

static struct said listen(struct fill *fill, const struct told *told)
{
	const char *none = model_text(fill->model, "");
	struct said said = { .provider = model_text(fill->model, told->event->kind->provider),
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

	payload_begin(&fill->values, plans_for(&fill->plans, told->event->kind), told->event,
		      fill->header->pointer_size);
	while (payload_next(&fill->values, &value))
		if (value.name)
			take(fill, &said, &value);
	return said;
}

static void add(struct fill *fill, const struct told *told, const struct model_counter *counter,
		double value)
{
	const struct fill_taker *taker = fill->options.taker;
	struct model_reading reading = { .time_ns = told->now_ns, .value = value };

	if (!isfinite(value) || !*counter->name)
		return;
	reading.counter = model_counter(fill->model, counter);
	if (!taker)
		model_add_reading(fill->model, &reading);
	else if (taker->reading)
		taker->reading(taker->to, &reading);
}

static struct model_counter counter_of(struct fill *fill, const struct told *told,
				       const struct said *said, enum counter_kind kind)
{
	return (struct model_counter){ .provider = said->provider,
				       .name = said->name,
				       .title = *said->title ? said->title : NULL,
				       .unit = said->unit,
				       .tags = said->tags,
				       .part = model_text(fill->model, ""),
				       .process = told->process,
				       .kind = kind };
}

void fill_event_counter(struct fill *fill, const struct told *told)
{
	const struct said said = listen(fill, told);
	const bool rate = !isnan(said.increment);
	const struct model_counter counter =
		counter_of(fill, told, &said, rate ? COUNTER_RATE : COUNTER_VALUE);

	if (fill->options.notes)
		fill_note(fill, told);
	add(fill, told, &counter,
	    rate ? said.increment / (said.interval_s > 0 ? said.interval_s : 1) : said.mean);
}

/* "0.5=51;0.95=96;0.99=100": a counter for each. */
static void add_quantiles(struct fill *fill, const struct told *told, struct model_counter counter,
			  const char *quantiles)
{
	while (*quantiles) {
		const size_t size = strcspn(quantiles, ";");
		const char *equals = memchr(quantiles, '=', size);

		if (equals) {
			const char *text = equals + 1;

			counter.part = strings_intern(&fill->model->strings, quantiles,
						      (size_t)(equals - quantiles));
			add(fill, told, &counter,
			    number_in(text, (size_t)(quantiles + size - text)));
		}
		quantiles += size + (quantiles[size] == ';');
	}
}

/* What goes up only is told as a total; runtimes before .NET 8 tell what it gained instead. */
static void add_instrument(struct fill *fill, const struct told *told, const struct said *said)
{
	const bool gauge = told->event->kind->id != COUNTER_PUBLISHED;
	const bool gained = isnan(said->total);
	const struct model_counter counter = counter_of(fill, told, said,
							gauge	 ? COUNTER_VALUE
							: gained ? COUNTER_RATE
								 : COUNTER_TOTAL);

	if (*said->quantiles)
		add_quantiles(fill, told, counter, said->quantiles);
	else if (!isnan(said->last))
		add(fill, told, &counter, said->last);
	else
		add(fill, told, &counter, gained ? said->rate : said->total);
}

void fill_instrument(struct fill *fill, const struct told *told)
{
	const struct said said = listen(fill, told);

	if (fill->options.notes)
		fill_note(fill, told);
	add_instrument(fill, told, &said);
}
