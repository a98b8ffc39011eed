/* SPDX-License-Identifier: MIT */
/*
 * result_shape.h - how a result's structs are declared: a table that names the fields of a struct
 * once, with key, title, unit and whether they identify a row or can be summed.
 *
 *	struct gc_result {
 *		int64_t pause_total_ns;
 *		struct result_rows gcs; (of struct gc)
 *	};
 *	static const struct result_field gc_fields[] = {
 *		FIELD(struct gc, pause_ns, "pause_ns", "Pause", UNIT_TIME, .flags = NOT_NEGATIVE),
 *		FIELD_END,
 *	};
 *	static const struct result_field fields[] = {
 *		LIST(struct gc_result, gcs, "gcs", NULL, SHAPE(gc_fields)),
 *		FIELD_END,
 *	};
 *
 * Keys. A time's key ends in _ns, a size's in bytes, a number that names something in _id, and the
 * largest of several has "max" or "peak" in it; other keys are counts, or say what they are. What a
 * time or size is the sum of is counted by the key beside it without that end, as `exclusive` of
 * `exclusive_ns`, or by `samples` or `count`.
 */
#ifndef REPORT_RESULT_SHAPE_H
#define REPORT_RESULT_SHAPE_H

#include "base/arena.h"
#include "report/result_display.h"
#include "report/result_value.h"

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
	TYPE_ROWS,    /* struct result_rows */
	TYPE_LINKED,  /* the first of a linked list */
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
	OPTIONAL = 1 << 5,	   /* left out of data if not known; a list without a `first` */

	/* how people see it */
	WIDE = 1 << 6,	   /* takes what room is left and is cut at its end; stands last */
	METHOD = 1 << 7,   /* wide: a method, whose own name is kept longest */
	PATH = 1 << 8,	   /* wide: a path, whose end is kept longest */
	RIGHT = 1 << 22,   /* a text that stands where numbers do: "+1.5 ms" */
	NO_ZERO = 1 << 29, /* people see nothing where it is 0 */
	STRONG = 1 << 28,  /* a flag: rows where it is set stand out */
	GROUPS = 1 << 9,   /* rows with the same text are a table of their own, with it as title */

	/* how it is compared; numbers are, but for ids and these */
	KEY = 1 << 10,	      /* identifies its row, together with others in their order */
	NAME = 1 << 21 | KEY, /* and comes first of them */
	MAIN = 1 << 11,	      /* what rows are compared by first */
	MOST = 1 << 12,	      /* of several rows the largest counts; others are summed up */
	WHEN = 1 << 13,	      /* a point in time or a place: nothing to compare */
	EXACT = 1 << 27,      /* a duration of the trace itself: off by its rundown at most */
	/* of an object or a list: of all in it; of a kind of result: of all its metrics */
	STEADY = 1 << 25, /* what is summed up does not grow with the length of the trace */
	ON_CPU = 1 << 26, /* CPU time, or samples of it: see report's `cpu_measured` */

	/* of lists, and of objects that have some */
	CSV = 1 << 14,	  /* what CSV has */
	NO_CSV = 1 << 30, /* CSV has none of the object's lists */
	SINGLE = 1 << 15, /* rows are single happenings, which another trace has others of */
	TREE = 1 << 16,	  /* `depth` indents what is METHOD */
	CARDS = 1 << 17, /* people see each row as lines and lists of its own, not as a table row */
	INSET = 1 << 18, /* people see each row as one line below the facts before it */
	MERGED = 1 << 19, /* rows without a name of their own, which are compared as one */

	/* what is not known */
	OR_NULL = 1 << 20,	/* an empty text */
	NOT_NEGATIVE = 1 << 24, /* a number below 0 */
};

struct result_shape;

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
	bool unless;			/* or is not, */
	size_t condition;		/* which lies here, beside it; see KNOWN_IF() */
	size_t link;			/* TYPE_LINKED: where a row has the pointer to the next */

	/* for a value that lies in no field; `make` is for texts and lists it makes in the arena */
	void (*get)(const void *row, struct result_value *value);
	void (*make)(const void *row, struct result_value *value, struct arena *arena);
	/* UNIT_MAP: the entry at `index`, or false past the last */
	bool (*entry)(const void *row, size_t index, struct result_entry *entry,
		      struct arena *arena);

	const char *map;	  /* UNIT_ENUM, UNIT_TEXTS: of clr/enums.h; or NULL: `names` */
	const char *const *names; /* UNIT_ENUM: by number */
	size_t name_count;	  /* of those */
	const struct result_shape *shape; /* UNIT_OBJECT, UNIT_LIST */
	const struct result_chart *chart; /* a list that people see drawn */
};

struct result_shape {
	const struct result_field *fields;
	const struct result_line *lines; /* NULL: a line for each titled value */
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
		 struct result_rows: TYPE_ROWS)

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
#define KNOWN_UNLESS(type_, member_) KNOWN_IF(type_, member_), .unless = true

/* A value that a function makes; after the unit follow .get and others. */
#define COMPUTED(key_, title_, ...)                                                                \
	{ .key = (key_), .title = (title_), .type = TYPE_COMPUTED, .unit = __VA_ARGS__ }

/* Rows that lie in a struct result_rows, in a linked list, or that .make finds. */
#define LIST(type_, member_, key_, title_, ...)                                                    \
	{ .key = (key_), .title = (title_), .type = TYPE_ROWS, .unit = UNIT_LIST,                  \
	  .offset = offsetof(type_, member_), .shape = __VA_ARGS__ }
#define LINKED_LIST(type_, member_, row_, link_, key_, ...)                                        \
	{ .key = (key_), .type = TYPE_LINKED, .unit = UNIT_LIST,                                   \
	  .offset = offsetof(type_, member_), .link = offsetof(row_, link_), .shape = __VA_ARGS__ }
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

/* The shape of an object without lines of its own. */
#define SHAPE(fields_) (&(const struct result_shape){ (fields_), NULL })

/* The field's value in that struct. Texts that are made live in the arena. */
struct result_value result_value_of(const struct result_field *field, const void *row,
				    struct arena *arena);

/* The field with that key; "all.count" is one of an object. Changes `*row` to its struct. */
const struct result_field *result_find(const struct result_shape *shape, const char *key,
				       const void **row);

/* The name of a UNIT_ENUM's number, or NULL; in the arena, or static. */
const char *result_enum_name(const struct result_field *field, int64_t number, struct arena *arena);

#endif
