/* SPDX-License-Identifier: MIT */
#include "export/event_names.h"

#include <stdlib.h>
#include <strings.h>

#include "analyze/where_test.h"
#include "base/alloc.h"
#include "base/suggest.h"
#include "export/event_filter.h"
#include "report/figure_text.h"

void event_names_add(struct event_names *names, const struct pp_kind *kind, const char *name,
		     bool passes)
{
	struct named_kind *named;

	names->list = xroom(names->list, &names->count, kind->index, sizeof(*names->list));
	named = &names->list[kind->index];
	named->kind = kind;
	named->passes |= passes;
	if (!named->name)
		named->name = name;
}

void event_names_release(struct event_names *names)
{
	xfree(names->list);
	*names = (struct event_names){ 0 };
}

struct explaining {
	const struct event_filter *filter;
	struct event_output *output;
	void (*say)(const char *text);
	size_t said;
};

/* "no event has the name 'GC/Strat'; did you mean GC/Start?" */
static void say_none(struct explaining *e, const char *what, const struct suggest *suggest)
{
	e->said++;
	e->say(arena_printf(&e->output->arena, "%s '%s'%s%s%s", what, suggest->typed,
			    suggest->best ? "; did you mean " : "",
			    suggest->best ? suggest->best : "", suggest->best ? "?" : ""));
}

static void explain_provider(struct explaining *e)
{
	struct suggest suggest = { .typed = e->filter->provider, .whole = true };

	for (size_t i = 0; i < e->filter->names.count; i++) {
		const struct pp_kind *kind = e->filter->names.list[i].kind;

		if (kind && event_pattern_matches(suggest.typed, kind->provider))
			return;
		if (kind)
			suggest_offer(&suggest, kind->provider);
	}
	say_none(e, "no event has the provider", &suggest);
}

/* Among the events of the providers that are asked for. */
static void explain_name(struct explaining *e)
{
	struct suggest suggest = { .typed = e->filter->name, .whole = true };

	for (size_t i = 0; i < e->filter->names.count; i++) {
		const struct named_kind *named = &e->filter->names.list[i];

		if (!named->kind ||
		    !event_pattern_matches(e->filter->provider, named->kind->provider))
			continue;
		if (named->passes || event_pattern_matches(suggest.typed, named->name))
			return;
		suggest_offer(&suggest, named->name);
	}
	say_none(e, "no event has the name", &suggest);
}

typedef bool name_test(const char *wanted, const char *field);

static bool is_field(const char *wanted, const char *field)
{
	return !strcasecmp(wanted, field);
}

static bool is_in_field(const char *path, const char *field)
{
	return where_path_below(path, field);
}

static bool has_field(struct explaining *e, const struct pp_kind *kind, struct suggest *suggest,
		      name_test *is)
{
	const struct payload_plan *plan = plans_for(&e->output->plans, kind);

	for (const struct plan_field *field = plan->fields; field->type != PLAN_END; field++) {
		if (!field->value.name || field->type == PLAN_FILLER)
			continue;
		if (is(suggest->typed, field->value.name))
			return true;
		suggest_offer(suggest, field->value.name);
	}
	return false;
}

static void explain_field(struct explaining *e, const char *wanted, name_test *is)
{
	struct suggest suggest = { .typed = wanted };
	bool any = false;
	bool all = true;

	for (size_t i = 0; i < e->filter->names.count; i++) {
		const struct named_kind *named = &e->filter->names.list[i];

		if (named->passes && has_field(e, named->kind, &suggest, is))
			return;
		any |= named->passes;
		all &= named->passes || !named->kind;
	}
	if (any)
		say_none(e, all ? "no event has a field" : "no selected event has a field",
			 &suggest);
}

void event_filter_explain(const struct event_filter *filter, struct event_output *output,
			  void (*say)(const char *text))
{
	struct explaining e = { .filter = filter, .output = output, .say = say };
	const char *path;

	if (!filter->asked)
		return;
	if (filter->provider)
		explain_provider(&e);
	if (filter->name && !e.said)
		explain_name(&e);
	for (size_t i = 0; filter->where && (path = where_path(filter->where, i)); i++)
		explain_field(&e, path, is_in_field);
	for (size_t i = 0; i < output->field_count; i++)
		explain_field(&e, output->fields[i], is_field);
	if (!filter->passed && !e.said)
		say(arena_printf(
			&output->arena, "no event passes the filters; without them there %s %s",
			filter->asked == 1 ? "is" : "are",
			figure_number_text(UNIT_COUNT, (double)filter->asked, &output->arena)));
}
