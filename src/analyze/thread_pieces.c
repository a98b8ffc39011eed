/* SPDX-License-Identifier: MIT */
#include "analyze/thread_pieces.h"

#include "analyze/stack_roles.h"

static enum piece_class class_of(const struct piece_rules *rules, const struct model_sample *sample)
{
	const enum stack_role role = (enum stack_role)rules->roles[sample->stack];

	if (sample->kind == SAMPLE_MANAGED || sample->kind == SAMPLE_MARK || role == ROLE_POLLS)
		return PIECE_RUNS;
	if (role == ROLE_WAITS || role == ROLE_IDLE)
		return PIECE_WAITS;
	return rules->marked || sample->kind == SAMPLE_ERROR ? PIECE_MAY_RUN : PIECE_RUNS;
}

static bool makes_pieces(const struct piece_walk *walk)
{
	return walk->sample.kind <= SAMPLE_MANAGED ||
	       (walk->sample.kind == SAMPLE_MARK && walk->sampled);
}

/*
 * A mark shows what its thread does, but not for how long: unless that was measured, the thread is
 * as the sampler saw it last, so that marks do not change how much it ran.
 */
static void take_state(struct piece_walk *walk)
{
	const struct model *model = walk->rules->model;

	if (walk->sample.kind != SAMPLE_MARK) {
		walk->state = walk->sample.kind;
		walk->sampled = true;
		return;
	}
	walk->sample.part = true;
	if (!model->processes[walk->process].measured)
		walk->sample.kind = walk->state;
}

static void next_sample(struct piece_walk *walk)
{
	do
		walk->has_sample = sample_walk_next(&walk->samples, &walk->sample);
	while (walk->has_sample && !makes_pieces(walk));
	if (!walk->has_sample)
		return;
	take_state(walk);
	walk->at_ns = walk->sample.time_ns;
	walk->end_ns = walk->at_ns + (walk->sample.weight > 0 ? walk->sample.weight : 0);
}

void piece_walk_begin(struct piece_walk *walk, const struct piece_rules *rules, uint32_t thread)
{
	const struct samples *samples = &rules->model->samples;

	*walk = (struct piece_walk){ .rules = rules,
				     .process = rules->model->threads[thread].process };
	sample_walk_thread(&walk->samples, samples, thread,
			   samples->counts[SAMPLE_NOTE] ? UNTIL_SAMPLE : UNTIL_EVENT);
	next_sample(walk);
}

/* The stop of the process that is not over at `at_ns`; NULL: none, or none that matters yet. */
static const struct model_stop *find_stop(struct piece_walk *walk)
{
	const struct model *model = walk->rules->model;

	while (walk->stop < model->stop_count &&
	       (model->stops[walk->stop].process != walk->process ||
		model->stops[walk->stop].to_ns <= walk->at_ns))
		walk->stop++;
	return walk->stop < model->stop_count ? &model->stops[walk->stop] : NULL;
}

bool piece_walk_next(struct piece_walk *walk, int64_t to_ns, struct piece *piece)
{
	const struct model_stop *stop;

	if (!walk->has_sample || walk->at_ns >= to_ns)
		return false;
	*piece = (struct piece){ .from_ns = walk->at_ns,
				 .of = class_of(walk->rules, &walk->sample),
				 .first = walk->at_ns == walk->sample.time_ns &&
					  !walk->sample.part };
	to_ns = walk->end_ns < to_ns ? walk->end_ns : to_ns;
	stop = piece->of == PIECE_RUNS ? find_stop(walk) : NULL;
	if (stop && stop->from_ns <= walk->at_ns) {
		piece->of = stop->thread == walk->sample.thread ? PIECE_COLLECTS : PIECE_STOPPED;
		to_ns = stop->to_ns < to_ns ? stop->to_ns : to_ns;
	} else if (stop && stop->from_ns < to_ns) {
		to_ns = stop->from_ns;
	}
	piece->length_ns = to_ns - walk->at_ns;
	walk->at_ns = to_ns;
	return true;
}

void piece_walk_pass(struct piece_walk *walk)
{
	if (walk->at_ns >= walk->end_ns)
		next_sample(walk);
}

void piece_walk_end(struct piece_walk *walk)
{
	sample_walk_end(&walk->samples);
}
