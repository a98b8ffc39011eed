/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/heap.h"
#include "perfpipe/alloc.h"

/* Asked by AddressSanitizer, which would otherwise end the program itself. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

/* An allocator that has memory for so many calls, and counts what is in use. */
struct limited {
	long left;
	long in_use;
};

static void *limited_resize(void *context, void *memory, size_t size)
{
	struct limited *limited = context;
	void *resized = limited->left-- > 0 ? realloc(memory, size) : NULL;

	limited->in_use += resized && !memory;
	return resized;
}

static void *limited_allocate(void *context, size_t size)
{
	void *memory = limited_resize(context, NULL, size);

	return memory ? memset(memory, 0, size) : NULL;
}

static void limited_release(void *context, void *memory)
{
	struct limited *limited = context;

	limited->in_use--;
	free(memory);
}

static void limit(struct limited *limited, long calls)
{
	*limited = (struct limited){ .left = calls };
	pp_set_alloc(&(struct pp_allocator){ sizeof(struct pp_allocator), limited_allocate,
					     limited_resize, limited_release, limited });
}

static int stop_limiting(void **state)
{
	(void)state;
	return pp_set_alloc(NULL);
}

/* Work that allocates in all ways, some of it freed again. */
static int work(struct pp_error *err)
{
	struct arena arena = { 0 };
	size_t capacity = 0;
	int *list = NULL;

	(void)err;
	for (int i = 0; i < 100; i++) {
		list = xgrow(list, (size_t)i, &capacity, sizeof(*list));
		list[i] = i;
	}
	arena_printf(&arena, "%d", list[99]);
	xfree(xstrdup("gone"));
	xfree(list);
	return 0;
}

static int guarded_work(struct heap *heap, struct pp_error *err)
{
	struct guard guard;
	volatile int failed = -1;

	if (guard_enter(&guard, heap, err))
		return -1;
	if (!setjmp(guard.out))
		failed = work(err);
	guard_leave(&guard);
	return failed;
}

static void fails_at_every_allocation_and_frees_them_all(void **state)
{
	struct limited limited;
	long calls = 0;
	int failed;

	(void)state;
	do {
		struct pp_error err = { 0 };
		struct heap *heap;

		limit(&limited, calls++);
		heap = heap_new(&err);
		failed = heap ? guarded_work(heap, &err) : -1;
		assert_int_equal(failed ? PP_ERROR_MEMORY : PP_ERROR_NONE, err.code);
		heap_free(heap);
		assert_int_equal(limited.in_use, 0);
	} while (failed);
	assert_true(calls > 5);
}

static void fails_again_once_it_is_broken(void **state)
{
	struct limited limited;
	struct heap heap = { 0 };
	struct pp_error err = { 0 }, again = { 0 };

	(void)state;
	limit(&limited, 2);
	assert_int_equal(guarded_work(&heap, &err), -1);
	assert_non_null(strstr(err.text, "out of memory (asked for "));
	limited.left = 1000;
	assert_int_equal(guarded_work(&heap, &again), -1);
	assert_int_equal(again.code, PP_ERROR_MEMORY);
	assert_string_equal(again.text, err.text);
	heap_drop(&heap);
	assert_int_equal(limited.in_use, 0);
}

static void keeps_what_is_disowned(void **state)
{
	struct heap heap = { 0 };
	struct pp_error err = { 0 };
	struct guard guard;
	char *volatile text = NULL;

	(void)state;
	assert_int_equal(guard_enter(&guard, &heap, &err), 0);
	if (!setjmp(guard.out))
		text = xstrdup("kept");
	guard_leave(&guard);
	heap_disown(&heap);
	heap_drop(&heap);
	assert_string_equal(text, "kept");
	xfree(text);
}

static int make_text(void *context, struct pp_error *err)
{
	(void)err;
	xfree(xstrdup("gone"));
	*(char **)context = xstrdup("kept");
	return 0;
}

static int make_and_fail(void *context, struct pp_error *err)
{
	make_text(context, err);
	return error_set(err, PP_ERROR_FORMAT, "no good");
}

static void runs_with_a_heap_of_its_own(void **state)
{
	struct pp_error err = { 0 };
	struct limited limited;
	char *text;

	(void)state;
	limit(&limited, 1);
	assert_int_equal(guard_run(make_text, &text, &err), -1);
	assert_int_equal(err.code, PP_ERROR_MEMORY);
	assert_int_equal(limited.in_use, 0);
	limit(&limited, 1000);
	err = (struct pp_error){ 0 };
	assert_int_equal(guard_run(make_and_fail, &text, &err), -1);
	assert_string_equal(err.text, "no good");
	assert_int_equal(limited.in_use, 0);
	err = (struct pp_error){ 0 };
	assert_int_equal(guard_run(make_text, &text, &err), 0);
	assert_string_equal(text, "kept");
	assert_int_equal(limited.in_use, 1);
	xfree(text);
}

static void note_drop(void *object)
{
	++*(int *)object;
}

static void drops_what_is_not_memory(void **state)
{
	struct heap heap = { 0 };
	struct pp_error err = { 0 };
	struct guard guard;
	int dropped = 0, forgotten = 0;

	(void)state;
	assert_int_equal(guard_enter(&guard, &heap, &err), 0);
	heap_on_drop(note_drop, &dropped);
	heap_forget_drop(heap_on_drop(note_drop, &forgotten));
	heap_on_drop(note_drop, &dropped);
	guard_leave(&guard);
	heap_drop(&heap);
	assert_int_equal(dropped, 2);
	assert_int_equal(forgotten, 0);
	assert_null(heap_on_drop(note_drop, &dropped)); /* there is no heap */
}

static void resizes_any_block_of_a_list(void **state)
{
	struct limited limited;
	struct heap heap = { 0 };
	struct pp_error err = { 0 };
	struct guard guard;
	char *blocks[3];

	(void)state;
	limit(&limited, 1000);
	assert_int_equal(guard_enter(&guard, &heap, &err), 0);
	for (int i = 0; i < 3; i++)
		blocks[i] = xcalloc(1, 8);
	guard_leave(&guard);
	for (int i = 0; i < 3; i++) /* outside of the guard: they stay in the heap */
		blocks[i] = xrealloc(blocks[i], 100000, 1);
	xfree(blocks[1]);
	heap_drop(&heap);
	assert_int_equal(limited.in_use, 0);
}

/* What the caller's own functions allocate is theirs, and fails in their own calls. */
static void lets_the_caller_in(void **state)
{
	struct heap ours = { 0 }, theirs = { 0 };
	struct pp_error err = { 0 }, inner = { 0 };
	struct guard guard, *suspended;
	struct limited limited;

	(void)state;
	limit(&limited, 2);
	assert_int_equal(guard_enter(&guard, &ours, &err), 0);
	suspended = guard_suspend();
	assert_int_equal(guarded_work(&theirs, &inner), -1);
	guard_resume(suspended);
	guard_leave(&guard);
	assert_true(theirs.broken);
	assert_false(ours.broken);
	assert_null(ours.blocks);
	heap_drop(&theirs);
}

static void refuses_an_allocator_of_another_size(void **state)
{
	struct pp_allocator other = *pp_allocator();

	(void)state;
	other.size += 8;
	assert_int_equal(pp_set_alloc(&other), -1);
	assert_ptr_not_equal(pp_allocator(), &other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(fails_at_every_allocation_and_frees_them_all,
					  stop_limiting),
		cmocka_unit_test_teardown(fails_again_once_it_is_broken, stop_limiting),
		cmocka_unit_test(keeps_what_is_disowned),
		cmocka_unit_test_teardown(runs_with_a_heap_of_its_own, stop_limiting),
		cmocka_unit_test(drops_what_is_not_memory),
		cmocka_unit_test_teardown(resizes_any_block_of_a_list, stop_limiting),
		cmocka_unit_test_teardown(lets_the_caller_in, stop_limiting),
		cmocka_unit_test(refuses_an_allocator_of_another_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
