/* SPDX-License-Identifier: MIT */
/*
 * spool.h - rows of records that may be too many for memory.
 *
 * A row, called reel, is written record by record and read from its start, any number of
 * times. Its bytes lie in pieces. Once all reels of a spool together take more memory than
 * they may, pieces that are full go into a temporary file without a name; where there is no
 * room for one, they stay. Zero is a valid spool and a valid, empty reel.
 *
 *	uint8_t *at = reel_room(&reel, &spool);
 *	at = varint_put(at, number);			(SPOOL_RECORD bytes at most)
 *	reel_wrote(&reel, at);
 *
 *	struct reel_reader reader = { .spool = &spool, .reel = &reel };
 *	while (reel_next(&reader))
 *		read the record at reader.at, and set reader.at behind it;
 *	reel_reader_release(&reader);
 */
#ifndef BASE_SPOOL_H
#define BASE_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPOOL_RECORD 256u		/* bytes: no record is larger */
#define SPOOL_BUDGET ((size_t)64 << 20) /* bytes that stay in memory */

struct spool {
	size_t budget; /* 0: SPOOL_BUDGET */
	size_t kept;   /* bytes in memory, but for pieces that are being filled */
	uint64_t end;  /* of the file */
	int fd;	       /* of the file, + 1; 0: there is none */
	bool no_file;  /* and none can be had, or it is full */
};

struct reel_piece {
	uint8_t *bytes; /* NULL: it is in the file */
	uint64_t place; /* there */
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
	size_t piece;  /* that comes next */
	uint8_t *room; /* for one that is in the file */
};

void spool_release(struct spool *spool); /* behind its reels */
void reel_release(struct reel *reel, struct spool *spool);

void reel_turn(struct reel *reel, struct spool *spool);

/* Room for a record. */
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

bool reel_turn_to_next(struct reel_reader *reader);

/* False at the end. No record may be added while there is a reader. */
static inline bool reel_next(struct reel_reader *reader)
{
	return reader->at != reader->end || reel_turn_to_next(reader);
}

void reel_reader_release(struct reel_reader *reader);

#endif
