/* SPDX-License-Identifier: MIT */
/*
 * relay.h - a terminal of its own for a launched program, and what passes between ours and it.
 *
 * Ctrl+C ends most programs at once, and with them what a recording still wants to
 * know. So where we have the terminal to ourselves the program gets another, a
 * pseudo-terminal with the same modes and size, and each byte is carried over. Only the
 * first Ctrl+C (or Ctrl+\), as the program's terminal understands it, and what
 * is typed behind it, waits: whoever runs the recording hears of it, ends the recording,
 * and lets it pass. A second one passes at once.
 *
 *	struct relay *relay = relay_open();	NULL: the program has what we have
 *
 *	relay_begin(relay);
 *	launch(..., relay_terminal(relay));

 *	while (program_runs && poll(... relay_fd(relay) ...))
 *		if (relay_typed(relay))
 *			relay_pass(relay);
 *	relay_close(relay);
 *
 * Bytes are carried by a thread, so that neither a slow terminal holds up a recording nor
 * the other way round. From relay_begin() on our terminal is in raw mode: lines that we
 * write ourselves end with a return, too.
 */
#ifndef RECORD_RELAY_H
#define RECORD_RELAY_H

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

struct relay;

/* Our terminal, how it was, and how it is while bytes are carried. */
struct relay_modes {
	int terminal;
	struct termios before;
	struct termios raw;
};

/*
 * NULL where standard input is no terminal, or none that is ours alone: in a pipeline
 * others may read from it, and in the background nobody may.
 */
struct relay *relay_open(void);
int relay_begin(struct relay *relay); /* -1: it cannot be done */

/* What the program said last is shown, and our terminal is as it was. Takes NULL. */
void relay_close(struct relay *relay);

int relay_terminal(const struct relay *relay); /* the program's end */
const struct relay_modes *relay_modes(const struct relay *relay);

int relay_fd(const struct relay *relay); /* readable: relay_typed() has something */
int relay_typed(struct relay *relay);	 /* SIGINT or SIGQUIT, as often as typed; 0: nothing */
void relay_pass(struct relay *relay);	 /* what waits, and all that comes */

/* The process group that has the program's terminal; -1: none. */
pid_t relay_foreground(const struct relay *relay);

/* Our terminal may have another size. */
void relay_resize(struct relay *relay);

/* Before we are stopped: our terminal is as it was. */
void relay_leave(struct relay *relay);

/* When we go on: it is ours again, if we are in the foreground; else, now and then: is it? */
void relay_return(struct relay *relay);
void relay_look(struct relay *relay);

#endif
