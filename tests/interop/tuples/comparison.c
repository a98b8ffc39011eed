/* SPDX-License-Identifier: MIT */
#include "tuples/comparison.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "tuples/dwfl_stack.h"

#define FRAMES_MOST 4096u

/* Samples of a process between two changes of its mappings. */
struct batch {
	struct batch *next;
	uint32_t pid;
	const struct tuple_item **samples;
	size_t count, capacity;
};

struct run {
	struct comparison *result;
	struct tuple_spaces spaces;
	struct batch *batches;
	struct dwfl_stack *peer; /* of the batch */
	struct unwound_frame ours[FRAMES_MOST];
	uint64_t theirs[FRAMES_MOST];
};

/* One sample, by both. */
struct pair {
	const struct address_space *space;
	size_t ours, theirs; /* frames */
	struct unwind_end end;
	struct dwfl_end peer_end;
};

static const char *by_text(enum unwound_by by)
{
	static const char *const texts[] = {
		[UNWOUND_SAMPLE] = "sample",
		[UNWOUND_RULE] = "rule",
		[UNWOUND_FRAME_POINTER] = "frame pointer",
		[UNWOUND_LEAF] = "leaf",
		[UNWOUND_GUESS] = "guess",
	};

	return texts[by];
}

const char *difference_text(enum difference_kind kind)
{
	static const char *const texts[] = { "ours is longer", "libdw's is longer",
					     "another caller" };

	return texts[kind];
}

static size_t unwind_ours(struct run *run, const struct address_space *space,
			  const struct tuple_item *item, struct unwind_end *end)
{
	struct unwind_registers registers;
	struct captured_stack stack;

	tuple_item_state(run->spaces.file, item, &registers, &stack);
	return unwind_stack(space, &registers, &stack, &(struct unwound){ run->ours, FRAMES_MOST },
			    end);
}

/* Counts one more of its kind. */
static void add_difference(struct comparison *c, const struct stack_difference *like)
{
	struct stack_difference *d;

	for (size_t i = 0; i < c->difference_count; i++) {
		d = &c->differences[i];
		if (d->kind == like->kind && d->step == like->step &&
		    d->explanation == like->explanation && !strcmp(d->module, like->module) &&
		    !strcmp(d->function, like->function)) {
			d->count++;
			return;
		}
	}
	c->differences = xgrow(c->differences, c->difference_count, &c->difference_capacity,
			       sizeof(*c->differences));
	d = &c->differences[c->difference_count++];
	*d = *like;
	d->module = xstrdup(like->module);
	d->function = xstrdup(like->function);
	d->count = 1;
}

static const char *module_name(const struct address_space *space, uint64_t address)
{
	const struct code_mapping *mapping = address_space_find(space, address);

	return mapping ? mapping->module->name : "nowhere";
}

static void show(struct run *run, const struct tuple_item *item, const struct pair *pair,
		 size_t common)
{
	const size_t most = pair->ours > pair->theirs ? pair->ours : pair->theirs;

	printf("process %u at %" PRIu64 ", stack of %zu from %" PRIx64
	       ", ours ends by %s, libdw by %s\n",
	       item->pid, item->time_ns, item->sample.stack_size,
	       perf_word(item->sample.registers, pair->space->machine->sp),
	       unwind_reason_text(pair->end.reason),
	       pair->peer_end.why ? pair->peer_end.why : "its own");
	for (size_t i = common > 3 ? common - 3 : 0; i < most && i < common + 6; i++) {
		const uint64_t ours = i < pair->ours ? run->ours[i].ip : 0;
		const uint64_t theirs = i < pair->theirs ? run->theirs[i] : 0;

		printf("  %zu %" PRIx64 " %s %s by %s; %" PRIx64 " %s %s\n", i, ours,
		       dwfl_stack_function(run->peer, ours), module_name(pair->space, ours),
		       i < pair->ours ? by_text(run->ours[i].by) : "", theirs,
		       dwfl_stack_function(run->peer, theirs), module_name(pair->space, theirs));
	}
}

/* In the kernel, called by the last instruction of a function that is the frame of a signal. */
static bool ends_signal(const struct address_space *space, uint64_t ip)
{
	const struct code_mapping *mapping;

	return address_space_rule(space, ip, &mapping)->kind == UNWIND_NO_RULE &&
	       address_space_rule(space, ip - 1, &mapping)->flags & UNWIND_SIGNAL_FRAME;
}

/* The frame begins where RBX says: the ABI of x86-64 in elfutils 0.188 has the number of RAX for
 * it. */
static bool has_rbx(const struct address_space *space, const struct unwound_frame *frame)
{
	const struct code_mapping *mapping;
	const struct unwind_rule *rule =
		address_space_rule(space, frame->exact ? frame->ip : frame->ip - 1, &mapping);

	return space->machine == &unwind_x86_64 && rule->kind == UNWIND_BY_REGISTER &&
	       rule->cfa_register == X86_64_RBX;
}

/*
 * What is known to differ, and why. A stack of ours counts as better only if it goes on to the
 * start of the thread, or as far as it was captured.
 */
static const char *explain(const struct run *run, const struct pair *pair, size_t common,
			   enum difference_kind kind)
{
	const bool is_whole =
		pair->end.reason == UNWIND_END_START || pair->end.reason == UNWIND_END_CAPTURED;
	const bool is_guess = kind != PEER_IS_LONGER && run->ours[common].by == UNWOUND_GUESS;
	const bool peer_is_lost =
		kind == ANOTHER_CALLER && !address_space_find(pair->space, run->theirs[common] - 1);

	if (kind == OURS_IS_LONGER && is_guess)
		return "there is no rule, and libdw does not guess";
	if (peer_is_lost && is_guess)
		return "there is no rule, and libdw goes on to what is no code";
	if (kind != PEER_IS_LONGER && common == 1 && ends_signal(pair->space, run->ours[0].ip))
		return "the last instruction of the frame of a signal, where libdw has no rule";
	if (peer_is_lost && is_whole)
		return "libdw goes on to what is no code";
	if (kind == OURS_IS_LONGER && pair->peer_end.missed_below)
		return "libdw wants a register that was popped already";
	if (kind == OURS_IS_LONGER && is_whole && has_rbx(pair->space, &run->ours[common - 1]))
		return "libdw takes RAX for RBX in what calls keep, and has lost it";
	return NULL;
}

static void differ(struct run *run, const struct tuple_item *item, const struct pair *pair,
		   size_t common)
{
	struct comparison *c = run->result;
	const uint64_t last = common ? run->ours[common - 1].ip : 0;
	struct stack_difference like = {
		.kind = common == pair->theirs ? OURS_IS_LONGER
			: common == pair->ours ? PEER_IS_LONGER
					       : ANOTHER_CALLER,
		.module = (char *)(uintptr_t)module_name(pair->space, last),
		.function = (char *)(uintptr_t)dwfl_stack_function(run->peer, last),
		.step = common == pair->ours ? unwind_reason_text(pair->end.reason)
					     : by_text(run->ours[common].by),
	};

	like.explanation = explain(run, pair, common, like.kind);
	add_difference(c, &like);
	if (like.explanation)
		c->explained++;
	else if (c->show && c->show--)
		show(run, item, pair, common);
}

static void compare(struct run *run, const struct tuple_item *item, const struct pair *pair)
{
	struct comparison *c = run->result;
	size_t common = 0;

	c->compared++;
	while (common < pair->ours && common < pair->theirs &&
	       run->ours[common].ip == run->theirs[common])
		common++;
	if (common == pair->ours && common == pair->theirs)
		c->equal++;
	else
		differ(run, item, pair, common);
}

static void unwind_both(struct run *run, const struct tuple_item *item,
			const struct address_space *space)
{
	struct comparison *c = run->result;
	struct pair pair = { .space = space };

	pair.ours = unwind_ours(run, space, item, &pair.end);
	c->tuples++;
	c->frames += pair.ours;
	c->reasons[pair.end.reason]++;
	for (size_t i = 0; i < pair.ours; i++)
		c->by[run->ours[i].by]++;
	if (!run->peer || c->compared >= c->peer_most)
		return;
	pair.theirs = dwfl_stack_unwind(
		run->peer, item, &(struct dwfl_room){ run->theirs, FRAMES_MOST }, &pair.peer_end);
	compare(run, item, &pair);
}

/* Samples of a batch, by one of the two. */
typedef size_t unwinder(struct run *run, const struct batch *batch, size_t count);

static size_t all_by_us(struct run *run, const struct batch *batch, size_t count)
{
	const struct address_space *space = &tuple_spaces_of(&run->spaces, batch->pid)->space;
	struct unwind_end end;
	size_t frames = 0;

	for (size_t i = 0; i < count; i++)
		frames += unwind_ours(run, space, batch->samples[i], &end);
	return frames;
}

static size_t all_by_peer(struct run *run, const struct batch *batch, size_t count)
{
	const struct dwfl_room room = { run->theirs, FRAMES_MOST };
	struct dwfl_end end;
	size_t frames = 0;

	for (size_t i = 0; i < count; i++)
		frames += dwfl_stack_unwind(run->peer, batch->samples[i], &room, &end);
	return frames;
}

/* The least time of several passes. */
static int64_t best_time_ns(struct run *run, const struct batch *batch, size_t count,
			    unwinder *unwind)
{
	const unsigned passes = run->result->passes ? run->result->passes : 1;
	int64_t best_ns = INT64_MAX;

	for (unsigned i = 0; i < passes; i++) {
		const int64_t start_ns = tuple_cpu_time_ns();
		int64_t spent_ns;

		unwind(run, batch, count);
		spent_ns = tuple_cpu_time_ns() - start_ns;
		best_ns = spent_ns < best_ns ? spent_ns : best_ns;
	}
	return best_ns;
}

/* A Dwfl for each sample. */
static void time_fresh(struct run *run, const struct batch *batch,
		       const struct address_space *space)
{
	struct comparison *c = run->result;
	const int64_t start_ns = tuple_cpu_time_ns();

	for (size_t i = 0; i < batch->count && c->fresh < c->fresh_most; i++, c->fresh++) {
		run->peer = dwfl_stack_new(run->spaces.file, space);
		if (run->peer)
			c->fresh_frames += all_by_peer(
				run, &(struct batch){ .samples = batch->samples + i }, 1);
		dwfl_stack_free(run->peer);
	}
	c->fresh_ns += tuple_cpu_time_ns() - start_ns;
}

static void finish(struct run *run, struct batch *batch)
{
	const struct address_space *space = &tuple_spaces_of(&run->spaces, batch->pid)->space;
	struct comparison *c = run->result;
	const size_t before = c->compared;

	if (!batch->count)
		return;
	run->peer = before < c->peer_most ? dwfl_stack_new(run->spaces.file, space) : NULL;
	for (size_t i = 0; i < batch->count; i++)
		unwind_both(run, batch->samples[i], space);
	c->ours_frames += all_by_us(run, batch, batch->count);
	c->ours_ns += best_time_ns(run, batch, batch->count, all_by_us);
	if (run->peer) {
		c->peer_frames += all_by_peer(run, batch, c->compared - before);
		c->peer_ns += best_time_ns(run, batch, c->compared - before, all_by_peer);
	}
	dwfl_stack_free(run->peer);
	time_fresh(run, batch, space);
	batch->count = 0;
}

static struct batch *batch_of(struct run *run, uint32_t pid)
{
	struct batch *batch = run->batches;

	while (batch && batch->pid != pid)
		batch = batch->next;
	if (batch)
		return batch;
	batch = xcalloc(1, sizeof(*batch));
	batch->pid = pid;
	batch->next = run->batches;
	run->batches = batch;
	return batch;
}

static void take(struct run *run, const struct tuple_item *item)
{
	struct batch *batch = batch_of(run, item->pid);

	if (item->kind != TUPLE_SAMPLE) {
		finish(run, batch);
		tuple_spaces_apply(&run->spaces, item);
		return;
	}
	batch->samples =
		xgrow(batch->samples, batch->count, &batch->capacity, sizeof(*batch->samples));
	batch->samples[batch->count++] = item;
}

static void sum_tables(struct run *run)
{
	for (const struct tuple_module *m = run->spaces.modules; m; m = m->next) {
		run->result->table_size += unwind_table_size(&m->module->table);
		run->result->text_size += m->text_size;
	}
}

void comparison_run(struct comparison *c, const struct tuple_file *file)
{
	struct run *run = xcalloc(1, sizeof(*run));

	run->result = c;
	run->spaces.file = file;
	for (size_t i = 0; i < file->count; i++)
		take(run, &file->items[i]);
	for (struct batch *batch = run->batches; batch; batch = batch->next)
		finish(run, batch);
	sum_tables(run);
	while (run->batches) {
		struct batch *batch = run->batches;

		run->batches = batch->next;
		xfree(batch->samples);
		xfree(batch);
	}
	tuple_spaces_release(&run->spaces);
	xfree(run);
}

void comparison_release(struct comparison *c)
{
	for (size_t i = 0; i < c->difference_count; i++) {
		xfree(c->differences[i].module);
		xfree(c->differences[i].function);
	}
	xfree(c->differences);
}
