/* SPDX-License-Identifier: MIT */
/*
 * heap.h - public calls that fail, instead of ending the program, when memory is gone.
 *
 * An object of the library has a heap: the list of all memory that calls on it allocated. A call
 * enters a guard first; if an allocation fails below it, the call is left by longjmp() and fails.
 * What it was about is then in any state, so the heap is broken: further calls fail, too, and
 * the object is freed by dropping the heap, without a look at what is in it.
 *
 *	int append(struct thing *thing, int number, struct pp_error *err)
 *	{
 *		struct guard guard;
 *		volatile int failed = -1; (it is set after setjmp)
 *
 *		if (guard_enter(&guard, thing->heap, err))
 *			return -1;
 *		if (!setjmp(guard.out))
 *			failed = add(thing, number, err); (which allocates with base/alloc.h)
 *		guard_leave(&guard);
 *		return failed;
 *	}
 *
 *	void end(struct thing *thing)
 *	{
 *		if (thing)
 *			heap_free(thing->heap); (the thing itself is in it: heap_make())
 *	}
 *
 * A call that returns memory which the caller frees on its own has a heap for as long as it runs,
 * and heap_disown()s what is in it when it succeeds: guard_run(). Guards nest. Functions of the
 * caller are called with guard_suspend() around them, so that no jump crosses their frames and what
 * they allocate is theirs.
 */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* In front of all memory of base/alloc.h. */
struct heap_block {
	struct heap_block **link; /* what points to it; NULL: it belongs to no heap */
	struct heap_block *next;
};

struct heap_drop;

/* Zero is a valid empty heap, which must not move. */
struct heap {
	struct heap_block *blocks; /* newest first */
	struct heap_drop *drops;
	bool broken;
	struct pp_error why;
};

struct heap *heap_new(struct pp_error *err); /* NULL if there is no memory even for that */
void heap_free(struct heap *heap);	     /* heap_drop(), and the heap itself; accepts NULL */

struct guard {
	jmp_buf out;
	struct heap *heap; /* NULL: what is allocated belongs to none */
	struct pp_error *err;
	struct guard *outer;
};

/*
 * -1 if the heap is broken, with the error that broke it. A call without an error of its own passes
 * NULL here and below: the next call that has one fails.
 */
int heap_check(const struct heap *heap, struct pp_error *err);

/* The same. Otherwise setjmp(guard->out) follows at once. */
int guard_enter(struct guard *guard, struct heap *heap, struct pp_error *err);
void guard_leave(struct guard *guard);

/*
 * Runs `work` with a heap of its own. If it returns 0, what it has allocated is the caller's;
 * otherwise, or if memory is gone, all of it is freed, and the result is -1.
 */
int guard_run(int (*work)(void *context, struct pp_error *err), void *context,
	      struct pp_error *err);

/*
 * An object in a heap of its own, which `make` stores in it for later calls. NULL, and the heap is
 * freed, if `make` returns NULL or memory is gone.
 */
typedef void *heap_maker(struct heap *heap, const void *from, struct pp_error *err);
void *heap_make(heap_maker *make, const void *from, struct pp_error *err);

bool guard_is_on(void); /* a public call is under way */

/* Around a call of a function that is not ours. */
struct guard *guard_suspend(void);
void guard_resume(struct guard *suspended);

/*
 * Fails the public call that is under way, as when memory is gone, where there is nobody to return
 * an error to. Does not return.
 */
_Noreturn void guard_fail(enum pp_error_code code, const char *format, ...) PRINTF_LIKE(2, 3);

/* The same for code that can also go on: returns where no call is guarded. */
void guard_fail_if_any(enum pp_error_code code, const char *text);

/*
 * What heap_drop() calls for what is more than memory, such as a file; NULL without a heap. Called
 * at once if there is no memory to remember it.
 */
struct heap_drop *heap_on_drop(void (*drop)(void *object), void *object);
void heap_forget_drop(struct heap_drop *drop); /* accepts NULL */

/* Success: from now on its memory is freed piece by piece, by xfree(). */
void heap_disown(struct heap *heap);

/* Failure, or the end: frees all that is left in it. */
void heap_drop(struct heap *heap);

/* For base/alloc.c. */
void heap_link(struct heap_block *block);
void heap_unlink(struct heap_block *block);
void heap_relink(struct heap_block *moved); /* after it was resized */

#endif
