/* SPDX-License-Identifier: MIT */
#include "report/diff_rows.h"

#include <math.h>
#include <string.h>

#include "report/figure_text.h"

/* One metric that changed, of the view itself or of a row. */
struct change_row {
	struct metric_pair pair; /* first: functions for pairs are for rows, too */
	const char *table;	 /* NULL: the view's own; so the name */
	const char *name;
	const char *group; /* for people: "types, bytes" */
	const char *shown; /* for people: the name, or the metric; or NULL: */
	const char *shown_method;
	struct result_rows others; /* of struct metric_pair: what else changed in the row */
};

_Static_assert(!offsetof(struct change_row, pair), "a row is a pair as well");

static const struct metric_pair *pair_of(const void *row)
{
	return row;
}

static void make_base_text(const void *row, struct result_value *value, struct arena *arena)
{
	value->text = figure_number_text(pair_of(row)->unit, pair_of(row)->before.value, arena);
}

static void make_new_text(const void *row, struct result_value *value, struct arena *arena)
{
	value->text = figure_number_text(pair_of(row)->unit, pair_of(row)->after.value, arena);
}

static void make_change_text(const void *row, struct result_value *value, struct arena *arena)
{
	value->text = figure_change_text(pair_of(row)->unit, pair_of(row)->change.value, arena);
}

static bool knows_noise(const void *row)
{
	return pair_of(row)->change.known;
}

static void make_noise_text(const void *row, struct result_value *value, struct arena *arena)
{
	value->text = figure_number_text(pair_of(row)->unit, pair_of(row)->noise, arena);
}

static void get_noise_word(const void *row, struct result_value *value)
{
	const struct metric_pair *pair = pair_of(row);

	value->text = pair->by_length  ? "length"
		      : pair->is_noise ? "noise"
		      : pair->unsure   ? "?"
				       : "";
}

static bool knows_beyond(const void *row)
{
	const struct metric_pair *pair = pair_of(row);

	return pair->change.known && !pair->unsure && !pair->by_length;
}

static void get_beyond_noise(const void *row, struct result_value *value)
{
	value->flag = !pair_of(row)->is_noise;
}

static void get_percent(const void *row, struct result_value *value)
{
	const struct metric_pair *pair = pair_of(row);

	value->known = metric_percent(pair->before.value, pair->after.value, &value->real);
}

/* What was not there before has no percentage. */
static void make_percent_text(const void *row, struct result_value *value, struct arena *arena)
{
	const struct metric_pair *pair = pair_of(row);
	double percent;

	if (!metric_percent(pair->before.value, pair->after.value, &percent))
		value->text = "new";
	else if (pair->after.value == 0)
		value->text = "gone";
	else
		value->text = arena_printf(arena, "%+.2f", percent);
}

static bool knows_base_error(const void *row)
{
	return pair_of(row)->before.known;
}

static bool knows_new_error(const void *row)
{
	return pair_of(row)->after.known;
}

static void get_base_interval(const void *row, struct result_value *value)
{
	value->real = estimate_noise(&pair_of(row)->before, ESTIMATE_ALARMS);
}

static void get_new_interval(const void *row, struct result_value *value)
{
	value->real = estimate_noise(&pair_of(row)->after, ESTIMATE_ALARMS);
}

#define PAIR struct metric_pair
#define ROW  struct change_row

/* clang-format off */
#define PAIR_FIELDS \
	FIELD(PAIR, name, "metric", NULL, UNIT_TEXT), \
	FIELD(PAIR, before.value, "base", NULL, UNIT_REAL), \
	FIELD(PAIR, after.value, "new", NULL, UNIT_REAL), \
	FIELD(PAIR, change.value, "change", NULL, UNIT_REAL), \
	COMPUTED("change_percent", NULL, UNIT_PERCENT, .get = get_percent), \
	FIELD(PAIR, noise, "noise", NULL, UNIT_REAL, .known = knows_noise), \
	COMPUTED("beyond_noise", NULL, UNIT_FLAG, .known = knows_beyond, .get = get_beyond_noise), \
	COMPUTED("base_interval", NULL, UNIT_REAL, .known = knows_base_error, .get = get_base_interval), \
	COMPUTED("new_interval", NULL, UNIT_REAL, .known = knows_new_error, .get = get_new_interval)
#define SHARE_FIELDS(share_title_, overweight_title_) \
	FIELD(PAIR, share, "responsibility_percent", share_title_, UNIT_PERCENT, \
	      .flags = SHOWN_IF_ANY, KNOWN_IF(PAIR, has_share)), \
	FIELD(PAIR, overweight, "overweight_percent", overweight_title_, UNIT_PERCENT, \
	      .flags = SHOWN_IF_ANY | SHOWN_IF_ROOM, KNOWN_IF(PAIR, has_overweight))
#define FOR_PEOPLE(key_, title_, ...) \
	COMPUTED(key_, title_, UNIT_TEXT, .flags = SHOWN_PEOPLE | RIGHT, .make = __VA_ARGS__)
/* clang-format on */

static const struct result_field other_fields[] = {
	PAIR_FIELDS,
	SHARE_FIELDS(NULL, NULL),
	FIELD_END,
};

static const struct result_field fields[] = {
	FIELD(ROW, table, "table", NULL, UNIT_TEXT),
	FIELD(ROW, name, "name", NULL, UNIT_TEXT),
	PAIR_FIELDS,
	FOR_PEOPLE("base_text", "Base", make_base_text),
	FOR_PEOPLE("new_text", "New", make_new_text),
	FOR_PEOPLE("change_text", "Change", make_change_text),
	FOR_PEOPLE("noise_text", "+/-", make_noise_text, .known = knows_noise),
	FOR_PEOPLE("percent_text", "%", make_percent_text),
	COMPUTED("noise_word", "", UNIT_TEXT, .flags = SHOWN_PEOPLE | SHOWN_IF_ANY,
		 .get = get_noise_word),
	SHARE_FIELDS("Resp %", "Over %"),
	FIELD(ROW, group, "group", "", UNIT_TEXT, .flags = SHOWN_PEOPLE | GROUPS),
	FIELD(ROW, shown, "shown", "Name", UNIT_TEXT, .flags = SHOWN_PEOPLE | SHOWN_IF_ANY | PATH),
	FIELD(ROW, shown_method, "shown_method", "Name", UNIT_TEXT,
	      .flags = SHOWN_PEOPLE | SHOWN_IF_ANY | METHOD),
	LIST(ROW, others, "others", NULL, SHAPE(other_fields)),
	FIELD_END,
};
const struct result_shape diff_change_shape = { fields, NULL };

static struct change_row row_of(struct diff *diff, const struct metric_row *row,
				const struct metric_pair *pair)
{
	const bool own = !*row->table;

	return (struct change_row){
		.pair = *pair,
		.table = own ? NULL : row->table,
		.name = *row->label ? row->label : NULL,
		.group = own ? "" : arena_printf(&diff->arena, "%s, %s", row->table, pair->name),
		.shown = own		  ? pair->name
			 : row->is_method ? NULL
					  : row->label,
		.shown_method = row->is_method ? row->label : NULL,
	};
}

struct result_rows diff_change_rows(struct diff *diff, size_t most)
{
	const struct metric_diff *changes = &diff->changes;
	struct change_row *rows;
	size_t count = changes->count;
	size_t of_table = 0;

	if (count)
		count += changes->rows[0].pair_count; /* of the view itself each is a row */
	rows = arena_array(&diff->arena, struct change_row, count + 1);
	count = 0;
	for (size_t i = 0; i < changes->count; i++) {
		const struct metric_change *change = &changes->rows[i];
		const bool own = !*change->row->table;

		if (i && change->table != change[-1].table)
			of_table = 0;
		for (size_t j = 0; j < (own ? change->pair_count : 1) && of_table < most; j++) {
			rows[count] = row_of(diff, change->row, &change->pairs[j]);
			if (!own)
				rows[count].others =
					ROWS_OF(change->pairs + 1, change->pair_count - 1);
			count++;
			of_table++;
		}
	}
	return ROWS_OF(rows, count);
}
