/* SPDX-License-Identifier: MIT */
/*
 * There are two sources of names, and they render opcodes differently:
 *
 *   known events     table "GC/Stop", opcode 2; with opcode 8 "GC/Suspend", with 18
 *                    "GC/Opcode(18)", with 0 "GC"
 *   from metadata    "TestEvent3" and opcode 24 give "TestEvent3/24"; a label with another
 *                    opcode, 18, gives "TestEvent3/Opcode(18)"
 *
 * This is what TraceEvent does, and people search for the names it prints.
 */
#include "clr/event_name.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "clr/events.h"
#include "clr/providers.h"

enum opcode {
	OPCODE_UNSET = -1,
	OPCODE_INFO, /* never shown */
	OPCODE_START,
	OPCODE_STOP,
	OPCODES_NAMED = 10,
};

/* The first are for an opcode from the metadata itself, the second for all others. */
static const char *const metadata_opcodes[OPCODES_NAMED] = {
	"",
	"Start",
	"Stop",
	"DataCollectionStart",
	"DataCollectionStop",
	"Extension",
	"Reply",
	"Resume",
	"Suspend",
	"Transfer",
};
static const char *const opcodes[OPCODES_NAMED] = {
	"", "Start", "Stop", "DCStart", "DCStop", "Extension", "Reply", "Resume", "Suspend", "Send",
};

/* Events of tasks, by id: they are not in a manifest of the runtime, and the tools rename them. */
static const struct known {
	const char *name;
	int opcode;
} task_events[] = {
	[1] = { "Loop/Start", 1 },
	[2] = { "Loop/Stop", 2 },
	[3] = { "Invoke/Start", 1 },
	[4] = { "Invoke/Stop", 2 },
	[5] = { "ForkJoin/Start", 1 },
	[6] = { "ForkJoin/Stop", 2 },
	[7] = { "TaskScheduled/Send", 9 },
	[8] = { "TaskExecute/Start", 1 },
	[9] = { "TaskExecute/Stop", 2 },
	[10] = { "TaskWait/Send", 9 },
	[11] = { "TaskWait/Stop", 2 },
	[12] = { "AwaitTaskContinuationScheduled/Send", 9 },
	[13] = { "TaskWaitContinuationComplete", 0 },
	[14] = { "TraceOperation/Start", 1 },
	[15] = { "TraceOperation/Stop", 2 },
	[16] = { "TraceOperationRelation", 0 },
	[17] = { "TraceSynchronousWork/Start", 1 },
	[18] = { "TraceSynchronousWork/Stop", 2 },
	[27] = { "IncompleteAsyncMethod", 0 },
};

/*
 * The name does not depend on the version, so the newest row will do. It is used even if the tools
 * do not.
 */
static bool find_known(const struct event_identity *event, struct known *known)
{
	const struct clr_event *row = clr_event_find(event->provider, event->id, UINT32_MAX);

	*known = (struct known){ 0 };
	if (row)
		*known = (struct known){ clr_text(row->name), row->opcode_number };
	else if (event->id < ARRAY_COUNT(task_events) && !strcmp(event->provider, TPL_PROVIDER))
		*known = task_events[event->id];
	return known->name;
}

static bool ends_with(const char *name, const char *word)
{
	const size_t size = strlen(name);

	return size >= strlen(word) && !strcasecmp(name + size - strlen(word), word);
}

/* "JobStart" implies its opcode. */
static int implied_opcode(const char *name)
{
	if (ends_with(name, opcodes[OPCODE_START]))
		return OPCODE_START;
	return ends_with(name, opcodes[OPCODE_STOP]) ? OPCODE_STOP : OPCODE_UNSET;
}

static int metadata_opcode(const struct event_identity *event)
{
	return event->opcode == OPCODE_UNSET ? implied_opcode(event->name) : event->opcode;
}

int event_kind_opcode(const struct pp_kind *kind)
{
	return kind->opcode == OPCODE_UNSET ? implied_opcode(kind->name) : kind->opcode;
}

/* The size of the name without the word that the opcode repeats. */
static size_t task_size(const char *name, int opcode)
{
	const bool repeats = opcode == OPCODE_START || opcode == OPCODE_STOP;

	if (repeats && ends_with(name, opcodes[opcode]))
		return strlen(name) - strlen(opcodes[opcode]);
	return strlen(name);
}

static const char *opcode_word(int opcode, bool from_metadata, char *number, size_t size)
{
	if (opcode < OPCODES_NAMED)
		return (from_metadata ? metadata_opcodes : opcodes)[opcode];
	snprintf(number, size, from_metadata ? "%d" : "Opcode(%d)", opcode);
	return number;
}

static const char *join(struct arena *arena, const char *task, size_t size, const char *word)
{
	const size_t room = size + strlen(word) + 2;
	char *name = arena_alloc(arena, room);

	snprintf(name, room, "%.*s%s%s", (int)size, task, *word ? "/" : "", word);
	return name;
}

static const char *name_known(const struct known *known, const struct event_identity *event,
			      struct arena *arena)
{
	const bool labelled = event->label_opcode != OPCODE_UNSET;
	const int opcode = labelled ? event->label_opcode : metadata_opcode(event);
	char number[24];

	if (opcode == OPCODE_UNSET || opcode == known->opcode)
		return known->name;
	return join(arena, known->name, strcspn(known->name, "/"),
		    opcode_word(opcode, false, number, sizeof(number)));
}

static const char *name_from_metadata(const struct event_identity *event, struct arena *arena)
{
	const int own = metadata_opcode(event);
	const int base = own == OPCODE_UNSET ? OPCODE_INFO : own;
	const int opcode = event->label_opcode == OPCODE_UNSET ? base : event->label_opcode;
	char number[24];

	return join(arena, event->name, task_size(event->name, own),
		    opcode_word(opcode, opcode == base, number, sizeof(number)));
}

static const char *name_by_id(const struct event_identity *event, struct arena *arena)
{
	char name[24];

	if (!event->id)
		return "EventWriteString"; /* id 0 is an unformatted string */
	return arena_text(arena, name,
			  (size_t)snprintf(name, sizeof(name), "EventID(%u)", event->id));
}

const char *event_display_name(const struct event_identity *event, struct arena *arena)
{
	struct known known;

	if (find_known(event, &known))
		return name_known(&known, event, arena);
	if (*event->name)
		return name_from_metadata(event, arena);
	return name_by_id(event, arena);
}

const char *event_labelled_name(const struct pp_kind *kind, int label_opcode, struct arena *arena)
{
	const struct event_identity identity = {
		.provider = kind->provider,
		.name = kind->name,
		.id = kind->id,
		.opcode = kind->opcode,
		.label_opcode = label_opcode,
	};

	return event_display_name(&identity, arena);
}

const char *event_kind_name(const struct pp_kind *kind, struct arena *arena)
{
	return event_labelled_name(kind, -1, arena);
}
