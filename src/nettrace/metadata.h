/* SPDX-License-Identifier: MIT */
/*
 * metadata.h - definitions of events, in their four encodings.
 *
 * Each call reads one definition and adds it to the table. A definition that cannot be read fails
 * the call; in versions 1 to 5 a malformed field list only leaves out the fields, as in .NET's own
 * reader.
 */
#ifndef NETTRACE_METADATA_H
#define NETTRACE_METADATA_H

#include "base/error.h"
#include "nettrace/kinds.h"

/* Versions 1 and 2: the id is the file offset of the record. */
int metadata_v1(struct kinds *kinds, uint64_t offset, struct cursor c, struct pp_error *err);
int metadata_v2(struct kinds *kinds, uint64_t offset, struct cursor c, struct pp_error *err);

/* Versions 3 to 5: the payload of a record whose own metadata id is 0. */
int metadata_v3(struct kinds *kinds, struct cursor c, struct pp_error *err);

/* Version 6: one row of a metadata block. */
int metadata_v6(struct kinds *kinds, struct cursor row, struct pp_error *err);

#endif
