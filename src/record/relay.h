/* SPDX-License-Identifier: MIT */
/*
 * relay.h - a terminal of its own for a launched program, and the bytes between it and ours.
 *
 * Ctrl+C ends most programs at once, and with them what a recording still needs from them. So where
 * we have the terminal to ourselves, the program gets another one, a pseudo-terminal with the same
 * modes and size, and every byte is carried over. Only the first Ctrl+C (or Ctrl+\), as the
 * program's terminal understands it, and what is typed after it, is held back: the owner learns of
 * it, ends the recording, and lets it pass. A second one passes at once.
 *
 *	struct relay *relay = relay_open();	NULL: the program has our terminal
 *
 *	relay_begin(relay);
 *	launch(..., relay_terminal(relay));
 *	while (program_runs && poll(... relay_fd(relay) ...))
 *		if (relay_typed(relay))
 *			relay_pass(relay);
 *	relay_close(relay);
 *
 * Bytes are carried by a thread, so that a slow terminal does not hold up a recording, nor a
 * recording the terminal. From relay_begin() on our terminal is in raw mode: lines that we write
 * need a carriage return, too.
 */
#ifndef RECORD_RELAY_H
#define RECORD_RELAY_H

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

struct relay;

/* Our terminal, its modes before, and those while bytes are carried. */
struct relay_modes {
	int terminal;
	struct termios before;
	struct termios raw;
};

/*
 * NULL where standard input is not a terminal, or not ours alone: in a pipeline others may read
 * from it, and in the background nobody may.
 */
struct relay *relay_open(void);
int relay_begin(struct relay *relay); /* -1: it cannot be started */

/* Shows the last output of the program and restores our terminal. Takes NULL. */
void relay_close(struct relay *relay);

int relay_terminal(const struct relay *relay); /* for the program */
const struct relay_modes *relay_modes(const struct relay *relay);

int relay_fd(const struct relay *relay); /* readable: a key was typed */
int relay_typed(struct relay *relay);	 /* SIGINT or SIGQUIT, once for each key; 0: no more */
void relay_pass(struct relay *relay);	 /* what is held back, and all later keys */

/* The foreground process group of the program's terminal; -1: none. */
pid_t relay_foreground(const struct relay *relay);

/* Our terminal may have a new size. */
void relay_resize(struct relay *relay);

/* Before we stop ourselves: restores our terminal. */
void relay_leave(struct relay *relay);

/* When we continue: raw mode again, if we are in the foreground. */
void relay_return(struct relay *relay);
void relay_look(struct relay *relay); /* now and then: have we come to the foreground? */

#endif
