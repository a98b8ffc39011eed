/* SPDX-License-Identifier: MIT */
/*
 * reserve.h - descriptors kept in reserve, so that a session can be stopped when none are left.
 *
 * They are opened before all others, since a limit that is lowered later leaves the lowest
 * numbers usable.
 *
 *	reserve_release(&reserve);
 *	failed = pp_session_stop(session, &err);
 *	reserve_fill(&reserve);
 */
#ifndef RECORD_RESERVE_H
#define RECORD_RESERVE_H

#define RESERVE_MOST 8 /* more than one connection takes, to a socket a few directories deep */

struct reserve {
	int fds[RESERVE_MOST]; /* 0: not open */
};

void reserve_fill(struct reserve *reserve); /* as far as there are any */
void reserve_release(struct reserve *reserve);

#endif
