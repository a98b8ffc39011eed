/* SPDX-License-Identifier: MIT */
#include "unwind/unwind.h"

#include "unwind/expression.h"

#define GUESSES_MOST 8
#define GUESS_WORDS  128 /* how far up the stack a return address is looked for */
#define STUB_WORDS   3	 /* a stub of the CLR has pushed less */

/* One frame after the other; `now` are the registers of the last one. */
struct stack_walk {
	const struct address_space *space;
	const struct unwind_machine *machine;
	const struct captured_stack *stack;
	struct unwind_registers *now, *spare; /* a step fills the spare ones, and exchanges them */
	const struct code_mapping *mapping;
	bool exact; /* the program counter is not a return address */
	unsigned guesses;
	enum unwind_reason reason; /* once a step has failed */
};

static bool fails(struct stack_walk *walk, enum unwind_reason reason)
{
	walk->reason = reason;
	return false;
}

/* Memory that was not captured: above it is the rest of the stack, below nothing that is in use. */
static bool fails_beyond(struct stack_walk *walk, uint64_t address)
{
	return fails(walk,
		     address >= walk->stack->start ? UNWIND_END_CAPTURED : UNWIND_END_CORRUPT);
}

static uint64_t known_value(const struct stack_walk *walk, unsigned number)
{
	return register_known(walk->now, number) ? walk->now->value[number] : 0;
}

static uint64_t stack_pointer(const struct stack_walk *walk)
{
	return walk->now->value[walk->machine->sp];
}

static bool is_code(const struct stack_walk *walk, uint64_t return_address)
{
	return address_space_find(walk->space, return_address - 1) != NULL;
}

static const struct unwind_table *table_of(const struct stack_walk *walk)
{
	return &walk->mapping->module->table;
}

static bool evaluate(struct stack_walk *walk, int32_t place, uint64_t *value)
{
	const struct unwind_table *table = table_of(walk);
	struct cursor all = cursor_over(table->expressions, table->expressions_size);
	struct expression_input input = { walk->now, walk->stack, 0 };
	struct cursor code;

	cursor_bytes(&all, (size_t)place);
	code = cursor_within(&all, cursor_u32(&all));
	switch (expression_evaluate(code, &input, value)) {
	case EXPRESSION_DONE:
		return true;
	case EXPRESSION_BEYOND:
		return fails_beyond(walk, input.missing);
	case EXPRESSION_UNKNOWN:
		return fails(walk, UNWIND_END_NO_RULE);
	default:
		return fails(walk, UNWIND_END_CORRUPT);
	}
}

static bool find_cfa(struct stack_walk *walk, const struct unwind_rule *rule, uint64_t *cfa)
{
	if (rule->kind == UNWIND_BY_EXPRESSION) {
		*cfa = 0;
		return evaluate(walk, rule->cfa_offset, cfa);
	}
	if (!register_known(walk->now, rule->cfa_register))
		return fails(walk, UNWIND_END_NO_RULE);
	*cfa = walk->now->value[rule->cfa_register] + (uint64_t)(int64_t)rule->cfa_offset;
	return true;
}

/*
 * A caller's frame is above; a signal may have come on another stack. A function that has pushed
 * nothing, or popped its return address as that of vfork does, has the caller's stack pointer.
 */
static bool cfa_is_possible(const struct stack_walk *walk, const struct unwind_rule *rule,
			    uint64_t cfa)
{
	const uint64_t sp = stack_pointer(walk);

	if (rule->flags & UNWIND_SIGNAL_FRAME)
		return true;
	return cfa > sp || (cfa == sp && walk->exact);
}

/*
 * A register that cannot be read is not known; only the return address has to be. What an
 * interrupted function has saved below its stack pointer it has popped again: compilers do not say
 * so for each instruction of an epilogue.
 */
static bool recover_saved(struct stack_walk *walk, const struct unwind_rule *rule, uint64_t cfa)
{
	struct unwind_registers *next = walk->spare;

	for (unsigned i = 0; i < walk->machine->saved_count; i++) {
		const unsigned number = walk->machine->saved[i];
		const int16_t saved = rule->saved[i];
		const uint64_t at = cfa + (uint64_t)(8 * (int64_t)saved);
		uint64_t value;

		if (saved == SAVED_UNDEFINED || saved == SAVED_ELSEWHERE)
			continue;
		if (saved == SAVED_SAME || (walk->exact && at < stack_pointer(walk) && i)) {
			if (register_known(walk->now, number))
				register_set(next, number, walk->now->value[number]);
		} else if (stack_read(walk->stack, at, &value)) {
			register_set(next, number, value);
		} else if (!i) {
			return fails_beyond(walk, at);
		}
	}
	return true;
}

static bool recover_other(struct stack_walk *walk, const struct unwind_other *other, uint64_t cfa,
			  uint64_t *value)
{
	const uint64_t offset = cfa + (uint64_t)(int64_t)other->offset;

	*value = cfa;
	switch ((enum unwind_other_kind)other->kind) {
	case OTHER_AT_OFFSET:
		return stack_read(walk->stack, offset, value) || fails_beyond(walk, offset);
	case OTHER_IS_OFFSET:
		*value = offset;
		return true;
	case OTHER_IS_EXPRESSION:
		return evaluate(walk, other->offset, value);
	case OTHER_AT_EXPRESSION: {
		uint64_t at = cfa;

		return evaluate(walk, other->offset, &at) &&
		       (stack_read(walk->stack, at, value) || fails_beyond(walk, at));
	}
	default:
		*value = known_value(walk, (unsigned)other->offset);
		return register_known(walk->now, (unsigned)other->offset) ||
		       fails(walk, UNWIND_END_NO_RULE);
	}
}

static bool recover_others(struct stack_walk *walk, const struct unwind_rule *rule, uint64_t cfa)
{
	for (unsigned i = 0; i < rule->other_count; i++) {
		const struct unwind_other *other = &table_of(walk)->others[rule->first_other + i];
		uint64_t value;

		if (recover_other(walk, other, cfa, &value))
			register_set(walk->spare, other->number, value);
		else if (other->number == walk->machine->return_address)
			return false;
	}
	return true;
}

/* The spare registers have the return address: it becomes the program counter. */
static bool enter(struct stack_walk *walk, bool exact)
{
	const struct unwind_machine *machine = walk->machine;
	struct unwind_registers *next = walk->spare;
	uint64_t pc;

	if (!register_known(next, machine->return_address))
		return fails(walk, UNWIND_END_NO_RULE);
	pc = next->value[machine->return_address] & machine->address_mask;
	if (!pc)
		return fails(walk, UNWIND_END_START);
	if (pc == walk->now->value[machine->pc] && next->value[machine->sp] == stack_pointer(walk))
		return fails(walk, UNWIND_END_CORRUPT);
	register_set(next, machine->pc, pc);
	walk->spare = walk->now;
	walk->now = next;
	walk->exact = exact;
	return true;
}

static bool step_by_rule(struct stack_walk *walk, const struct unwind_rule *rule)
{
	struct unwind_registers *next = walk->spare;
	uint64_t cfa;

	next->known = 0;
	if (!find_cfa(walk, rule, &cfa))
		return false;
	if (!cfa_is_possible(walk, rule, cfa))
		return fails(walk, UNWIND_END_CORRUPT);
	register_set(next, walk->machine->sp, cfa);
	return recover_saved(walk, rule, cfa) && recover_others(walk, rule, cfa) &&
	       enter(walk, rule->flags & UNWIND_SIGNAL_FRAME);
}

/* For steps that change only some. */
static struct unwind_registers *copy_registers(struct stack_walk *walk)
{
	*walk->spare = *walk->now;
	return walk->spare;
}

/* Both machines push the frame pointer below the return address, and point it there. */
static bool step_by_frame_pointer(struct stack_walk *walk)
{
	const struct unwind_machine *machine = walk->machine;
	struct unwind_registers *next = copy_registers(walk);
	const uint64_t fp = known_value(walk, machine->saved[1]);
	uint64_t caller_fp, address;

	if (!register_known(walk->now, machine->saved[1]) || (fp && fp < stack_pointer(walk)) ||
	    fp % 8)
		return fails(walk, UNWIND_END_NO_RULE);
	if (!fp) /* as the ABI has it of the outermost frame */
		return fails(walk, UNWIND_END_START);
	if (!stack_read(walk->stack, fp, &caller_fp) || !stack_read(walk->stack, fp + 8, &address))
		return fails_beyond(walk, fp + 8);
	if (address && !is_code(walk, address & machine->address_mask))
		return fails(walk, UNWIND_END_NO_RULE);
	register_set(next, machine->sp, fp + 16);
	register_set(next, machine->saved[1], caller_fp);
	register_set(next, machine->return_address, address);
	return enter(walk, false);
}

/* A stub may have pushed arguments on top of its return address, which is then in managed code. */
static bool find_leaf_address(const struct stack_walk *walk, uint64_t *at, uint64_t *address)
{
	const struct code_mapping *mapping;

	if (!stack_read(walk->stack, *at, address) || is_code(walk, *address))
		return true;
	for (unsigned i = 1; i < STUB_WORDS; i++) {
		*at += 8;
		if (stack_read(walk->stack, *at, address) &&
		    address_space_rule(walk->space, *address - 1, &mapping)->kind !=
			    UNWIND_NO_RULE &&
		    mapping->module->is_managed)
			return true;
	}
	return false;
}

/* A stub has no frame: the caller is where its call has put the return address. */
static bool step_from_leaf(struct stack_walk *walk)
{
	const struct unwind_machine *machine = walk->machine;
	struct unwind_registers *next = copy_registers(walk);
	uint64_t sp = stack_pointer(walk);
	uint64_t address = known_value(walk, machine->return_address);

	if (machine->call_pushes) {
		if (!find_leaf_address(walk, &sp, &address))
			return fails(walk, UNWIND_END_NO_RULE);
		if (!stack_has(walk->stack, sp, sizeof(address)))
			return fails_beyond(walk, sp);
		sp += 8;
	}
	if (!is_code(walk, address & machine->address_mask))
		return fails(walk, UNWIND_END_NO_RULE);
	register_set(next, machine->sp, sp);
	register_set(next, machine->return_address, address);
	return enter(walk, false);
}

/* The next word on the stack that points after an instruction of a function we could unwind. */
static bool step_by_guess(struct stack_walk *walk)
{
	const struct code_mapping *mapping = walk->mapping;
	const enum unwind_reason reason = walk->reason;
	struct unwind_registers *next = copy_registers(walk);
	uint64_t at = stack_pointer(walk), address;

	if (walk->guesses++ == GUESSES_MOST)
		return false;
	for (unsigned i = 0; i < GUESS_WORDS && stack_read(walk->stack, at, &address); i++, at += 8)
		if (address_space_rule(walk->space, address - 1, &walk->mapping)->kind !=
		    UNWIND_NO_RULE) {
			register_set(next, walk->machine->sp, at + 8);
			register_set(next, walk->machine->return_address, address);
			return enter(walk, false);
		}
	walk->mapping = mapping;
	return fails(walk, reason);
}

static bool step_without_rule(struct stack_walk *walk, enum unwound_by *by)
{
	const bool is_managed = walk->mapping && walk->mapping->module->is_managed;

	*by = UNWOUND_LEAF;
	if (walk->exact && (is_managed || !walk->mapping) && step_from_leaf(walk))
		return true;
	if (!walk->mapping)
		return fails(walk, UNWIND_END_NO_CODE);
	*by = UNWOUND_FRAME_POINTER;
	return step_by_frame_pointer(walk);
}

/* The spare registers are those of before. */
static void undo(struct stack_walk *walk)
{
	struct unwind_registers *before = walk->spare;

	walk->spare = walk->now;
	walk->now = before;
	walk->exact = true;
}

/*
 * Stubs of the CLR push arguments and jump to functions of the runtime, whose rules know nothing of
 * that: such a function was interrupted if the caller that its rule gives is no code.
 */
static bool step_from_interrupted(struct stack_walk *walk, const struct unwind_rule *rule,
				  enum unwound_by *by)
{
	if (!step_by_rule(walk, rule))
		return false;
	if (!walk->machine->call_pushes || rule->cfa_register != walk->machine->sp ||
	    is_code(walk, walk->now->value[walk->machine->pc]))
		return true;
	undo(walk);
	*by = UNWOUND_LEAF;
	if (step_from_leaf(walk))
		return true;
	*by = UNWOUND_RULE;
	return step_by_rule(walk, rule);
}

/*
 * The call that ends a signal's handler is the last instruction of its function: in the kernel the
 * program counter is after both.
 */
static const struct unwind_rule *find_rule(struct stack_walk *walk)
{
	const uint64_t pc = walk->now->value[walk->machine->pc];
	const struct unwind_rule *rule =
		address_space_rule_near(walk->space, walk->exact ? pc : pc - 1, &walk->mapping);
	const struct code_mapping *mapping;
	const struct unwind_rule *before;

	if (rule->kind != UNWIND_NO_RULE || !walk->exact)
		return rule;
	before = address_space_rule(walk->space, pc - 1, &mapping);
	return before->flags & UNWIND_SIGNAL_FRAME ? before : rule;
}

/* False, with the reason, if there is no caller. */
static bool step(struct stack_walk *walk, enum unwound_by *by)
{
	const struct unwind_rule *rule = find_rule(walk);
	bool stepped;

	*by = UNWOUND_RULE;
	if (rule->kind == UNWIND_OUTERMOST)
		return fails(walk, UNWIND_END_START);
	if (rule->kind == UNWIND_NO_RULE)
		stepped = step_without_rule(walk, by);
	else
		stepped = walk->exact ? step_from_interrupted(walk, rule, by)
				      : step_by_rule(walk, rule);
	if (stepped || walk->reason == UNWIND_END_START || walk->reason == UNWIND_END_CAPTURED)
		return stepped;
	*by = UNWOUND_GUESS;
	return step_by_guess(walk);
}

size_t unwind_stack(const struct address_space *space, const struct unwind_registers *registers,
		    const struct captured_stack *stack, const struct unwound *to,
		    struct unwind_end *end)
{
	struct unwind_registers states[2];
	struct stack_walk walk = { .space = space,
				   .machine = space->machine,
				   .stack = stack,
				   .now = &states[0],
				   .spare = &states[1],
				   .exact = true,
				   .reason = UNWIND_END_MOST };
	enum unwound_by by = UNWOUND_SAMPLE;
	size_t count = 0;

	states[0] = *registers;
	do
		to->frames[count++] =
			(struct unwound_frame){ walk.now->value[walk.machine->pc], by, walk.exact };
	while (count < to->most && step(&walk, &by));
	*end = (struct unwind_end){ count == to->most ? UNWIND_END_MOST : walk.reason,
				    to->frames[count - 1].ip,
				    walk.mapping ? walk.mapping->module : NULL };
	return count;
}

const char *unwind_reason_text(enum unwind_reason reason)
{
	static const char *const texts[UNWIND_REASONS] = {
		[UNWIND_END_START] = "the start of the thread",
		[UNWIND_END_CAPTURED] = "the captured stack is used up",
		[UNWIND_END_NO_RULE] = "no unwind information",
		[UNWIND_END_NO_CODE] = "an address outside all code",
		[UNWIND_END_CORRUPT] = "a corrupt stack",
		[UNWIND_END_MOST] = "more frames than the limit",
	};

	return texts[reason];
}
