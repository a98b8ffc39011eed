/* SPDX-License-Identifier: MIT */
/*
 * Plans from the field strings of the runtime's table, which src/clr/events.tsv explains. Within
 * brackets fields are separated by ";" instead of ",".
 *
 *	Count:u16,Count*[Index:u16;_pad:u16;Count:u32;Size:ptr]
 *
 * The name before "*[" refers to an earlier field of the same list, or else of the lists around it.
 */
#include <string.h>

#include "base/array.h"
#include "clr/enums.h"
#include "clr/events.h"
#include "payload/plan_make.h"
#include "payload/value.h"

struct text {
	const char *at;
	const char *end;
};

/* The list being made, and those around it. */
struct scope {
	struct plan_field *fields;
	size_t count; /* fields made so far */
	struct scope *outer;
};

struct row_maker {
	struct arena *arena;
	const char *maps; /* "Reason=GCReason,..." */
	uint8_t slots;
	bool dynamic; /* the layout of its bytes depends on its Name */
	bool failed;
};

static const struct {
	const char *name;
	enum plan_type type;
} types[] = {
	{ "u8", PLAN_U8 },	 { "u16", PLAN_U16 },	  { "u32", PLAN_U32 },
	{ "u64", PLAN_U64 },	 { "i8", PLAN_I8 },	  { "i16", PLAN_I16 },
	{ "i32", PLAN_I32 },	 { "i64", PLAN_I64 },	  { "f32", PLAN_F32 },
	{ "f64", PLAN_F64 },	 { "guid", PLAN_GUID },	  { "bool32", PLAN_BOOL32 },
	{ "bool8", PLAN_BOOL8 }, { "ptr", PLAN_POINTER }, { "utf16z", PLAN_UTF16Z },
	{ "ansiz", PLAN_UTF8Z }, { "utf8z", PLAN_UTF8Z }, { "palign", PLAN_ALIGN },
};

/* Fields of pointer size or 64 bits that are addresses; others are sizes, counts and times. */
static const char *const addresses[] = {
	"Address",
	"AppDomainID",
	"AssemblyID",
	"AssociatedObjectID",
	"BindingID",
	"COMInterfacePointer",
	"EntryEIP",
	"EntryPoint",
	"ExceptionEIP",
	"FailedEIP",
	"GCKeyNodeID",
	"GCRootID",
	"GCValueNodeID",
	"HandleID",
	"ID",
	"IUnknown",
	"LoaderHeapPtr",
	"LoaderModuleID",
	"LockID",
	"ManagedThreadID",
	"Max",
	"MemoryAddress",
	"MethodID",
	"MethodStartAddress",
	"Min",
	"ModuleID",
	"ModuleId",
	"NativeOverlapped",
	"NewRangeBase",
	"ObjectID",
	"OldRangeBase",
	"Overlapped",
	"PlugEnd",
	"PlugStart",
	"RangeBase",
	"RangeStart",
	"RootedNodeAddress",
	"Stack",
	"StubMethodID",
	"TypeID",
	"TypeParameters",
	"VTable",
	"Value",
	"WorkID",
};

static struct text text_of(const char *text)
{
	return (struct text){ text, text + strlen(text) };
}

static bool is_word(struct text text, const char *word)
{
	const size_t size = (size_t)(text.end - text.at);

	return size == strlen(word) && !memcmp(text.at, word, size);
}

static bool is_address(struct text name)
{
	for (size_t i = 0; i < ARRAY_COUNT(addresses); i++)
		if (is_word(name, addresses[i]))
			return true;
	return false;
}

/* Takes the text up to the first of `stops` outside brackets, or all; skips that character. */
static struct text take_until(struct text *text, const char *stops)
{
	struct text taken = { text->at, text->at };
	int brackets = 0;

	while (taken.end < text->end && (brackets || !strchr(stops, *taken.end))) {
		brackets += (*taken.end == '[') - (*taken.end == ']');
		taken.end++;
	}
	text->at = taken.end < text->end ? taken.end + 1 : taken.end;
	return taken;
}

static size_t count_items(struct text text)
{
	size_t count = 0;

	for (; text.at < text.end; count++)
		take_until(&text, ",;");
	return count;
}

static const char *keep(struct row_maker *m, struct text name)
{
	return arena_text(m->arena, name.at, (size_t)(name.end - name.at));
}

static const struct value_map *map_of(struct row_maker *m, struct text field)
{
	struct text maps = text_of(m->maps);

	while (maps.at < maps.end) {
		struct text pair = take_until(&maps, ",");
		const struct text name = take_until(&pair, "=");

		if (field.end - field.at == name.end - name.at &&
		    !memcmp(field.at, name.at, (size_t)(name.end - name.at)))
			return value_map_find(keep(m, pair));
	}
	return NULL;
}

/* The slot of the count with this name; the field that holds it becomes a PLAN_COUNT. */
static uint8_t slot_of(struct row_maker *m, struct scope *scope, struct text name)
{
	for (; scope; scope = scope->outer)
		for (size_t i = scope->count; i-- > 0;) {
			struct plan_field *field = &scope->fields[i];

			if (!field->value.name || !is_word(name, field->value.name))
				continue;
			if (field->type != PLAN_COUNT && m->slots < PLAN_COUNTS) {
				field->type = PLAN_COUNT;
				field->slot = m->slots++;
			}
			m->failed |=
				field->type != PLAN_COUNT || field->value.kind != VALUE_UNSIGNED;
			return field->slot;
		}
	m->failed = true;
	return 0;
}

static struct plan_field scalar(struct row_maker *m, struct text name, struct text type)
{
	const size_t count = ARRAY_COUNT(types);
	size_t i = 0;

	while (i < count && !is_word(type, types[i].name))
		i++;
	m->failed |= i == count;

	struct plan_field field = plan_field_of(i < count ? types[i].type : PLAN_REST, NULL);

	if (field.type == PLAN_POINTER || field.type == PLAN_U64)
		field.value.kind = is_address(name) ? VALUE_ADDRESS : VALUE_UNSIGNED;
	if (is_word(name, "_pad") && field.type != PLAN_ALIGN)
		field.type = PLAN_FILLER;
	field.value.map = map_of(m, name);
	return field;
}

/* An array of `element`, with the count in `slot`. */
static struct plan_field counted(struct row_maker *m, struct plan_field element, uint8_t slot)
{
	struct plan_field field = plan_field_of(PLAN_COUNTED, NULL);
	struct plan_field *inner = plan_list(m->arena, 1);

	inner[0] = element;
	field.inner = inner;
	field.slot = slot;
	/* a map of positions belongs to the array, one of values to its elements */
	if (element.value.map && value_map_is_index(element.value.map)) {
		field.value.map = element.value.map;
		inner[0].value.map = NULL;
	}
	return field;
}

static struct plan_field make_list(struct row_maker *m, struct scope *scope, struct text text);

/* "F*[a:t]" is an array named a; "F*[a:t;b:t]" is an array of records named Values. */
static struct plan_field records(struct row_maker *m, struct scope *scope, struct text item)
{
	const struct text count = take_until(&item, "*");
	const struct text inside = { item.at + 1, item.end - 1 };
	const uint8_t slot = slot_of(m, scope, count);
	struct scope inner = { .outer = scope };
	struct plan_field record = make_list(m, &inner, inside);
	const char *name = "Values";

	if (inner.count == 1) {
		name = record.inner[0].value.name;
		record = record.inner[0];
		record.value.name = NULL;
	}
	record = counted(m, record, slot);
	record.value.name = name;
	return record;
}

/* The layout depends on the event's Name: one object per known row. */
static struct plan_field dynamic(struct row_maker *m, uint8_t slot)
{
	struct plan_field field = plan_field_of(PLAN_DYNAMIC, NULL);
	uint32_t count;
	const struct clr_event *rows = clr_dynamic_rows(&count);
	struct plan_field *inner = plan_list(m->arena, count);

	for (size_t i = 0; i < count; i++) {
		struct row_maker within = { .arena = m->arena, .maps = clr_text(rows[i].maps) };
		struct scope scope = { 0 };

		inner[i] = make_list(&within, &scope, text_of(clr_text(rows[i].fields)));
		m->failed |= within.failed;
	}
	field.inner = inner;
	field.slot = slot;
	return field;
}

/* "Data:binary[DataSize]" */
static struct plan_field binary(struct row_maker *m, struct scope *scope, struct text type)
{
	uint8_t slot;

	take_until(&type, "[");
	type.end--;
	slot = slot_of(m, scope, type);
	return m->dynamic ? dynamic(m, slot) : counted(m, plan_field_of(PLAN_U8, NULL), slot);
}

static struct plan_field make_item(struct row_maker *m, struct scope *scope, struct text item)
{
	struct text type = item;
	const struct text name = take_until(&type, ":");
	struct plan_field field;

	if (type.at == type.end)
		return records(m, scope, item);
	if (type.end[-1] == ']')
		field = binary(m, scope, type);
	else
		field = scalar(m, name, type);
	field.value.name = keep(m, name);
	return field;
}

static struct plan_field make_list(struct row_maker *m, struct scope *scope, struct text text)
{
	const size_t count = count_items(text);
	struct plan_field object = plan_field_of(PLAN_OBJECT, NULL);

	scope->fields = plan_list(m->arena, count);
	while (scope->count < count) {
		const struct plan_field field = make_item(m, scope, take_until(&text, ",;"));

		scope->fields[scope->count++] = field;
	}
	object.inner = scope->fields;
	plan_measure(&object);
	return object;
}

int plan_from_row(struct payload_plan *plan, const struct clr_event *row, struct arena *arena)
{
	struct row_maker m = { .arena = arena,
			       .maps = clr_text(row->maps),
			       .dynamic = !strcmp(clr_text(row->symbol), "GCDynamicEvent") };
	struct scope scope = { 0 };

	make_list(&m, &scope, text_of(clr_text(row->fields)));
	*plan = (struct payload_plan){ .slots = m.slots };
	plan_set_fields(plan, scope.fields);
	return m.failed ? -1 : 0;
}
