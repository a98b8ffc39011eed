/* SPDX-License-Identifier: MIT */
#include "report/diff.h"

#include <stdio.h>
#include <string.h>

#include "analyze/call_diff.h"
#include "base/text.h"
#include "report/figure_text.h"
#include "report/methods.h"

#define ROWS	 25
#define SMALLEST 2.0 /* percent of the whole change that people are shown */

struct diff_side {
	const char *file;
	bool available;
	uint64_t events_lost;
	uint64_t samples_unresolved;
	bool complete;
};

static const struct result_field side_fields[] = {
	FIELD(struct diff_side, file, "file", NULL, UNIT_TEXT),
	FIELD(struct diff_side, available, "available", NULL, UNIT_FLAG),
	FIELD(struct diff_side, events_lost, "events_lost", NULL, UNIT_COUNT),
	FIELD(struct diff_side, samples_unresolved, "samples_unresolved", NULL, UNIT_COUNT),
	FIELD(struct diff_side, complete, "complete", NULL, UNIT_FLAG),
	FIELD_END,
};
static const struct result_line no_lines[] = { { 0 } };
static const struct result_shape side_shape = { side_fields, no_lines };

/* One metric that changed. */
struct change_row {
	const char *table; /* NULL: the view's own; so the name */
	const char *name;
	const char *metric;
	const char *group; /* for people: "types, bytes" */
	const char *shown; /* for people: the name, or the metric; or NULL: */
	const char *shown_method;
	enum result_unit unit;
	double base, changed;
	bool is_main; /* what such rows are compared by first */
};

static void make_base_text(const void *row, struct result_value *value, struct arena *arena)
{
	const struct change_row *change = row;

	value->text = figure_number_text(change->unit, change->base, arena);
}

static void make_new_text(const void *row, struct result_value *value, struct arena *arena)
{
	const struct change_row *change = row;

	value->text = figure_number_text(change->unit, change->changed, arena);
}

static void make_change_text(const void *row, struct result_value *value, struct arena *arena)
{
	const struct change_row *change = row;

	value->text = figure_change_text(change->unit, change->changed - change->base, arena);
}

static void get_change(const void *row, struct result_value *value)
{
	const struct change_row *change = row;

	value->real = change->changed - change->base;
}

static void get_percent(const void *row, struct result_value *value)
{
	const struct change_row *change = row;

	value->known = metric_percent(change->base, change->changed, &value->real);
}

/* What was not there before has no percentage. */
static void make_percent_text(const void *row, struct result_value *value, struct arena *arena)
{
	const struct change_row *change = row;
	double percent;

	if (!metric_percent(change->base, change->changed, &percent))
		value->text = "new";
	else if (change->changed == 0)
		value->text = "gone";
	else
		value->text = arena_printf(arena, "%+.2f", percent);
}

#define ROW struct change_row

static const struct result_field change_fields[] = {
	FIELD(ROW, table, "table", NULL, UNIT_TEXT),
	FIELD(ROW, name, "name", NULL, UNIT_TEXT),
	FIELD(ROW, metric, "metric", NULL, UNIT_TEXT),
	FIELD(ROW, base, "base", NULL, UNIT_REAL),
	FIELD(ROW, changed, "new", NULL, UNIT_REAL),
	COMPUTED("change", NULL, UNIT_REAL, .get = get_change),
	COMPUTED("change_percent", NULL, UNIT_PERCENT, .get = get_percent),
	COMPUTED("base_text", "Base", UNIT_TEXT, .flags = SHOWN_PEOPLE | RIGHT,
		 .make = make_base_text),
	COMPUTED("new_text", "New", UNIT_TEXT, .flags = SHOWN_PEOPLE | RIGHT,
		 .make = make_new_text),
	COMPUTED("change_text", "Change", UNIT_TEXT, .flags = SHOWN_PEOPLE | RIGHT,
		 .make = make_change_text),
	COMPUTED("percent_text", "%", UNIT_TEXT, .flags = SHOWN_PEOPLE | RIGHT,
		 .make = make_percent_text),
	FIELD(ROW, group, "group", "", UNIT_TEXT, .flags = SHOWN_PEOPLE | GROUPS),
	FIELD(ROW, shown, "shown", "Name", UNIT_TEXT, .flags = SHOWN_PEOPLE | SHOWN_IF_ANY | PATH),
	FIELD(ROW, shown_method, "shown_method", "Name", UNIT_TEXT,
	      .flags = SHOWN_PEOPLE | SHOWN_IF_ANY | METHOD),
	FIELD_END,
};

struct method_change {
	struct call_change change;
	const char *name;
	const char *module;
	const char *text;
};

#undef ROW
#define ROW struct method_change

static const struct result_field method_fields[] = {
	FIELD(ROW, change.interest, "interest", "Interest", UNIT_ID),
	FIELD(ROW, change.responsibility, "responsibility_percent", "Resp %", UNIT_PERCENT,
	      KNOWN_IF(struct method_change, change.has_responsibility)),
	FIELD(ROW, change.overweight, "overweight_percent", "Over %", UNIT_PERCENT,
	      KNOWN_IF(struct method_change, change.has_overweight)),
	FIELD(ROW, change.inclusive_ns, "inclusive_change_ns", "Incl change", UNIT_TIME),
	FIELD(ROW, change.exclusive_ns, "exclusive_change_ns", "Excl change", UNIT_TIME),
	FIELD(ROW, change.inclusive, "inclusive_change", NULL, UNIT_ID),
	FIELD(ROW, change.exclusive, "exclusive_change", NULL, UNIT_ID),
	FIELD(ROW, change.before.inclusive.ns, "base_inclusive_ns", NULL, UNIT_TIME),
	FIELD(ROW, change.after.inclusive.ns, "new_inclusive_ns", NULL, UNIT_TIME),
	FIELD(ROW, change.before.exclusive.ns, "base_exclusive_ns", NULL, UNIT_TIME),
	FIELD(ROW, change.after.exclusive.ns, "new_exclusive_ns", NULL, UNIT_TIME),
	FIELD(ROW, name, "name", NULL, UNIT_TEXT),
	FIELD(ROW, module, "module", NULL, UNIT_TEXT),
	FIELD(ROW, text, "text", "Method", UNIT_TEXT, .flags = SHOWN_PEOPLE | METHOD),
	FIELD_END,
};

struct condition_row {
	const struct diff_condition *made;
	const char *text; /* for people */
};

static const struct condition_result *result_of(const void *row)
{
	return &((const struct condition_row *)row)->made->result;
}

static void get_condition_change(const void *row, struct result_value *value)
{
	value->real = result_of(row)->after - result_of(row)->before;
}

static void get_condition_percent(const void *row, struct result_value *value)
{
	value->known = metric_percent(result_of(row)->before, result_of(row)->after, &value->real);
}

#undef ROW
#define ROW struct condition_row

/* clang-format off */
#define CONDITION(member_, key_, ...) \
	FIELD_THROUGH(ROW, made, struct diff_condition, member_, key_, NULL, __VA_ARGS__)
/* clang-format on */

static const struct result_field condition_fields[] = {
	CONDITION(condition.text, "condition", UNIT_TEXT),
	CONDITION(result.holds, "holds", UNIT_FLAG),
	CONDITION(condition.view, "view", UNIT_TEXT),
	CONDITION(result.metric, "metric", UNIT_TEXT),
	CONDITION(result.rows, "rows", UNIT_COUNT),
	CONDITION(result.before, "base", UNIT_REAL),
	CONDITION(result.after, "new", UNIT_REAL),
	COMPUTED("change", NULL, UNIT_REAL, .get = get_condition_change),
	COMPUTED("change_percent", NULL, UNIT_PERCENT, .get = get_condition_percent),
	FIELD(ROW, text, "text", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD_END,
};
static const struct result_shape condition_shape = { condition_fields, LINES({ "Failed", "{text}",
									       "holds", false }) };

struct diff_result {
	const char *view;
	bool available; /* both sides are */
	struct diff_side base, changed;
	const char *base_text, *changed_text; /* for people */
	const char *note;		      /* the same; or NULL */
	const char *missing, *remedy;	      /* where neither side has data; or NULL */
	struct result_rows changes, shown_changes, methods, conditions;
};

#define RESULT struct diff_result

static const struct result_field fields[] = {
	FIELD(RESULT, view, "view", NULL, UNIT_TEXT),
	FIELD(RESULT, available, "available", NULL, UNIT_FLAG),
	OBJECT(RESULT, base, "base", &side_shape),
	OBJECT(RESULT, changed, "new", &side_shape),
	FIELD(RESULT, base_text, "base_text", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD(RESULT, changed_text, "new_text", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD(RESULT, note, "note", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD(RESULT, missing, "missing", NULL, UNIT_TEXT),
	FIELD(RESULT, remedy, "remedy", NULL, UNIT_TEXT),
	LIST(RESULT, methods, "methods", "", SHAPE(method_fields), .flags = OPTIONAL | CSV),
	LIST(RESULT, shown_changes, "shown_changes", "", SHAPE(change_fields),
	     .flags = SHOWN_PEOPLE),
	LIST(RESULT, changes, "changes", NULL, SHAPE(change_fields), .flags = CSV),
	LIST(RESULT, conditions, "conditions", "", &condition_shape, .flags = CARDS),
	FIELD_END,
};

static const struct result_line lines[] = {
	{ "Base", "{base_text}", NULL, false },
	{ "New", "{new_text}", NULL, false },
	{ "Note", "{note}", NULL, false },
	{ "Not recorded", "in either trace: {missing}[; to record it: {remedy}]", NULL, false },
	{ 0 },
};
static const struct result_shape shape = { fields, lines };

const struct result_kind diff_kind = {
	.name = "diff",
	.version = 1,
	.summary = "a view of two traces compared",
	.shape = &shape,
};

void view_pair_measure(struct view_pair *pair)
{
	pair->before = metrics_of(&pair->base.result);
	pair->after = metrics_of(&pair->changed.result);
}

void view_pair_release(struct view_pair *pair)
{
	metrics_release(&pair->before);
	metrics_release(&pair->after);
	report_close(&pair->base);
	report_close(&pair->changed);
}

void diff_init(struct diff *diff, const struct view_pair *pair, const struct report_setup *setup)
{
	*diff = (struct diff){ .pair = pair, .setup = *setup };
	diff->changes = metric_diff_of(&pair->before, &pair->after);
}

void diff_add_condition(struct diff *diff, const struct condition *condition,
			const struct condition_result *result)
{
	if (diff->condition_count == DIFF_CONDITIONS)
		return;
	diff->conditions[diff->condition_count++] = (struct diff_condition){ *condition, *result };
	diff->failed |= result->holds;
}

void diff_release(struct diff *diff)
{
	metric_diff_release(&diff->changes);
	arena_release(&diff->arena);
}

const char *diff_condition_text(const struct diff_condition *condition, struct arena *arena)
{
	const struct condition_result *result = &condition->result;
	struct buffer text = { 0 };
	double percent;

	buffer_printf(&text, "%s: %s became %s", text_safe(arena, condition->condition.text),
		      figure_number_text(result->unit, result->before, arena),
		      figure_number_text(result->unit, result->after, arena));
	if (metric_percent(result->before, result->after, &percent))
		buffer_printf(&text, ", %+.2f %%", percent);
	if (result->rows)
		buffer_printf(&text, " (%s %s, %s)", text_count(result->rows).text,
			      result->rows == 1 ? "row" : "rows", text_safe(arena, result->metric));
	return buffer_keep(&text, arena);
}

static struct diff_side side_of(const struct report *report, const struct metrics *metrics)
{
	const struct model_losses *losses = &report->model.losses;

	return (struct diff_side){
		.file = report->setup.file,
		.available = metrics->available,
		.events_lost = losses->events,
		.samples_unresolved = losses->samples_unresolved,
		.complete = !losses->cut,
	};
}

static const char *side_text(struct diff *diff, const struct diff_side *side)
{
	struct buffer text = { 0 };

	buffer_text(&text, text_safe(&diff->arena, side->file));
	if (side->events_lost)
		buffer_printf(&text, ", %s events lost", text_count(side->events_lost).text);
	if (!side->complete)
		buffer_text(&text, ", not complete");
	return buffer_keep(&text, &diff->arena);
}

/* What is compared, and with what, where one side has nothing. */
static const char *note_of(struct diff *diff)
{
	if (diff->pair->before.available && diff->pair->after.available)
		return diff->changes.count ? NULL : "nothing changed";
	if (diff->pair->before.available || diff->pair->after.available)
		return arena_printf(&diff->arena,
				    "%s has no data for %s; what is missing counts as 0",
				    diff->pair->before.available ? "New" : "Base",
				    diff->pair->changed.view->name);
	return NULL;
}

static void add_change(struct diff *diff, struct change_row *rows, size_t *count,
		       const struct metric_row *row, const struct metric_pair *pair)
{
	const bool own = !*row->table;
	const char *main = metric_main(row);

	rows[(*count)++] = (struct change_row){
		.table = own ? NULL : row->table,
		.name = *row->label ? row->label : NULL,
		.metric = pair->name,
		.group = own ? "" : arena_printf(&diff->arena, "%s, %s", row->table, pair->name),
		.shown = own		  ? pair->name
			 : row->is_method ? NULL
					  : row->label,
		.shown_method = row->is_method ? row->label : NULL,
		.unit = pair->unit,
		.base = pair->before,
		.changed = pair->after,
		.is_main = main && !strcmp(main, pair->name),
	};
}

/* Every metric that changed is a row. */
static struct result_rows all_changes(struct diff *diff)
{
	struct change_row *rows;
	struct metric_pair pair;
	size_t most = 0;
	size_t count = 0;

	for (size_t i = 0; i < diff->changes.count; i++)
		for (size_t j = 0; metric_change_pair(&diff->changes.rows[i], j, &pair); j++)
			most++;
	rows = arena_array(&diff->arena, struct change_row, most + 1);
	for (size_t i = 0; i < diff->changes.count; i++)
		for (size_t j = 0; metric_change_pair(&diff->changes.rows[i], j, &pair); j++)
			if (pair.before != pair.after)
				add_change(diff, rows, &count,
					   metric_change_row(&diff->changes.rows[i]), &pair);
	return ROWS_OF(rows, count);
}

/* For people: of the view all metrics, of rows what they are compared by, `most` of each table. */
static struct result_rows main_changes(struct diff *diff, const struct result_rows *all,
				       size_t most)
{
	const struct change_row **rows =
		arena_array(&diff->arena, const struct change_row *, all->count + 1);
	size_t count = 0;
	size_t of_table = 0;
	const char *table = NULL;

	for (size_t i = 0; i < all->count; i++) {
		const struct change_row *row = result_row(all, i);

		if (row->table && (!table || strcmp(table, row->table) != 0)) {
			of_table = 0;
			table = row->table;
		}
		if (!row->table || (row->is_main && of_table++ < most))
			rows[count++] = row;
	}
	return ROWS_AT(rows, count);
}

static bool is_shown(const struct diff *diff, const struct call_change *change)
{
	if (!diff->setup.brief || diff->setup.rows != REPORT_ROWS_UNSET)
		return true;
	return !change->has_responsibility || change->responsibility >= SMALLEST ||
	       change->responsibility <= -SMALLEST;
}

/* Methods with the over-weight of each; the trees are the reports' own. */
static struct result_rows method_changes(struct diff *diff, const struct calltree *base,
					 const struct calltree *changed)
{
	struct call_diff compared = call_diff_of(base, changed);
	struct method_change *rows =
		arena_array(&diff->arena, struct method_change, compared.count + 1);
	const size_t most = report_setup_rows(&diff->setup, ROWS);
	size_t count = 0;

	for (size_t i = 0; i < compared.count && count < most; i++) {
		const struct call_change *change = &compared.rows[i];

		if (!is_shown(diff, change))
			continue;
		rows[count++] = (struct method_change){
			.change = *change,
			.name = change->name->name,
			.module = change->name->module,
			.text = !change->name->module
					? change->name->full
					: arena_printf(&diff->arena, "%s [%s]", change->name->name,
						       change->name->module),
		};
	}
	call_diff_release(&compared);
	return ROWS_OF(rows, count);
}

static struct result_rows condition_rows(struct diff *diff)
{
	struct condition_row *rows =
		arena_array(&diff->arena, struct condition_row, diff->condition_count + 1);

	for (size_t i = 0; i < diff->condition_count; i++)
		rows[i] = (struct condition_row){
			&diff->conditions[i],
			diff_condition_text(&diff->conditions[i], &diff->arena),
		};
	return ROWS_OF(rows, diff->condition_count);
}

void diff_build(struct diff *diff)
{
	const struct report_view *view = diff->pair->changed.view;
	const struct calltree *base = diff->pair->base.main_tree;
	const struct calltree *changed = diff->pair->changed.main_tree;
	const struct result_rows changes = all_changes(diff);
	struct diff_result *result = arena_new(&diff->arena, struct diff_result);

	*result = (struct diff_result){
		.view = view->name,
		.available = diff->pair->before.available && diff->pair->after.available,
		.base = side_of(&diff->pair->base, &diff->pair->before),
		.changed = side_of(&diff->pair->changed, &diff->pair->after),
		.note = note_of(diff),
		.changes = result_rows_first(changes, report_setup_rows(&diff->setup, SIZE_MAX)),
		.conditions = condition_rows(diff),
	};
	result->base_text = side_text(diff, &result->base);
	result->changed_text = side_text(diff, &result->changed);
	if (!result->base.available && !result->changed.available) {
		result->missing = view->missing;
		result->remedy = view->remedy;
	}
	if (base && changed)
		result->methods = method_changes(diff, base, changed);
	result->shown_changes = main_changes(
		diff, &changes, result->methods.first ? 0 : report_setup_rows(&diff->setup, ROWS));
	diff->result = (struct result){
		.kind = &diff_kind,
		.title = arena_printf(&diff->arena, "diff: %s", view->summary),
		.data = result,
	};
}
