/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "clr/enums.h"
#include "library/trace_state.h"
#include "perfpipe/fields.h"

/* The slow path of pp_event_name(): the first event of its kind. */
static const char *make_name(struct pp_trace *trace, const struct pp_event *event)
{
	const char *volatile name = "";
	struct guard guard;

	trace->fields.used = true; /* so that pp_trace_next() fails, if this does */
	if (guard_enter(&guard, trace->heap, NULL))
		return name;
	if (!setjmp(guard.out))
		name = kind_names_of(&trace->names, event);
	guard_leave(&guard);
	return name;
}

const char *pp_event_name(struct pp_trace *trace, const struct pp_event *event)
{
	const char *known = kind_names_known(&trace->names, event);

	return known ? known : make_name(trace, event);
}

static const enum pp_value_kind kinds[] = {
	[VALUE_NULL] = PP_VALUE_NULL,	    [VALUE_BOOL] = PP_VALUE_BOOL,
	[VALUE_SIGNED] = PP_VALUE_SIGNED,   [VALUE_UNSIGNED] = PP_VALUE_UNSIGNED,
	[VALUE_ADDRESS] = PP_VALUE_ADDRESS, [VALUE_FLOAT] = PP_VALUE_REAL,
	[VALUE_DOUBLE] = PP_VALUE_REAL,	    [VALUE_TEXT] = PP_VALUE_TEXT,
	[VALUE_BYTES] = PP_VALUE_BYTES,	    [VALUE_GUID] = PP_VALUE_GUID,
	[VALUE_TIME] = PP_VALUE_TIME,	    [VALUE_OBJECT] = PP_VALUE_OBJECT,
	[VALUE_ARRAY] = PP_VALUE_ARRAY,	    [VALUE_END] = PP_VALUE_END,
};

static bool is_number(enum pp_value_kind kind)
{
	return (kind >= PP_VALUE_BOOL && kind <= PP_VALUE_ADDRESS) || kind == PP_VALUE_TIME;
}

/* Names of several bits are made in `text`, others are constants. */
static const char *symbol_of(const struct value *value, struct arena *texts)
{
	char text[VALUE_MAP_TEXT];
	const char *name = value_map_is_index(value->map)
				   ? NULL
				   : value_map_name(value->map, value->unsigned_number, text);

	return name == text ? arena_text(texts, text, strlen(text)) : name;
}

static void set_value(struct pp_value *to, const struct value *from, struct arena *texts)
{
	*to = (struct pp_value){ .kind = kinds[from->kind],
				 .name = from->name,
				 .error = from->error };
	if (is_number(to->kind)) {
		to->number = from->number;
		to->symbol = from->map ? symbol_of(from, texts) : NULL;
	} else if (to->kind == PP_VALUE_REAL) {
		to->real = from->real;
	} else if (to->kind == PP_VALUE_TEXT) {
		to->text = arena_text(texts, from->text, from->size);
		to->size = from->size;
	} else if (to->kind == PP_VALUE_BYTES || to->kind == PP_VALUE_GUID) {
		to->bytes = from->bytes;
		to->size = from->size;
	}
}

/* The next value of the payload may: texts are converted, and names of several bits put together.
 */
static bool takes_memory(const struct payload *payload)
{
	return !payload->flat || payload->next->value.map;
}

static bool next_value(struct payload *payload, struct pp_value *to, struct arena *texts)
{
	struct value value;

	if (!payload_next(payload, &value))
		return false;
	set_value(to, &value, texts);
	return true;
}

void trace_fields_forget(struct trace_fields *fields)
{
	fields->used = fields->walking = false;
	arena_clear(&fields->texts);
}

static const struct payload_plan *make_plan(struct pp_trace *trace, const struct pp_kind *kind)
{
	const struct payload_plan *volatile plan = NULL;
	struct guard guard;

	if (guard_enter(&guard, trace->heap, NULL))
		return NULL;
	if (!setjmp(guard.out))
		plan = plans_for(&trace->fields.plans, kind);
	guard_leave(&guard);
	return plan;
}

/* NULL if there is no memory for it. */
static const struct payload_plan *plan_of(struct pp_trace *trace, const struct pp_kind *kind)
{
	const struct plans *plans = &trace->fields.plans;

	if (kind->index < plans->count && plans->list[kind->index])
		return plans->list[kind->index];
	return make_plan(trace, kind);
}

static void begin(struct payload *payload, const struct pp_trace *trace,
		  const struct pp_event *event, const struct payload_plan *plan)
{
	payload_begin(payload, plan, event, pp_nettrace_header(trace->reader)->pointer_size);
}

/* A plan with another for narrow booleans is tried out on the whole payload, texts and all. */
static bool begin_trying(struct payload *payload, struct pp_trace *trace,
			 const struct pp_event *event, const struct payload_plan *plan)
{
	volatile bool began = false;
	struct guard guard;

	if (guard_enter(&guard, trace->heap, NULL))
		return false;
	if (!setjmp(guard.out)) {
		begin(payload, trace, event, plan);
		began = true;
	}
	guard_leave(&guard);
	return began;
}

/* False if there is no memory for it. */
static bool begin_payload(struct payload *payload, struct pp_trace *trace,
			  const struct pp_event *event)
{
	const struct payload_plan *plan = plan_of(trace, event->kind);

	trace->fields.used = true;
	if (!plan || plan->narrow)
		return plan && begin_trying(payload, trace, event, plan);
	begin(payload, trace, event, plan);
	return true;
}

/* The rest of the path inside the field; "" if it is the field itself, NULL if it is another. */
static const char *path_inside(const char *path, const char *name)
{
	while (*name && *name == *path) {
		name++;
		path++;
	}
	if (*name)
		return NULL;
	if (path[0] == '.' && path[1])
		return path + 1;
	return *path ? NULL : path;
}

static bool has_contents(const struct value *value)
{
	return value->kind == VALUE_OBJECT || value->kind == VALUE_ARRAY;
}

/* Where a search is: the rest of the path at each depth, or NULL where nothing can match. */
struct field_search {
	const char *rest[PLAN_DEEPEST + 1];
	size_t depth;
};

/* Elements of an array have no names: a path goes through them, to the first that matches. */
static bool search_step(struct field_search *search, const struct value *value)
{
	const char *rest = search->rest[search->depth];

	if (value->kind == VALUE_END) {
		assert(search->depth); /* ends come after what they end */
		search->depth--;
		return false;
	}
	if (rest && value->name)
		rest = path_inside(rest, value->name);
	if (rest && !*rest)
		return true;
	if (has_contents(value))
		search->rest[++search->depth] = rest;
	return false;
}

/* In the payload that has begun. */
static bool search_field(struct pp_trace *trace, const char *name, struct pp_value *found)
{
	struct field_search search;
	struct payload *payload = &trace->fields.one;
	struct value value;

	search.rest[0] = name;
	search.depth = 0;
	while (payload_next(payload, &value))
		if (search_step(&search, &value)) {
			set_value(found, &value, &trace->fields.texts);
			return true;
		}
	return false;
}

static bool find_field(struct pp_trace *trace, const char *name, struct pp_value *value)
{
	volatile bool found = false;
	struct guard guard;

	if (guard_enter(&guard, trace->heap, NULL))
		return false;
	if (!setjmp(guard.out))
		found = search_field(trace, name, value);
	guard_leave(&guard);
	return found;
}

/* Goes to that field of a flat payload, which has no fields in fields. */
static bool go_to_field(struct payload *payload, const char *name)
{
	const struct plan_field *field = payload->next;

	while (payload->flat && field->type != PLAN_END && strcmp(field->value.name, name) != 0)
		field++;
	if (!payload->flat || field->type == PLAN_END)
		return false;
	payload->next = field;
	return true;
}

bool pp_event_field(struct pp_trace *trace, const struct pp_event *event, const char *name,
		    struct pp_value *value)
{
	struct payload *payload = &trace->fields.one;

	*value = (struct pp_value){ 0 };
	if (!begin_payload(payload, trace, event))
		return false;
	if (go_to_field(payload, name) && !takes_memory(payload))
		return next_value(payload, value, &trace->fields.texts);
	return find_field(trace, name, value);
}

int64_t pp_event_number(struct pp_trace *trace, const struct pp_event *event, const char *name,
			int64_t otherwise)
{
	struct pp_value value;

	pp_event_field(trace, event, name, &value);
	return is_number(value.kind) ? value.number : otherwise;
}

double pp_event_real(struct pp_trace *trace, const struct pp_event *event, const char *name)
{
	struct pp_value value;

	pp_event_field(trace, event, name, &value);
	if (value.kind == PP_VALUE_REAL)
		return value.real;
	if (value.kind == PP_VALUE_UNSIGNED || value.kind == PP_VALUE_ADDRESS)
		return (double)(uint64_t)value.number;
	return is_number(value.kind) ? (double)value.number : NAN;
}

const char *pp_event_text(struct pp_trace *trace, const struct pp_event *event, const char *name)
{
	struct pp_value value;

	pp_event_field(trace, event, name, &value);
	return value.text;
}

void pp_fields_begin(struct pp_trace *trace, const struct pp_event *event)
{
	trace->fields.walking = begin_payload(&trace->fields.walk, trace, event);
}

static bool next_with_memory(struct pp_trace *trace, struct pp_value *value)
{
	volatile bool got = false;
	struct guard guard;

	if (guard_enter(&guard, trace->heap, NULL))
		return false;
	if (!setjmp(guard.out))
		got = next_value(&trace->fields.walk, value, &trace->fields.texts);
	guard_leave(&guard);
	return got;
}

bool pp_fields_next(struct pp_trace *trace, struct pp_value *value)
{
	struct trace_fields *fields = &trace->fields;

	if (fields->walking)
		fields->walking = takes_memory(&fields->walk)
					  ? next_with_memory(trace, value)
					  : next_value(&fields->walk, value, &fields->texts);
	if (!fields->walking)
		*value = (struct pp_value){ 0 };
	return fields->walking;
}
