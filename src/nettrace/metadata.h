/* SPDX-License-Identifier: MIT */
/*
 * metadata.h - definitions of events, in their four encodings, and the kinds they define.
 *
 * Each call reads one definition and adds it to the table. Two definitions with the same bytes are
 * one kind, so that a stream which repeats them at each sequence point needs no more memory. A
 * definition that cannot be read fails the call; in versions 1 to 5 a malformed field list only
 * leaves out the fields, as in .NET's own reader.
 */
#ifndef NETTRACE_METADATA_H
#define NETTRACE_METADATA_H

#include "base/arena.h"
#include "base/cursor.h"
#include "base/error.h"
#include "base/map.h"
#include "nettrace/table_limit.h"
#include "perfpipe/event.h"

struct kinds {
	struct arena *arena;
	struct table_limit *limit; /* or NULL */
	struct map by_id;	   /* current meaning of the ids that events use */
	struct map by_content;	   /* definition -> kind */
	struct pp_kind **list;	   /* by index */
	size_t count;
	size_t capacity;
};

/* Versions 1 and 2: the id is the file offset of the record. */
int metadata_v1(struct kinds *kinds, uint64_t offset, struct cursor c, struct pp_error *err);
int metadata_v2(struct kinds *kinds, uint64_t offset, struct cursor c, struct pp_error *err);

/* Versions 3 to 5: the payload of a record whose own metadata id is 0. */
int metadata_v3(struct kinds *kinds, struct cursor c, struct pp_error *err);

/* Version 6: one row of a metadata block. */
int metadata_v6(struct kinds *kinds, struct cursor row, struct pp_error *err);

#endif
