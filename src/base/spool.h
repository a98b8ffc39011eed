/* SPDX-License-Identifier: MIT */
/*
 * spool.h - sequences of records that may not fit into memory.
 *
 * A sequence, called reel, is written record by record and read from its start, any number of
 * times. Its bytes lie in pieces. Once all reels of a spool together use more memory than their
 * budget, full pieces go to an unnamed temporary file; if that fails, they stay in memory. Zero is
 * a valid spool and a valid empty reel.
 *
 *	uint8_t *at = reel_room(&reel, &spool);
 *	at = varint_put(at, number);			(at most SPOOL_RECORD bytes)
 *	reel_wrote(&reel, at);
 *
 *	struct reel_reader reader = { .spool = &spool, .reel = &reel };
 *	while (reel_next(&reader))
 *		read the record at reader.at, and move reader.at past it;
 *	reel_reader_release(&reader);
 */
#ifndef BASE_SPOOL_H
#define BASE_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPOOL_RECORD 256u		/* bytes: the largest record */
#define SPOOL_BUDGET ((size_t)64 << 20) /* bytes that stay in memory */

struct heap_drop;

struct spool {
	size_t budget;		/* 0: SPOOL_BUDGET */
	size_t kept;		/* bytes of full pieces in memory */
	uint64_t end;		/* offset in the file where the next piece goes */
	int fd;			/* of the file, + 1; 0: not open */
	bool no_file;		/* it cannot be opened, or a write failed */
	struct heap_drop *drop; /* closes the file, if a public call fails */
};

struct reel_piece {
	uint8_t *bytes; /* NULL: in the file */
	uint64_t place; /* offset in the file */
	uint32_t size;
};

struct reel {
	struct reel_piece *pieces;
	size_t count, capacity;
	uint8_t *tail; /* the piece that is being filled */
	uint32_t used, size;
};

struct reel_reader {
	const struct spool *spool;
	const struct reel *reel;
	const uint8_t *at;
	const uint8_t *end;
	size_t piece;  /* the next one */
	uint8_t *room; /* the current piece, if read from the file */
};

void spool_release(struct spool *spool); /* after its reels */
void reel_release(struct reel *reel, struct spool *spool);

void reel_turn(struct reel *reel, struct spool *spool);

/* Where to write the next record, with SPOOL_RECORD bytes free. */
static inline uint8_t *reel_room(struct reel *reel, struct spool *spool)
{
	if (reel->size - reel->used < SPOOL_RECORD)
		reel_turn(reel, spool);
	return reel->tail + reel->used;
}

static inline void reel_wrote(struct reel *reel, const uint8_t *end)
{
	reel->used = (uint32_t)(end - reel->tail);
}

/*
 * Makes memory of base/alloc.h with whole records the contents of an empty reel, instead of copying
 * them. False, and it stays the caller's, if it does not fit into the budget.
 */
bool reel_adopt(struct reel *reel, struct spool *spool, uint8_t *bytes, size_t size);

bool reel_turn_to_next(struct reel_reader *reader);

/* False at the end. Nothing may be added while a reader is in use. */
static inline bool reel_next(struct reel_reader *reader)
{
	return reader->at != reader->end || reel_turn_to_next(reader);
}

void reel_reader_release(struct reel_reader *reader);

#endif
