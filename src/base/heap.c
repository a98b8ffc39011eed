/* SPDX-License-Identifier: MIT */
#include "base/heap.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "base/alloc.h"

struct heap_drop {
	struct heap_drop **link, *next;
	void (*drop)(void *object);
	void *object;
};

/* In the static part of a thread's memory, so that it costs no call and no allocation. */
static _Thread_local struct guard *innermost __attribute__((tls_model("initial-exec")));

int heap_check(const struct heap *heap, struct pp_error *err)
{
	if (heap->broken && err)
		error_set(err, heap->why.code, "%s", heap->why.text);
	return heap->broken ? -1 : 0;
}

int guard_enter(struct guard *guard, struct heap *heap, struct pp_error *err)
{
	if (heap && heap_check(heap, err))
		return -1;
	guard->heap = heap;
	guard->err = err;
	guard->outer = innermost;
	innermost = guard;
	return 0;
}

void guard_leave(struct guard *guard)
{
	innermost = guard->outer;
}

int guard_run(int (*work)(void *context, struct pp_error *err), void *context, struct pp_error *err)
{
	struct heap heap = { 0 };
	struct guard guard;
	volatile int failed = -1;

	guard_enter(&guard, &heap, err);
	if (!setjmp(guard.out))
		failed = work(context, err);
	guard_leave(&guard);
	if (failed)
		heap_drop(&heap);
	else
		heap_disown(&heap);
	return failed ? -1 : 0;
}

bool guard_is_on(void)
{
	return innermost;
}

struct guard *guard_suspend(void)
{
	struct guard *suspended = innermost;

	innermost = NULL;
	return suspended;
}

void guard_resume(struct guard *suspended)
{
	innermost = suspended;
}

_Noreturn void guard_fail(enum pp_error_code code, const char *format, ...)
{
	struct guard *guard = innermost;
	struct pp_error err = { 0 };
	va_list args;

	va_start(args, format);
	error_vset(&err, code, format, args);
	va_end(args);
	if (!guard)
		alloc_failed(&err);
	if (guard->heap) {
		guard->heap->broken = true;
		guard->heap->why = err;
	}
	if (guard->err)
		error_set(guard->err, err.code, "%s", err.text);
	longjmp(guard->out, 1);
}

void guard_fail_if_any(enum pp_error_code code, const char *text)
{
	if (guard_is_on())
		guard_fail(code, "%s", text);
}

struct heap *heap_new(struct pp_error *err)
{
	struct guard *outer = guard_suspend(); /* it belongs to no other heap */
	struct heap *heap = try_calloc(1, sizeof(*heap));

	guard_resume(outer);
	if (!heap)
		error_set(err, PP_ERROR_MEMORY, "out of memory");
	return heap;
}

void heap_free(struct heap *heap)
{
	if (!heap)
		return;
	heap_drop(heap);
	xfree(heap);
}

static void *make_in(struct heap *heap, heap_maker *make, const void *from, struct pp_error *err)
{
	void *volatile made = NULL;
	struct guard guard;

	guard_enter(&guard, heap, err);
	if (!setjmp(guard.out))
		made = make(heap, from, err);
	guard_leave(&guard);
	return made;
}

void *heap_make(heap_maker *make, const void *from, struct pp_error *err)
{
	struct heap *heap = heap_new(err);
	void *made = heap ? make_in(heap, make, from, err) : NULL;

	if (!made)
		heap_free(heap);
	return made;
}

void heap_link(struct heap_block *block)
{
	struct heap *heap = innermost ? innermost->heap : NULL;

	*block = (struct heap_block){ 0 };
	if (!heap)
		return;
	block->link = &heap->blocks;
	block->next = heap->blocks;
	heap->blocks = block;
	if (block->next)
		block->next->link = &block->next;
}

void heap_unlink(struct heap_block *block)
{
	if (!block->link)
		return;
	*block->link = block->next;
	if (block->next)
		block->next->link = block->link;
}

void heap_relink(struct heap_block *moved)
{
	if (!moved->link)
		return;
	*moved->link = moved;
	if (moved->next)
		moved->next->link = &moved->next;
}

struct heap_drop *heap_on_drop(void (*drop)(void *object), void *object)
{
	struct heap *heap = innermost ? innermost->heap : NULL;
	struct heap_drop *added;

	if (!heap)
		return NULL;
	added = try_calloc(1, sizeof(*added));
	if (!added) {
		drop(object);
		guard_fail(PP_ERROR_MEMORY, "out of memory");
	}
	*added = (struct heap_drop){ &heap->drops, heap->drops, drop, object };
	if (heap->drops)
		heap->drops->link = &added->next;
	heap->drops = added;
	return added;
}

static void unlink_drop(struct heap_drop *drop)
{
	*drop->link = drop->next;
	if (drop->next)
		drop->next->link = drop->link;
}

void heap_forget_drop(struct heap_drop *drop)
{
	if (!drop)
		return;
	unlink_drop(drop);
	xfree(drop);
}

void heap_disown(struct heap *heap)
{
	while (heap->drops)
		heap_forget_drop(heap->drops);
	while (heap->blocks) {
		struct heap_block *block = heap->blocks;

		heap->blocks = block->next;
		*block = (struct heap_block){ 0 };
	}
}

/* A drop may free memory of the heap itself, and forget others. */
void heap_drop(struct heap *heap)
{
	while (heap->drops) {
		struct heap_drop *first = heap->drops;

		unlink_drop(first);
		first->drop(first->object);
	}
	while (heap->blocks)
		xfree(heap->blocks + 1);
}
