/* SPDX-License-Identifier: MIT */
#include "base/spool.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/heap.h"
#include "base/output.h"

#define PIECE 16384u /* bytes of a full one */

static void close_dropped(void *fd)
{
	close((int)(intptr_t)fd);
}

static bool has_file(struct spool *spool)
{
	int fd;

	if (spool->fd || spool->no_file)
		return spool->fd && !spool->no_file;
	fd = temp_file_open();
	spool->no_file = fd < 0;
	spool->fd = fd + 1;
	if (fd >= 0)
		spool->drop = heap_on_drop(close_dropped, (void *)(intptr_t)fd);
	return fd >= 0;
}

static bool write_at(int fd, const uint8_t *bytes, size_t size, uint64_t place)
{
	while (size) {
		const ssize_t wrote = pwrite(fd, bytes, size, (off_t)place);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0)
			return false;
		bytes += wrote;
		place += (uint64_t)wrote;
		size -= (size_t)wrote;
	}
	return true;
}

static bool fits_budget(const struct spool *spool, size_t size)
{
	return spool->kept + size <= (spool->budget ? spool->budget : SPOOL_BUDGET);
}

/* Writes a piece to the file if the budget is used up; false if it stays in memory. */
static bool write_piece(struct spool *spool, struct reel_piece *piece, const uint8_t *bytes)
{
	if (fits_budget(spool, piece->size) || !has_file(spool))
		return false;
	if (!write_at(spool->fd - 1, bytes, piece->size, spool->end)) {
		spool->no_file = true;
		return false;
	}
	piece->place = spool->end;
	spool->end += piece->size;
	return true;
}

static void end_piece(struct reel *reel, struct spool *spool)
{
	struct reel_piece piece = { .size = reel->used };

	reel->pieces = xgrow(reel->pieces, reel->count, &reel->capacity, sizeof(*reel->pieces));
	if (!write_piece(spool, &piece, reel->tail)) {
		piece.bytes = reel->tail;
		spool->kept += piece.size;
		reel->tail = NULL;
		reel->size = 0;
	}
	reel->pieces[reel->count++] = piece;
	reel->used = 0;
}

/* A short reel is one small piece that grows; only a long one has pieces of full size. */
void reel_turn(struct reel *reel, struct spool *spool)
{
	if (reel->size >= PIECE)
		end_piece(reel, spool);
	if (reel->size >= PIECE)
		return;
	reel->size = reel->count ? PIECE : 2 * reel->size + 2 * SPOOL_RECORD;
	if (reel->size > PIECE)
		reel->size = PIECE;
	reel->tail = xrealloc(reel->tail, reel->size, 1);
}

bool reel_adopt(struct reel *reel, struct spool *spool, uint8_t *bytes, size_t size)
{
	if (size > UINT32_MAX || !fits_budget(spool, size))
		return false;
	reel->pieces = xgrow(reel->pieces, reel->count, &reel->capacity, sizeof(*reel->pieces));
	reel->pieces[reel->count++] = (struct reel_piece){ .bytes = bytes, .size = (uint32_t)size };
	spool->kept += size;
	return true;
}

void reel_release(struct reel *reel, struct spool *spool)
{
	for (size_t i = 0; i < reel->count; i++) {
		if (reel->pieces[i].bytes)
			spool->kept -= reel->pieces[i].size;
		xfree(reel->pieces[i].bytes);
	}
	xfree(reel->pieces);
	xfree(reel->tail);
	*reel = (struct reel){ 0 };
}

void spool_release(struct spool *spool)
{
	if (spool->fd)
		close(spool->fd - 1);
	heap_forget_drop(spool->drop);
	*spool = (struct spool){ 0 };
}

static void read_back(struct reel_reader *reader, const struct reel_piece *piece)
{
	size_t got = 0;

	if (!reader->room)
		reader->room = xcalloc(1, PIECE);
	while (got < piece->size) {
		const ssize_t more = pread(reader->spool->fd - 1, reader->room + got,
					   piece->size - got, (off_t)(piece->place + got));

		if (more < 0 && errno == EINTR)
			continue;
		if (more <= 0)
			guard_fail(PP_ERROR_SYSTEM, "cannot read back the temporary file: %s",
				   more ? strerror(errno) : "it was truncated");
		got += (size_t)more;
	}
}

bool reel_turn_to_next(struct reel_reader *reader)
{
	const struct reel *reel = reader->reel;
	const struct reel_piece *piece;

	if (reader->piece > reel->count || (reader->piece == reel->count && !reel->used))
		return false;
	if (reader->piece++ == reel->count) {
		reader->at = reel->tail;
		reader->end = reel->tail + reel->used;
		return true;
	}
	piece = &reel->pieces[reader->piece - 1];
	if (!piece->bytes)
		read_back(reader, piece);
	reader->at = piece->bytes ? piece->bytes : reader->room;
	reader->end = reader->at + piece->size;
	return true;
}

void reel_reader_release(struct reel_reader *reader)
{
	xfree(reader->room);
	*reader = (struct reel_reader){ 0 };
}
