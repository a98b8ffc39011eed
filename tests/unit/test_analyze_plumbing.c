/* SPDX-License-Identifier: MIT */
#include "analyze/plumbing.h"

#include <stdlib.h>

#include "analyze/calltree.h"
#include "base/alloc.h"
#include "base/array.h"
#include "trace_reading.h"

#define CORELIB "System.Private.CoreLib!System."
#define BOX	CORELIB "Runtime.CompilerServices.AsyncTaskMethodBuilder"

static const char *const plumbing[] = {
	CORELIB "Threading.Thread.StartCallback()",
	CORELIB "Threading.Thread.StartHelper.Callback(object)",
	CORELIB "Threading.Thread+StartHelper.Run()",
	CORELIB "Threading.ThreadHelper.ThreadStart_Context(object)",
	CORELIB "Threading.PortableThreadPool.WorkerThread.WorkerThreadStart()",
	CORELIB "Threading.PortableThreadPool+WorkerThread.WorkerThreadStart()",
	CORELIB "Threading.ThreadPoolWorkQueue.Dispatch()",
	CORELIB "Threading.QueueUserWorkItemCallback.Execute()",
	CORELIB "Threading.ExecutionContext.Run(ExecutionContext, ContextCallback, object)",
	CORELIB "Threading.ExecutionContext.RunFromThreadPoolDispatchLoop(Thread, object)",
	CORELIB "Runtime.CompilerServices.AsyncMethodBuilderCore.Start(ref M0)",
	CORELIB "Runtime.CompilerServices.AsyncValueTaskMethodBuilder<T0>.Start(ref M0)",
	CORELIB "Runtime.CompilerServices.PoolingAsyncValueTaskMethodBuilder<T0>.Start(ref M0)",
	CORELIB "Runtime.CompilerServices.AsyncVoidMethodBuilder.Start(ref M0)",
	BOX "<VoidTaskResult>.AsyncStateMachineBox<<Serve>d__7>.MoveNext(Thread)",
	BOX "<VoidTaskResult>.AsyncStateMachineBox<<Serve>d__7>.ExecutionContextCallback(object)",
	BOX "`1+AsyncStateMachineBox`1[System.Int32,Shop.Store+<Read>d__4].MoveNext()",
	BOX "<T0>.SetExistingTaskResult(Task<T0>, T0)",
	CORELIB "Runtime.CompilerServices.TaskAwaiter.UnsafeOnCompletedInternal(Task, bool)",
	CORELIB "Runtime.CompilerServices.TaskAwaiter.OutputWaitEtwEvents.lambda#0(Action, Task)",
	CORELIB "Runtime.CompilerServices.TaskAwaiter+<>c.<OutputWaitEtwEvents>b__12_0(class Task)",
	CORELIB "Threading.Tasks.Task.ExecuteWithThreadLocal(ref Task, Thread)",
	CORELIB "Threading.Tasks.Task.ExecuteEntryUnsafe(Thread)",
	CORELIB "Threading.Tasks.Task<T0>.InnerInvoke()",
	CORELIB "Threading.Tasks.Task`1[System.Int32].InnerInvoke()",
	CORELIB "Threading.Tasks.ContinuationTaskFromTask.InnerInvoke()",
	CORELIB "Threading.Tasks.Task.RunContinuations(object)",
	CORELIB "Threading.Tasks.Task<int>.TrySetResult(T0)",
	CORELIB "Threading.Tasks.AwaitTaskContinuation.RunOrScheduleAction(Action, bool)",
	"System.Private.CoreLib.il!System.Threading.Thread.StartCallback()",
	"System.Private.CoreLib![ReadyToRun]System.Threading.ExecutionContext.RunInternal(object)",
	"shop!dynamicClass.IL_STUB_PInvoke(int)",
	"libc.so.6!start_thread",
	"libcoreclr.so!ManagedThreadBase_DispatchOuter(ManagedThreadCallState*)",
};

static const char *const work[] = {
	"shop!Shop.Orders.Place()",
	"shop!System.Threading.Thread.StartCallback()",
	"shop!Shop.ExecutionContext.Run()",
	CORELIB "Threading.Thread.Sleep(int)",
	CORELIB "Threading.Thread.StartCore()",
	CORELIB "Threading.Tasks.Task.InternalWaitCore(int, CancellationToken)",
	CORELIB "Threading.Tasks.Task.WhenAll(IEnumerable<Task<M0>>)",
	CORELIB "Threading.TimerQueue.FireNextTimers()",
	CORELIB "Threading.PortableThreadPool.GateThread.GateThreadStart()",
	CORELIB "Runtime.CompilerServices.TaskAwaiter<int>.GetResult()",
	CORELIB "Runtime.CompilerServices.CastHelpers.Box(MethodTable*, ref byte)",
	"libcoreclr.so!WKS::gc_heap::mark_phase(int)",
	"libc.so.6!memcpy",
};

static void plumbing_is_folded_and_work_is_not(void **state)
{
	struct pp_error err = { 0 };
	struct pattern_list list;

	(void)state;
	assert_int_equal(pattern_list_parse(&list, plumbing_frames, &err), 0);
	for (size_t i = 0; i < ARRAY_COUNT(plumbing); i++)
		if (!pattern_list_matches(&list, plumbing[i]))
			fail_msg("not folded: %s", plumbing[i]);
	for (size_t i = 0; i < ARRAY_COUNT(work); i++)
		if (pattern_list_matches(&list, work[i]))
			fail_msg("folded: %s", work[i]);
	pattern_list_release(&list);
}

static void patterns_may_be_added_to_those_of_a_view(void **state)
{
	struct pp_error err = { 0 };
	struct pattern_list list;

	(void)state;
	assert_int_equal(pattern_list_parse(&list, "!Shop.Lock", &err), 0);
	assert_int_equal(pattern_list_append(&list, plumbing_frames, &err), 0);
	assert_true(pattern_list_matches(&list, "shop!Shop.Lock.Enter()"));
	assert_true(pattern_list_matches(&list, plumbing[0]));
	assert_false(pattern_list_matches(&list, work[0]));
	pattern_list_release(&list);
}

enum frame { START, DISPATCH, SERVE, BUILDER, NATIVE, FRAMES };

static const struct {
	const char *module, *name;
} frames[FRAMES] = {
	[START] = { "System.Private.CoreLib", "System.Threading.Thread.StartCallback()" },
	[DISPATCH] = { "System.Private.CoreLib",
		       "System.Threading.ThreadPoolWorkQueue.Dispatch()" },
	[SERVE] = { "shop", "Shop.Serve()" },
	[BUILDER] = { "System.Private.CoreLib",
		      "System.Runtime.CompilerServices.AsyncTaskMethodBuilder.Start(ref M0)" },
	[NATIVE] = { "?", "?" },
};

struct folded {
	struct model model;
	struct call_query query;
	struct calltree tree;
};

/* The stacks have one sample each: frames, outermost first, each list ended by FRAMES. */
static void fold(struct folded *f, const enum frame *stacks, size_t count)
{
	struct pp_error err = { 0 };

	*f = (struct folded){ .query.native_calls = true };
	model_init(&f->model);
	f->model.frame_count = FRAMES;
	f->model.frames = xcalloc(FRAMES, sizeof(*f->model.frames));
	assert_non_null(f->model.frames);
	for (size_t i = 0; i < FRAMES; i++)
		f->model.frames[i] =
			(struct model_frame){ .name = model_text(&f->model, frames[i].name),
					      .module = model_text(&f->model, frames[i].module),
					      .path = model_text(&f->model, frames[i].module),
					      .method = MODEL_NONE };
	assert_int_equal(pattern_list_parse(&f->query.fold, plumbing_frames, &err), 0);
	uint32_t *leaves = xcalloc(count + 1, sizeof(*leaves));
	assert_non_null(leaves);
	for (size_t i = 0; i < count; i++, stacks++)
		for (; *stacks != FRAMES; stacks++)
			leaves[i] = stack_tree_child(&f->model.stacks, leaves[i], *stacks);
	calltree_init(&f->tree, &f->model, &f->query);
	for (size_t i = 0; i < count; i++)
		calltree_add(&f->tree, &(const struct model_sample){ .stack = leaves[i] }, 1);
	xfree(leaves);
	calltree_finish(&f->tree);
	calltree_sum_up(&f->tree);
}

static void release(struct folded *f)
{
	calltree_release(&f->tree);
	call_query_release(&f->query);
	model_release(&f->model);
}

static void expect_node(const struct folded *f, uint32_t node, const char *name,
			struct call_sum own_all)
{
	assert_string_equal(f->tree.names[f->tree.nodes.nodes[node].frame].full, name);
	assert_int_equal(f->tree.own[node].count, own_all.count);
	assert_int_equal(f->tree.all[node].count, own_all.weight);
}

#define OWN_ALL(own, all) ((struct call_sum){ own, all })

/* The root stays, also alone; time of a leaf of plumbing is its caller's. */
static void roots_stay_and_callers_get_the_time(void **state)
{
	static const enum frame stacks[] = {
		START, FRAMES,				   /* */
		START, DISPATCH, FRAMES,		   /* */
		START, DISPATCH, SERVE,	  FRAMES,	   /* */
		START, DISPATCH, SERVE,	  BUILDER, FRAMES, /* */
		START, DISPATCH, BUILDER, SERVE,   FRAMES,
	};
	struct folded f;

	(void)state;
	fold(&f, stacks, 5);
	assert_int_equal(f.tree.nodes.count, 3);
	expect_node(&f, 1, CORELIB "Threading.Thread.StartCallback()", OWN_ALL(2, 5));
	expect_node(&f, 2, "shop!Shop.Serve()", OWN_ALL(3, 3));
	assert_int_equal(f.tree.total.count, 5);
	release(&f);
}

static void a_native_call_is_called_one(void **state)
{
	static const enum frame stacks[] = { START, SERVE,  NATIVE, FRAMES, START,
					     SERVE, NATIVE, NATIVE, FRAMES };
	struct folded f;

	(void)state;
	fold(&f, stacks, 2);
	assert_int_equal(f.tree.nodes.count, 4);
	expect_node(&f, 3, "[native call]", OWN_ALL(2, 2));
	release(&f);
}

/* One of six names is missing. */
static void a_few_missing_names_do_not_matter(void **state)
{
	static const enum frame stacks[] = {
		START, NATIVE,	 SERVE,	 FRAMES,	 /* */
		START, SERVE,	 NATIVE, FRAMES,	 /* */
		START, DISPATCH, NATIVE, FRAMES,	 /* */
		START, DISPATCH, SERVE,	 NATIVE, FRAMES, /* */
		START, BUILDER,	 NATIVE, FRAMES,
	};
	struct folded f;

	(void)state;
	fold(&f, stacks, 5);
	expect_node(&f, 2, "[native call]", OWN_ALL(2, 3));
	release(&f);
}

/* Then it may be any method. */
static void where_names_are_missing_it_is_not(void **state)
{
	static const enum frame calls[] = { START, NATIVE, SERVE, FRAMES, START, NATIVE, FRAMES };
	static const enum frame root[] = { NATIVE, FRAMES, START, NATIVE, FRAMES };
	struct folded f;

	(void)state;
	fold(&f, calls, 2);
	expect_node(&f, 2, "[unknown]", OWN_ALL(1, 2));
	release(&f);
	fold(&f, root, 2);
	expect_node(&f, 1, "[unknown]", OWN_ALL(1, 1));
	release(&f);
}

static void own_code_is_neither_of_dotnet_nor_native(void **state)
{
	static const char *const others[] = {
		"System.Private.CoreLib", "Microsoft.AspNetCore.Http", "System",  "?",
		"libcoreclr.so",	  "ld-linux-x86-64.so.2",      "vmlinux", ""
	};
	static const char *const own[] = { "shop", "order-core", "SystemTests", "Contoso.System" };
	struct own_code code;

	(void)state;
	own_code_init(&code);
	for (size_t i = 0; i < ARRAY_COUNT(others); i++)
		if (own_code_has(&code, others[i]))
			fail_msg("own: %s", others[i]);
	for (size_t i = 0; i < ARRAY_COUNT(own); i++)
		if (!own_code_has(&code, own[i]))
			fail_msg("not own: %s", own[i]);
	assert_false(own_code_has(&code, NULL));
	own_code_release(&code);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plumbing_is_folded_and_work_is_not),
		cmocka_unit_test(patterns_may_be_added_to_those_of_a_view),
		cmocka_unit_test(roots_stay_and_callers_get_the_time),
		cmocka_unit_test(a_native_call_is_called_one),
		cmocka_unit_test(a_few_missing_names_do_not_matter),
		cmocka_unit_test(where_names_are_missing_it_is_not),
		cmocka_unit_test(own_code_is_neither_of_dotnet_nor_native),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
