/* SPDX-License-Identifier: MIT */
/*
 * result.h - what a view or a command found, as data that every output is rendered from.
 *
 * A result is a struct and its *shape*: a table that names the struct's fields once, with key,
 * title, unit and whether they identify a row or can be summed. Rows of lists are mostly the
 * analyses' own structs, so nothing is copied and nobody counts cells. Text, JSON, CSV, Markdown
 * and HTML (render.h), the JSON Schema (schema.h) and comparisons (metrics.h) all walk the shape.
 *
 *	struct gc_result {
 *		uint64_t count;
 *		int64_t pause_total_ns;
 *		struct result_rows collections;	(of struct gc)
 *	};
 *
 *	static const struct result_field gc_fields[] = {
 *		FIELD(struct gc, number, "number", "Number", UNIT_ID),
 *		FIELD(struct gc, pause_ns, "pause_ns", "Pause", UNIT_TIME, .known = has_pause),
 *		FIELD_END,
 *	};
 *	static const struct result_shape gc_shape = { .fields = gc_fields };
 *
 *	static const struct result_field fields[] = {
 *		FIELD(struct gc_result, count, "count", "Collections", UNIT_COUNT),
 *		FIELD(struct gc_result, pause_total_ns, "pause_total_ns", "Paused", UNIT_TIME),
 *		LIST(struct gc_result, collections, "collections", NULL, &gc_shape),
 *		FIELD_END,
 *	};
 *
 * Keys. A time's key ends in _ns, a size's in bytes, a number that names something in _id; what
 * has no such end is a count, or says what it is.
 */
#ifndef REPORT_RESULT_H
#define REPORT_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

#define RESULT_KEY_MOST 64 /* bytes of a key or a schema's name, with its NUL */

enum result_unit {
	UNIT_TEXT,
	UNIT_COUNT, /* of things */
	UNIT_ID,    /* a number that counts nothing */
	UNIT_TIME,  /* nanoseconds, as int64_t */
	UNIT_SIZE,  /* bytes, as int64_t: a difference may be negative */
	UNIT_PERCENT,
	UNIT_RATE, /* per second */
	UNIT_REAL,
	UNIT_FLAG,
	UNIT_ENUM,   /* a number with a name: KEY has the name, KEY_id the number */
	UNIT_TEXTS,  /* a list of texts; of a number with a `map`, the names of its bits */
	UNIT_MAP,    /* names and their values */
	UNIT_OBJECT, /* of another shape */
	UNIT_LIST,   /* of rows of another shape */
	UNIT_ANY,    /* the value says which */
};

/* How a field lies in its struct; see FIELD(). */
enum result_type {
	TYPE_COMPUTED,
	TYPE_BOOL,
	TYPE_U8,
	TYPE_U16,
	TYPE_U32,
	TYPE_U64,
	TYPE_I32,
	TYPE_I64,
	TYPE_DOUBLE,
	TYPE_TEXT,    /* const char *; NULL: not known */
	TYPE_CHARS,   /* char[]; "": not known */
	TYPE_LIST,    /* struct result_rows */
	TYPE_POINTER, /* to the object; NULL: not known */
	TYPE_INLINE,  /* the object itself */
};

enum result_flags {
	/* who sees it; without a title people do not */
	SHOWN_PEOPLE = 1 << 0,	   /* not in data */
	SHOWN_DATA = 1 << 1,	   /* not to people, although it has a title */
	SHOWN_IF_ANY = 1 << 2,	   /* to people only if some row has more than 0 or nothing there */
	SHOWN_IF_ROOM = 1 << 3,	   /* to people only if the line is long enough */
	SHOWN_BY_PROCESS = 1 << 4, /* only in results about several processes */
	SHOWN_ON_PAGE = 1 << 23,   /* of what is for people, only HTML has it */
	OPTIONAL = 1 << 5,	   /* a list that is left out of data where it has no `first` */

	/* how people see it */
	WIDE = 1 << 6,	 /* takes what room is left and is cut at its end; stands last */
	METHOD = 1 << 7, /* wide: a method, whose own name is kept longest */
	PATH = 1 << 8,	 /* wide: a path, whose end is kept longest */
	RIGHT = 1 << 22, /* a text that stands where numbers do: "+1.5 ms" */
	GROUPS = 1 << 9, /* rows with the same text are a table of their own, with it as title */

	/* how it is compared; numbers are, but for ids and these */
	KEY = 1 << 10,	      /* identifies its row, together with others in their order */
	NAME = 1 << 21 | KEY, /* and comes first of them */
	MAIN = 1 << 11,	      /* what rows are compared by first */
	MOST = 1 << 12,	      /* of several rows the largest counts; others are summed up */
	WHEN = 1 << 13,	      /* a point in time or a place: nothing to compare */

	/* of lists */
	CSV = 1 << 14,	  /* what CSV has */
	SINGLE = 1 << 15, /* rows are single happenings, which another trace has others of */
	TREE = 1 << 16,	  /* `depth` indents what is METHOD */
	CARDS = 1 << 17, /* people see each row as lines and lists of its own, not as a table row */
	INSET = 1 << 18, /* people see each row as one line below the facts before it */
	MERGED = 1 << 19, /* rows without a name of their own, which are compared as one */

	/* what is not known */
	OR_NULL = 1 << 20,	/* an empty text */
	NOT_NEGATIVE = 1 << 24, /* a number below 0 */
};

/* Rows of a list: structs in an array, or an array of pointers to them. */
struct result_rows {
	const void *first; /* NULL: see OPTIONAL */
	size_t count;
	size_t stride; /* bytes; 0: they are pointers */
	size_t total;  /* of which these are the first; 0: they are all */
};

struct result_value {
	enum result_unit unit;
	bool known;
	union {
		const char *text;
		uint64_t count; /* UNIT_COUNT */
		int64_t number; /* UNIT_ID, UNIT_TIME, UNIT_SIZE, UNIT_ENUM */
		double real;
		bool flag;
		const void *object;
		struct result_rows rows; /* UNIT_LIST; of UNIT_TEXTS texts */
	};
};

/* One of a UNIT_MAP. */
struct result_entry {
	const char *key;
	const char *title; /* for people, with %s where the value stands; NULL: "KEY VALUE" */
	struct result_value value;
};

struct result_shape;
struct result_chart;

struct result_field {
	const char *key;   /* NULL ends the fields */
	const char *title; /* for people; NULL: not shown to them */
	enum result_unit unit;
	unsigned flags; /* enum result_flags */
	enum result_type type;
	size_t offset;
	bool through;			/* the offset is in a struct that this one points to, */
	size_t through_offset;		/* by the pointer that lies here */
	bool (*known)(const void *row); /* NULL: always, but for texts and objects that are NULL */
	bool conditional;		/* also, only if a bool of the struct is set, */
	size_t condition;		/* which lies here, beside it; see KNOWN_IF() */

	/* for a value that lies in no field; texts it makes live in the arena */
	void (*get)(const void *row, struct result_value *value, struct arena *arena);
	/* UNIT_MAP: the entry at `index`, or false past the last */
	bool (*entry)(const void *row, size_t index, struct result_entry *entry,
		      struct arena *arena);

	const char *map;	  /* UNIT_ENUM, UNIT_TEXTS: of clr/enums.h; or NULL: `names` */
	const char *const *names; /* UNIT_ENUM: by number */
	size_t name_count;	  /* of those */
	const struct result_shape *shape; /* UNIT_OBJECT, UNIT_LIST */
	const struct result_chart *chart; /* a list that people see drawn */
};

/*
 * A line for people, made of an object's fields: {key} is the value, {key|one|many} the value and
 * a noun, and what stands in [brackets] is left out where one of its values is unknown or 0. A
 * line is left out where a value outside of brackets is not known, or `when` is unknown or 0.
 * Title and text may both have values.
 */
struct result_line {
	const char *title; /* NULL ends the lines */
	const char *text;
	const char *when; /* key of a field; or NULL */
	bool last;	  /* stands after all tables */
};

struct result_shape {
	const struct result_field *fields;
	const struct result_line *lines; /* NULL: a line for each titled value */
};

enum chart_kind {
	CHART_BARS,	/* a label and a count each */
	CHART_TIMELINE, /* series over time */
};

#define CHART_SERIES 2

struct result_chart {
	enum chart_kind kind;
	const char *title;
	const char *label; /* key of the label, or of the time */
	struct {
		const char *key;
		const char *title;
		char letter;	/* that draws it as text */
	} series[CHART_SERIES]; /* what is drawn last lies on top; a key of NULL ends them */
	const char *marks;	/* key of a count: where it is not 0 there is a mark; or NULL */
	const char *marks_title;
};

/* An output of the program, which has a schema: all its results have this shape. */
struct result_kind {
	const char *name;		  /* "report/gc"; NULL: it has no schema */
	unsigned version;		  /* of the schema */
	const char *summary;		  /* what it is: no capital, no full stop */
	const struct result_shape *head;  /* what it begins with, if others do so, too; or NULL */
	const struct result_shape *shape; /* all else */
	bool may_be_missing; /* it says `available`, and has nothing else where that is false */
	bool bare;	     /* a line of JSON lines, which does not say what it is */
};

struct result {
	const struct result_kind *kind;
	const char *title; /* for people, a line's part; or NULL */
	const char *file;  /* that it is about; or NULL */
	bool by_process;   /* it is about several processes */
	const void *head;  /* the data of the kind's head */
	const void *data;  /* of its shape; NULL: what it needs was not recorded */

	/* where that may be */
	const char *missing; /* "the trace has no samples" */
	const char *remedy;  /* the command that records it; or NULL */
};

/* clang-format off */
#define RESULT_TYPE_OF(type_, member_)                                                             \
	_Generic(((type_ *)0)->member_,                                                            \
		 bool: TYPE_BOOL,                                                                  \
		 uint8_t: TYPE_U8,                                                                 \
		 uint16_t: TYPE_U16,                                                               \
		 uint32_t: TYPE_U32,                                                               \
		 uint64_t: TYPE_U64,                                                               \
		 int32_t: TYPE_I32,                                                                \
		 int64_t: TYPE_I64,                                                                \
		 double: TYPE_DOUBLE,                                                              \
		 const char *: TYPE_TEXT,                                                          \
		 char *: TYPE_CHARS,                                                               \
		 struct result_rows: TYPE_LIST)

/* A field of a struct; after the unit may follow other members of struct result_field. */
#define FIELD(type_, member_, key_, title_, ...)                                                   \
	{ .key = (key_), .title = (title_), .type = RESULT_TYPE_OF(type_, member_),                \
	  .offset = offsetof(type_, member_), .unit = __VA_ARGS__ }

/* The same for a field of a struct that the row points to. */
#define FIELD_THROUGH(type_, pointer_, pointed_, member_, key_, title_, ...)                       \
	{ .key = (key_), .title = (title_), .type = RESULT_TYPE_OF(pointed_, member_),             \
	  .offset = offsetof(pointed_, member_), .through = true,                                  \
	  .through_offset = offsetof(type_, pointer_), .unit = __VA_ARGS__ }

/* Among those members: the value is known only where a bool of the struct is set. */
#define KNOWN_IF(type_, member_) .conditional = true, .condition = offsetof(type_, member_)

/* A value that a function makes; after the unit follow .get and others. */
#define COMPUTED(key_, title_, ...)                                                                \
	{ .key = (key_), .title = (title_), .type = TYPE_COMPUTED, .unit = __VA_ARGS__ }

/* Rows that lie in a struct result_rows, or that .get finds (with a `member_` of the type). */
#define LIST(type_, member_, key_, title_, ...)                                                    \
	{ .key = (key_), .title = (title_), .type = TYPE_LIST, .unit = UNIT_LIST,                  \
	  .offset = offsetof(type_, member_), .shape = __VA_ARGS__ }
#define COMPUTED_LIST(key_, title_, ...)                                                           \
	{ .key = (key_), .title = (title_), .type = TYPE_COMPUTED, .unit = UNIT_LIST,              \
	  .shape = __VA_ARGS__ }

/* Another object: inside this one, or pointed to. */
#define OBJECT(type_, member_, key_, ...)                                                          \
	{ .key = (key_), .type = TYPE_INLINE, .unit = UNIT_OBJECT,                                 \
	  .offset = offsetof(type_, member_), .shape = __VA_ARGS__ }
#define OBJECT_AT(type_, member_, key_, ...)                                                       \
	{ .key = (key_), .type = TYPE_POINTER, .unit = UNIT_OBJECT,                                \
	  .offset = offsetof(type_, member_), .shape = __VA_ARGS__ }

#define FIELD_END { 0 }
/* clang-format on */

/* An array of structs, an array of pointers, as rows. */
#define ROWS_OF(array_, count_)                                                                    \
	((struct result_rows){ .first = (array_), .count = (count_), .stride = sizeof(*(array_)) })
#define ROWS_AT(pointers_, count_) ((struct result_rows){ .first = (pointers_), .count = (count_) })

/* At most `most` of the rows. */
struct result_rows result_rows_first(struct result_rows rows, size_t most);

static inline const void *result_row(const struct result_rows *rows, size_t index)
{
	if (rows->stride)
		return (const char *)rows->first + index * rows->stride;
	return ((const void *const *)rows->first)[index];
}

/* The field's value in that struct. Texts that are made live in the arena. */
struct result_value result_value_of(const struct result_field *field, const void *row,
				    struct arena *arena);

/* The field with that key; "all.count" is one of an object. Changes `*row` to its struct. */
const struct result_field *result_find(const struct result_shape *shape, const char *key,
				       const void **row);

/* The name of a UNIT_ENUM's number, or NULL; in the arena or for ever. */
const char *result_enum_name(const struct result_field *field, int64_t number, struct arena *arena);

/* Known, and not 0, false or "". */
bool result_value_says_something(const struct result_value *value);

/* A number as a real, for those that compare and draw; 0 if it is none. */
double result_value_real(const struct result_value *value);

/* Whether a field is shown to people, or is in data, of this result. */
bool result_is_for_people(const struct result *result, const struct result_field *field);
bool result_is_data(const struct result *result, const struct result_field *field);

#endif
