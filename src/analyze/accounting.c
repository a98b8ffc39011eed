/* SPDX-License-Identifier: MIT */
/*
 * A thread's time is cut into pieces, at samples, readings and stops. Two walks go over the pieces:
 * one ahead, to the next reading, that finds how long pieces of each class last, and one behind it
 * that divides what the kernel accounted among them. So nothing is held in memory, however many
 * samples there are.
 */
#include "analyze/accounting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/stack_roles.h"
#include "analyze/thread_pieces.h"
#include "base/alloc.h"
#include "base/unicode.h"
#include "pass/pass.h"

#define LEAST_NS      500000 /* of native code at a sample: less is saved up for a later one */
#define ROUNDING_NS   1000   /* shorter waits are none */
#define UNMARKED_PART 20 /* of the samples at least are not of waits, if marks are not believed */
#define SLACK_NS      INT64_C(1000000000)
#define MOST_THREADS  4096 /* that ended threads were, at any time; no more is believed */

/* Frames that are not code, below a stack or alone. */
enum label {
	STOPPED,
	COLLECTS,
	SUSPENDED,
	IDLE,
	TRACING,
	LABELS,
};

static const char *const label_names[] = {
	[STOPPED] = LABEL_STOPPED, [COLLECTS] = LABEL_COLLECTS, [SUSPENDED] = LABEL_SUSPENDED,
	[IDLE] = LABEL_IDLE,	   [TRACING] = LABEL_TRACING,
};

struct accounting {
	struct model *model;
	struct stack_roles roles;
	struct piece_rules rules;
	uint32_t *native; /* by stack: the one with native code below it; 0: not made yet */
	struct samples out;
};

/* From one reading to the next; without any it is endless. */
struct interval {
	int64_t from_ns;
	int64_t to_ns;
	bool measured;
	int64_t run_ns;	  /* as accounted by the kernel */
	int64_t ready_ns; /* likewise */
	int64_t lasts[PIECE_CLASSES];
	int64_t past[PIECE_CLASSES]; /* of `lasts`, that was divided */
	int64_t run[PIECE_CLASSES];  /* that pieces of the class get, */
	int64_t ready[PIECE_CLASSES];
	int64_t run_given[PIECE_CLASSES]; /* and have got */
	int64_t ready_given[PIECE_CLASSES];
	struct unseen {
		int64_t run_ns;
		int64_t ready_ns;
		int64_t blocked_ns;
	} unseen; /* in the time that no sample covers */
};

/* One thread on its way through. */
struct account {
	struct accounting *a;
	uint32_t thread;
	uint32_t process;
	uint32_t labels[LABELS]; /* frames; MODEL_NONE: not made yet */
	struct piece_walk ahead;
	struct piece_walk behind;
	struct sample_walk others; /* than the sampler's samples: they pass through */
	struct model_sample other;
	bool has_other;
	struct sample_walk readings;
	struct interval now;
	int64_t saved_run_ns; /* of native code that had too little for a sample */
	int64_t saved_ready_ns;
	struct model_sample last; /* that was added, to take the rest */
	bool has_last;
};

static uint32_t label(struct account *t, uint32_t stack, enum label which)
{
	struct model *model = t->a->model;

	if (t->labels[which] == MODEL_NONE)
		t->labels[which] = model_label(model, t->process, label_names[which]);
	return stack_tree_child(&model->stacks, stack, t->labels[which]);
}

/* The method's name and module, with the label: native code that it called. */
static uint32_t native_stack(struct accounting *a, uint32_t stack)
{
	struct model *model = a->model;
	struct model_frame frame;
	const char *name;

	if (!stack || a->native[stack])
		return a->native[stack];
	frame = model->frames[model->stacks.nodes[stack].frame];
	name = arena_printf(&model->arena, "%s%s", frame.name, LABEL_NATIVE);
	frame.name = model_text(model, name);
	a->native[stack] = stack_tree_child(&model->stacks, stack, model_frame(model, &frame));
	return a->native[stack];
}

/* Of what recording does only that it does is told. */
static uint32_t own_stack(struct account *t, uint32_t stack)
{
	return t->a->roles.list[stack] == ROLE_TRACING ? label(t, STACK_EMPTY, TRACING) : stack;
}

static bool is_stop(const struct piece *piece)
{
	return piece->of == PIECE_STOPPED || piece->of == PIECE_COLLECTS;
}

static uint32_t stop_stack(struct account *t, const struct piece *piece, uint32_t stack)
{
	return label(t, stack, piece->of == PIECE_STOPPED ? STOPPED : COLLECTS);
}

/* What a sample shows that runs, in the words of people who ask where CPU time goes. */
static uint32_t running_stack(struct account *t, const struct model_sample *sample,
			      const struct piece *piece)
{
	struct accounting *a = t->a;
	const bool native = piece->of == PIECE_MAY_RUN || piece->of == PIECE_WAITS;

	if (piece->of == PIECE_COLLECTS)
		return label(t, sample->stack, COLLECTS);
	switch ((enum stack_role)a->roles.list[sample->stack]) {
	case ROLE_TRACING:
		return label(t, STACK_EMPTY, TRACING);
	case ROLE_IDLE:
		return label(t, STACK_EMPTY, IDLE);
	case ROLE_POLLS:
		return t->now.measured ? a->model->stacks.nodes[sample->stack].parent
				       : label(t, STACK_EMPTY, TRACING);
	default:
		return native && a->rules.marked ? native_stack(a, sample->stack) : sample->stack;
	}
}

/* Passes on what is older than the next sample. */
static void pass_others(struct account *t, int64_t before_ns)
{
	while (t->has_other && t->other.time_ns < before_ns) {
		if (t->other.kind > SAMPLE_MANAGED && t->other.kind != SAMPLE_MARK)
			samples_add(&t->a->out, &t->other);
		t->has_other = sample_walk_next(&t->others, &t->other);
	}
}

static void add(struct account *t, struct model_sample *sample, enum sample_kind kind,
		uint32_t stack, int64_t length_ns)
{
	struct model_sample made = *sample;

	if (length_ns <= 0)
		return;
	made.kind = (uint8_t)kind;
	made.stack = stack;
	made.weight = length_ns;
	if (t->has_last && made.time_ns < t->last.time_ns)
		made.time_ns = t->last.time_ns; /* that one had more than its time */
	pass_others(t, made.time_ns);
	samples_add(&t->a->out, &made);
	t->last = made;
	t->has_last = true;
	sample->part = true;
	sample->time_ns += length_ns;
}

static void add_unmeasured(struct account *t, const struct piece *piece,
			   struct model_sample *sample)
{
	const uint32_t stack = sample->stack;

	if (is_stop(piece))
		add(t, sample, SAMPLE_EXTERNAL, stop_stack(t, piece, stack), piece->length_ns);
	else if (piece->of == PIECE_RUNS)
		add(t, sample, SAMPLE_MANAGED, running_stack(t, sample, piece), piece->length_ns);
	else
		add(t, sample, sample->kind, own_stack(t, stack), piece->length_ns);
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* The piece's part of what its class gets. Sums are exact, since only the total is rounded. */
static int64_t share(int64_t all, int64_t *given, double past)
{
	const int64_t now = (int64_t)((double)all * past);
	const int64_t part = now > *given ? now - *given : 0;

	*given += part;
	return part;
}

/* Of native code only what makes a sample is added; a little of it in each would say nothing. */
static void save_up(struct account *t, int64_t *run_ns, int64_t *ready_ns, int64_t most_ns)
{
	const int64_t wanted_ns = LEAST_NS < most_ns ? LEAST_NS : most_ns;

	t->saved_run_ns = ns_plus(t->saved_run_ns, *run_ns);
	t->saved_ready_ns = ns_plus(t->saved_ready_ns, *ready_ns);
	*run_ns = *ready_ns = 0;
	if (t->saved_run_ns >= wanted_ns) {
		*run_ns = t->saved_run_ns < most_ns ? t->saved_run_ns : most_ns;
		t->saved_run_ns -= *run_ns;
	}
	if (t->saved_ready_ns >= wanted_ns) {
		*ready_ns = t->saved_ready_ns < most_ns - *run_ns ? t->saved_ready_ns
								  : most_ns - *run_ns;
		t->saved_ready_ns -= *ready_ns;
	}
}

/* What a managed thread neither ran nor was ready for: others had stopped it. */
static uint32_t standing_stack(struct account *t, const struct piece *piece,
			       const struct model_sample *sample)
{
	const uint32_t stack = own_stack(t, sample->stack);

	if (stack != sample->stack)
		return stack;
	if (is_stop(piece))
		return stop_stack(t, piece, stack);
	if (sample->kind == SAMPLE_MANAGED && piece->of == PIECE_RUNS)
		return label(t, stack, SUSPENDED);
	return stack;
}

static void add_measured(struct account *t, const struct piece *piece, struct model_sample *sample)
{
	struct interval *now = &t->now;
	const enum piece_class of = piece->of;
	const bool native = of == PIECE_MAY_RUN || of == PIECE_WAITS;
	uint32_t running;
	int64_t run_ns, ready_ns;
	double past;

	now->past[of] += piece->length_ns;
	past = now->lasts[of] ? (double)now->past[of] / (double)now->lasts[of] : 1;
	run_ns = share(now->run[of], &now->run_given[of], past);
	ready_ns = share(now->ready[of], &now->ready_given[of], past);
	if (native)
		save_up(t, &run_ns, &ready_ns, piece->length_ns);
	running = run_ns || ready_ns ? running_stack(t, sample, piece) : sample->stack;
	add(t, sample, SAMPLE_CPU, running, run_ns);
	add(t, sample, SAMPLE_READY, running, ready_ns);
	if (piece->length_ns - run_ns - ready_ns >= ROUNDING_NS)
		add(t, sample, SAMPLE_EXTERNAL, standing_stack(t, piece, sample),
		    piece->length_ns - run_ns - ready_ns);
}

/* All pieces of the interval; those outside of readings are of unknown use. */
static void divide(struct account *t)
{
	struct piece_walk *walk = &t->behind;
	const bool measured = t->a->model->processes[t->process].measured;
	struct piece piece;

	while (piece_walk_next(walk, t->now.to_ns, &piece)) {
		struct model_sample sample = walk->sample;

		sample.time_ns = piece.from_ns;
		sample.part = !piece.first;
		if (t->now.measured)
			add_measured(t, &piece, &sample);
		else if (!measured)
			add_unmeasured(t, &piece, &sample);
		else if (!walk->sample.is_last)
			add(t, &sample, SAMPLE_ERROR, own_stack(t, sample.stack), piece.length_ns);
		piece_walk_pass(walk);
	}
}

/* What classes leave is used by code that no sample shows, in the time that none covers. */
static void plan_unseen(struct interval *now, int64_t *run_left, int64_t *ready_left)
{
	int64_t uncovered_ns = now->to_ns - now->from_ns;

	for (int of = 0; of < PIECE_CLASSES; of++)
		uncovered_ns -= now->lasts[of];
	if (uncovered_ns <= 0)
		return;
	now->unseen.run_ns = least(*run_left, uncovered_ns);
	now->unseen.ready_ns = least(*ready_left, uncovered_ns - now->unseen.run_ns);
	now->unseen.blocked_ns = uncovered_ns - now->unseen.run_ns - now->unseen.ready_ns;
	*run_left -= now->unseen.run_ns;
	*ready_left -= now->unseen.ready_ns;
}

/* The rest, if clocks differ a little: to the first class that has pieces, so that sums hold. */
static void plan_rest(struct interval *now, int64_t run_ns, int64_t ready_ns)
{
	int of = 0;

	while (of < PIECE_CLASSES && !now->lasts[of])
		of++;
	if (of < PIECE_CLASSES) {
		now->run[of] += run_ns;
		now->ready[of] += ready_ns;
	} else {
		now->unseen.run_ns += run_ns;
		now->unseen.ready_ns += ready_ns;
	}
}

/* Which class gets how much: in their order, as long as pieces of it last. */
static void plan(struct interval *now)
{
	const int64_t busy_ns = now->run_ns + now->ready_ns;
	int64_t left_ns = busy_ns;
	int64_t run_left = now->run_ns, ready_left = now->ready_ns;

	for (int of = 0; of < PIECE_CLASSES && busy_ns; of++) {
		const int64_t takes_ns = least(left_ns, now->lasts[of]);
		const double runs = (double)now->run_ns / (double)busy_ns;

		now->run[of] = least(run_left, (int64_t)((double)takes_ns * runs));
		now->ready[of] = least(ready_left, takes_ns - now->run[of]);
		left_ns -= takes_ns;
		run_left -= now->run[of];
		ready_left -= now->ready[of];
	}
	plan_unseen(now, &run_left, &ready_left);
	plan_rest(now, run_left, ready_left);
}

static bool traces(const char *name)
{
	return name && !strcmp(name, ".NET EventPipe");
}

/* The thread's name is all that is known of code that no sample shows. */
static uint32_t unseen_stack(struct account *t)
{
	struct model *model = t->a->model;
	const struct model_thread *thread = &model->threads[t->thread];
	const char *name = thread->name ? thread->name : "without a name";
	char text[128];

	if (traces(thread->name))
		return label(t, STACK_EMPTY, TRACING);
	snprintf(text, sizeof(text), thread->id == MODEL_ENDED_THREADS ? "[%s]" : "[thread %s]",
		 name);
	utf8_trim(text);
	return stack_tree_child(&model->stacks, STACK_EMPTY, model_label(model, t->process, text));
}

static int64_t unseen_ns(const struct unseen *unseen)
{
	return unseen->run_ns + unseen->ready_ns + unseen->blocked_ns;
}

/* At the end of the interval, after all pieces. Where such a thread waits, nobody knows. */
static void add_unseen(struct account *t)
{
	const struct unseen *unseen = &t->now.unseen;
	struct model_sample sample = { .time_ns = t->now.to_ns - unseen_ns(unseen),
				       .thread = t->thread,
				       .part = true };
	const uint32_t stack = unseen->run_ns || unseen->ready_ns ? unseen_stack(t) : STACK_EMPTY;

	add(t, &sample, SAMPLE_CPU, stack, unseen->run_ns);
	add(t, &sample, SAMPLE_READY, stack, unseen->ready_ns);
	if (t->a->model->threads[t->thread].id != MODEL_ENDED_THREADS)
		add(t, &sample, SAMPLE_EXTERNAL, STACK_EMPTY, unseen->blocked_ns);
}

static void look_ahead(struct account *t)
{
	struct piece piece;

	while (piece_walk_next(&t->ahead, t->now.to_ns, &piece)) {
		t->now.lasts[piece.of] += piece.length_ns;
		piece_walk_pass(&t->ahead);
	}
}

static void take_interval(struct account *t)
{
	look_ahead(t);
	plan(&t->now);
	divide(t);
	add_unseen(t);
}

/* The kernel's account of more than the time there was is not believed. */
static int64_t believed(const struct account *t, int64_t ns)
{
	const int64_t length_ns = t->now.to_ns - t->now.from_ns;
	const bool many = t->a->model->threads[t->thread].id == MODEL_ENDED_THREADS;
	const int64_t most_ns = length_ns > INT64_MAX / MOST_THREADS / 2
					? SLACK_NS
					: length_ns * (many ? MOST_THREADS : 2) + SLACK_NS;

	return ns < most_ns ? ns : most_ns;
}

/* False after the last reading. */
static bool next_reading(struct account *t, struct interval *made)
{
	struct model_sample run, ready;

	if (!sample_walk_next(&t->readings, &run) || !sample_walk_next(&t->readings, &ready))
		return false;
	*made = (struct interval){ .from_ns = t->now.to_ns,
				   .to_ns = run.time_ns,
				   .run_ns = run.weight,
				   .ready_ns = ready.weight };
	return true;
}

/* Before the first reading, from one to the next, and after the last one. */
static void take_intervals(struct account *t)
{
	const struct model_process *process = &t->a->model->processes[t->process];
	struct interval next;
	bool begun = false;

	t->now = (struct interval){ .from_ns = INT64_MIN, .to_ns = INT64_MIN };
	while (next_reading(t, &next)) {
		t->now = next;
		t->now.measured = begun;
		if (begun && t->now.to_ns > t->now.from_ns) {
			t->now.run_ns = believed(t, t->now.run_ns);
			t->now.ready_ns = believed(t, t->now.ready_ns);
			take_interval(t);
		} else {
			look_ahead(t);
			divide(t);
		}
		begun = true;
	}
	if (begun && t->now.to_ns < process->readings_to_ns) {
		t->now = (struct interval){ .from_ns = t->now.to_ns,
					    .to_ns = process->readings_to_ns,
					    .measured = true };
		take_interval(t);
	}
	t->now = (struct interval){ .from_ns = t->now.to_ns, .to_ns = INT64_MAX };
	divide(t);
}

/* What was saved up and found no sample any more. */
static void add_saved(struct account *t)
{
	struct model_sample sample = t->last;
	const uint32_t stack = sample.stack;

	sample.part = true;
	if (!t->has_last)
		return;
	add(t, &sample, SAMPLE_CPU, stack, t->saved_run_ns);
	add(t, &sample, SAMPLE_READY, stack, t->saved_ready_ns);
}

static void take_thread(struct accounting *a, uint32_t thread)
{
	const struct samples *samples = &a->model->samples;
	struct account t = { .a = a,
			     .thread = thread,
			     .process = a->model->threads[thread].process };

	for (int i = 0; i < LABELS; i++)
		t.labels[i] = MODEL_NONE;
	piece_walk_begin(&t.ahead, &a->rules, thread);
	piece_walk_begin(&t.behind, &a->rules, thread);
	sample_walk_thread(&t.others, samples, thread, UNTIL_NOTHING);
	t.has_other = sample_walk_next(&t.others, &t.other);
	sample_walk_thread(&t.readings, &a->model->readings, thread, UNTIL_NOTHING);
	take_intervals(&t);
	add_saved(&t);
	pass_others(&t, INT64_MAX);
	piece_walk_end(&t.ahead);
	piece_walk_end(&t.behind);
	sample_walk_end(&t.others);
	sample_walk_end(&t.readings);
}

/*
 * Whether the sampler's marks can be believed. Some runtimes mark nothing as managed; but neither
 * does any other in a process that does nothing but wait.
 */
static bool marks_managed(const struct accounting *a)
{
	const struct samples *samples = &a->model->samples;
	struct sample_walk walk;
	struct model_sample sample;
	uint64_t others = 0;

	if (samples->counts[SAMPLE_MANAGED])
		return true;
	sample_walk_begin(&walk, samples, UNTIL_NOTHING);
	while (sample_walk_next(&walk, &sample))
		others += sample.kind == SAMPLE_EXTERNAL &&
			  (a->roles.list[sample.stack] == ROLE_PLAIN ||
			   a->roles.list[sample.stack] == ROLE_POLLS);
	sample_walk_end(&walk);
	return others * UNMARKED_PART < samples->counts[SAMPLE_EXTERNAL] || !others;
}

bool account_time(struct model *model)
{
	struct accounting a = { .model = model,
				.roles = stack_roles_of(model),
				.native =
					xcalloc((size_t)model->stacks.count + 1, sizeof(uint32_t)),
				.out = { .shared = model->samples.shared, .weighed = true } };

	a.rules = (struct piece_rules){ .model = model,
					.roles = a.roles.list,
					.marked = marks_managed(&a) };
	for (uint32_t i = 0; i < model->thread_count; i++)
		take_thread(&a, i);
	samples_release(&model->samples);
	model->samples = a.out;
	stack_tree_seal(&model->stacks);
	stack_roles_release(&a.roles);
	xfree(a.native);
	return a.rules.marked;
}

bool cpu_was_measured(const struct model *model)
{
	bool all = model->process_count > 0;

	for (size_t i = 0; i < model->process_count; i++)
		all &= model->processes[i].measured;
	return all || (!model->samples.counts[SAMPLE_MANAGED] &&
		       model->samples.counts[SAMPLE_CPU] + model->samples.counts[SAMPLE_SWITCH]);
}

static int64_t readings_length(const struct model *model)
{
	int64_t longest = 0;

	for (size_t i = 0; i < model->process_count; i++) {
		const struct model_process *process = &model->processes[i];

		if (process->measured &&
		    process->readings_to_ns - process->readings_from_ns > longest)
			longest = process->readings_to_ns - process->readings_from_ns;
	}
	return longest;
}

double cpu_share_taken(const struct model *model)
{
	double run = 0;
	double ready = 0;
	double left;
	struct sample_walk walk;
	struct model_sample sample;

	sample_walk_begin(&walk, &model->readings, UNTIL_NOTHING);
	while (sample_walk_next(&walk, &sample))
		*(sample.kind == SAMPLE_READY ? &ready : &run) += (double)sample.weight;
	sample_walk_end(&walk);
	left = (double)readings_length(model) * model->processors - run;
	if (left < ready)
		ready = left > 0 ? left : 0;
	return run + ready > 0 ? ready / (run + ready) : 0;
}
