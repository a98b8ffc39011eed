/* SPDX-License-Identifier: MIT */
#include "analyze/plumbing.h"

#include <string.h>

#include "base/error.h"

#define MISSING_MOST 4 /* for each name that is missing, more native calls than this */

/*
 * Names as we make them readable and as .NET's tools write them, Outer.Inner and Outer+Inner, and
 * with the tier in front.
 */
#define CORELIB	 "^System.Private.CoreLib%!{[%]|}"
#define THREADS	 CORELIB "System.Threading."
#define TASKS	 CORELIB "System.Threading.Tasks."
#define BUILDERS CORELIB "System.Runtime.CompilerServices."

const char plumbing_frames[] =
	/* how threads start, and workers of the thread pool get their work */
	THREADS
	"Thread.StartCallback(;" THREADS "Thread*StartHelper.;" THREADS "ThreadHelper.;" THREADS
	"PortableThreadPool*WorkerThread.WorkerThreadStart(;" THREADS
	"ThreadPoolWorkQueue.Dispatch(;" THREADS "_ThreadPoolWaitCallback.;" THREADS
	"QueueUserWorkItemCallback;"

	/* how async methods start, are suspended and continue */
	BUILDERS "%Async%MethodBuilder;" BUILDERS "%Await*OnCompleted;" BUILDERS
	"%Await*OutputWaitEtwEvents;" BUILDERS "%Await*OutputCorrelationEtwEvent;" TASKS
	"Sources.ManualResetValueTaskSourceCore;" THREADS "ExecutionContext.Run;"

	/* how tasks run, and what waits for them continues */
	TASKS "Task.Execute;" TASKS "Task..cctor.lambda;" TASKS "Task+<>c.<.cctor>;" TASKS
	"%Task*.InnerInvoke(;" TASKS "Task.RunContinuation;" TASKS
	"Task.FinishContinuations(;" TASKS "Task.FinishS;" TASKS "Task.Finish(;" TASKS
	"Task*.TrySetResult(;" TASKS "UnwrapPromise;" TASKS "%TaskContinuation.;"

	/* stubs between managed and native code */
	"!{[%]|}{dynamicClass|ILStubClass}.IL_STUB;"

	/* the same below managed code, where the kernel sampled it */
	"^libc.so.6!{_start|__libc_start|start_thread|clone|__clone};"
	"^libcoreclr.so!{CallDescrWorker|DispatchCall|MethodDescCallSite::|ManagedThreadBase_|"
	"ThreadNative::KickOffThread|Thread::intermediateThreadProc|CorUnix::CPalThread::"
	"ThreadEntry|"
	"coreclr_execute_assembly|CorHost2::ExecuteAssembly|Assembly::ExecuteMainMethod|RunMain}";

bool plumbing_is_unknown(const struct model *model, uint32_t frame)
{
	return !strcmp(model->frames[frame].name, "?") && !strcmp(model->frames[frame].module, "?");
}

/*
 * The runtime names all managed code but stubs, of which the innermost frame of a native call is
 * one. Code without a name that is called by nothing, or calls code that has one, is a method whose
 * name is missing; a few of them are in every trace, since methods are compiled until its end.
 */
const char *plumbing_unknown_name(const struct model *model)
{
	const struct stack_node *nodes = model->stacks.nodes;
	size_t called = 0;
	size_t missing = 0;

	for (uint32_t i = 1; i < model->stacks.count; i++) {
		const uint32_t caller = nodes[i].parent;
		const bool unknown = plumbing_is_unknown(model, nodes[i].frame);

		if (!caller)
			missing += unknown;
		else if (!plumbing_is_unknown(model, nodes[caller].frame))
			called += unknown;
		else
			missing += !unknown && *model->frames[nodes[i].frame].module;
	}
	return called > missing * MISSING_MOST ? "[native call]" : "[unknown]";
}

void own_code_init(struct own_code *own)
{
	struct pp_error never = { 0 };

	grouping_parse(&own->others, "just-my-code", &never);
}

void own_code_release(struct own_code *own)
{
	grouping_release(&own->others);
}

bool own_code_has(const struct own_code *own, const char *module)
{
	struct frame_names frame = { .module = module, .path = module };
	struct buffer full = { 0 };
	struct buffer group = { 0 };
	bool has;

	if (!module || !*module)
		return false;
	buffer_text(&full, module);
	buffer_bytes(&full, "!", 2);
	frame.full = frame.with_path = (const char *)full.bytes;
	has = grouping_apply(&own->others, &frame, &group) == GROUPED_NOT;
	buffer_release(&full);
	buffer_release(&group);
	return has;
}
