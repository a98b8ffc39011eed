/* SPDX-License-Identifier: MIT */
#include "unwind/cfi_program.h"

#define REMEMBERED_MOST 16

enum register_rule_kind {
	RULE_UNSET,
	RULE_SAME,
	RULE_UNDEFINED,
	RULE_AT_OFFSET,
	RULE_IS_OFFSET,
	RULE_AT_EXPRESSION,
	RULE_IS_EXPRESSION,
	RULE_IN_REGISTER,
};

struct register_rule {
	enum register_rule_kind kind;
	int64_t offset; /* from the CFA; or a register */
	struct cursor expression;
};

/* A row of the table that DWARF describes: how the frame is laid out at one address. */
struct frame_layout {
	bool cfa_is_expression;
	uint64_t cfa_register;
	int64_t cfa_offset;
	struct cursor cfa_expression;
	uint64_t set; /* registers that have a rule */
	struct register_rule registers[UNWIND_REGISTERS];
};

struct program {
	struct table_builder *builder;
	const struct cfi_section *section;
	const struct cfi_fde *fde;
	struct cursor c;
	uint64_t location;
	struct frame_layout now, initial, remembered[REMEMBERED_MOST];
	unsigned depth;
	bool is_initial, failed;
};

/* What an instruction is followed by. */
struct operands {
	uint64_t a;
	int64_t b;
	struct cursor block;
};

static void set_register(struct program *program, uint64_t number, enum register_rule_kind kind,
			 int64_t offset)
{
	if (number >= UNWIND_REGISTERS)
		return; /* of vectors and the like, which no caller is found by */
	program->now.registers[number] = (struct register_rule){ .kind = kind, .offset = offset };
	program->now.set |= UINT64_C(1) << number;
}

static void set_block(struct program *program, uint64_t number, enum register_rule_kind kind,
		      struct cursor block)
{
	set_register(program, number, kind, 0);
	if (number < UNWIND_REGISTERS)
		program->now.registers[number].expression = block;
}

static bool fits(int64_t offset)
{
	return offset % 8 == 0 && offset / 8 > SAVED_UNDEFINED && offset / 8 < SAVED_ELSEWHERE;
}

/* -1: the machine does not keep it across calls. */
static int saved_index(const struct unwind_machine *machine, unsigned number)
{
	for (int i = 0; i < machine->saved_count; i++)
		if (machine->saved[i] == number)
			return i;
	return -1;
}

static const uint8_t other_kinds[] = {
	[RULE_AT_OFFSET] = OTHER_AT_OFFSET,	    [RULE_IS_OFFSET] = OTHER_IS_OFFSET,
	[RULE_AT_EXPRESSION] = OTHER_AT_EXPRESSION, [RULE_IS_EXPRESSION] = OTHER_IS_EXPRESSION,
	[RULE_IN_REGISTER] = OTHER_IN_REGISTER,
};

static struct unwind_other other_from(struct program *program, unsigned number,
				      const struct register_rule *from)
{
	const bool is_expression =
		from->kind == RULE_AT_EXPRESSION || from->kind == RULE_IS_EXPRESSION;

	return (struct unwind_other){
		.number = (uint16_t)number,
		.kind = other_kinds[from->kind],
		.offset = is_expression
				  ? table_builder_expression(program->builder, from->expression.at,
							     cursor_left(&from->expression))
				  : (int32_t)from->offset,
	};
}

/* False: it has to be one of the others. */
static bool put_saved(struct unwind_rule *rule, int index, const struct register_rule *from)
{
	if (from->kind == RULE_SAME || from->kind == RULE_UNDEFINED || from->kind == RULE_UNSET) {
		if (index >= 0)
			rule->saved[index] =
				from->kind == RULE_UNDEFINED ? SAVED_UNDEFINED : SAVED_SAME;
		return true;
	}
	if (index < 0)
		return false;
	rule->saved[index] = SAVED_ELSEWHERE;
	if (from->kind != RULE_AT_OFFSET || !fits(from->offset))
		return false;
	rule->saved[index] = (int16_t)(from->offset / 8);
	return true;
}

/* The register of the return address may be another one, as in some frames of signals. */
static unsigned actual_number(const struct program *program, unsigned number)
{
	const struct unwind_machine *machine = program->section->machine;

	return number == program->fde->cie.return_register ? machine->return_address : number;
}

static void put_registers(struct program *program, struct unwind_rule *rule)
{
	const struct frame_layout *now = &program->now;
	struct unwind_other others[UNWIND_REGISTERS];
	size_t count = 0;

	for (uint64_t left = now->set; left; left &= left - 1) {
		const unsigned number = (unsigned)__builtin_ctzll(left);
		const unsigned actual = actual_number(program, number);

		if (!put_saved(rule, saved_index(program->section->machine, actual),
			       &now->registers[number]))
			others[count++] = other_from(program, actual, &now->registers[number]);
	}
	rule->other_count = (uint8_t)count;
	if (count)
		rule->first_other = table_builder_others(program->builder, others, count);
}

static struct unwind_rule rule_now(struct program *program)
{
	const struct frame_layout *now = &program->now;
	struct unwind_rule rule = { .kind = UNWIND_BY_REGISTER };

	for (size_t i = 0; i < UNWIND_SAVED; i++)
		rule.saved[i] = SAVED_SAME;
	put_registers(program, &rule);
	if (rule.saved[0] == SAVED_UNDEFINED)
		return (struct unwind_rule){ .kind = UNWIND_OUTERMOST };
	if (program->fde->cie.is_signal_frame)
		rule.flags = UNWIND_SIGNAL_FRAME;
	if (now->cfa_is_expression) {
		rule.kind = UNWIND_BY_EXPRESSION;
		rule.cfa_offset = table_builder_expression(program->builder, now->cfa_expression.at,
							   cursor_left(&now->cfa_expression));
	} else if (now->cfa_register < UNWIND_REGISTERS &&
		   now->cfa_offset == (int32_t)now->cfa_offset) {
		rule.cfa_register = (uint8_t)now->cfa_register;
		rule.cfa_offset = (int32_t)now->cfa_offset;
	} else {
		return (struct unwind_rule){ .kind = UNWIND_NO_RULE };
	}
	return rule;
}

/* Ends the row that began at the location. */
static void advance(struct program *program, uint64_t to)
{
	if (program->is_initial || to < program->location) {
		program->failed = true;
		return;
	}
	if (to > program->location) {
		const struct unwind_rule rule = rule_now(program);

		table_builder_row(program->builder, program->location, &rule);
	}
	program->location = to;
}

static void advance_by(struct program *program, const struct operands *o)
{
	const uint64_t left = program->fde->end - program->location;
	uint64_t distance;

	/* beyond the end nothing follows */
	if (__builtin_mul_overflow(o->a, program->fde->cie.code_alignment, &distance) ||
	    distance > left)
		distance = left;
	advance(program, program->location + distance);
}

static void advance_to(struct program *program, const struct operands *o)
{
	advance(program, o->a < program->fde->end ? o->a : program->fde->end);
}

static void nothing(struct program *program, const struct operands *o)
{
	(void)program;
	(void)o;
}

static void at_offset(struct program *program, const struct operands *o)
{
	set_register(program, o->a, RULE_AT_OFFSET, o->b);
}

static void at_negative_offset(struct program *program, const struct operands *o)
{
	set_register(program, o->a, RULE_AT_OFFSET, (int64_t)(0 - (uint64_t)o->b));
}

static void is_offset(struct program *program, const struct operands *o)
{
	set_register(program, o->a, RULE_IS_OFFSET, o->b);
}

static void in_register(struct program *program, const struct operands *o)
{
	if ((uint64_t)o->b < UNWIND_REGISTERS)
		set_register(program, o->a, RULE_IN_REGISTER, o->b);
	else
		set_register(program, o->a, RULE_UNDEFINED, 0);
}

static void undefined(struct program *program, const struct operands *o)
{
	set_register(program, o->a, RULE_UNDEFINED, 0);
}

static void same_value(struct program *program, const struct operands *o)
{
	set_register(program, o->a, RULE_SAME, 0);
}

static void at_expression(struct program *program, const struct operands *o)
{
	set_block(program, o->a, RULE_AT_EXPRESSION, o->block);
}

static void is_expression(struct program *program, const struct operands *o)
{
	set_block(program, o->a, RULE_IS_EXPRESSION, o->block);
}

static void restore(struct program *program, const struct operands *o)
{
	program->failed |= program->is_initial; /* there is nothing to go back to */
	if (program->failed || o->a >= UNWIND_REGISTERS)
		return;
	set_register(program, o->a, RULE_UNSET, 0);
	program->now.registers[o->a] = program->initial.registers[o->a];
}

static void remember_state(struct program *program, const struct operands *o)
{
	(void)o;
	if (program->depth == REMEMBERED_MOST)
		program->failed = true;
	else
		program->remembered[program->depth++] = program->now;
}

static void restore_state(struct program *program, const struct operands *o)
{
	(void)o;
	if (!program->depth)
		program->failed = true;
	else
		program->now = program->remembered[--program->depth];
}

static void define_cfa(struct program *program, const struct operands *o)
{
	program->now.cfa_is_expression = false;
	program->now.cfa_register = o->a;
	program->now.cfa_offset = o->b;
}

static void define_cfa_register(struct program *program, const struct operands *o)
{
	program->now.cfa_is_expression = false;
	program->now.cfa_register = o->a;
}

static void define_cfa_offset(struct program *program, const struct operands *o)
{
	program->now.cfa_offset = o->b;
}

static void define_cfa_expression(struct program *program, const struct operands *o)
{
	program->now.cfa_is_expression = true;
	program->now.cfa_expression = o->block;
}

/*
 * Operands by letters: a register or number u (into a); an offset o, signed s, in units of the data
 * alignment f or, signed, g (into b); numbers of 1, 2, 4 bytes, an address l (into a); a block b.
 */
struct cfi_instruction {
	void (*run)(struct program *program, const struct operands *o);
	const char *operands;
};

static const struct cfi_instruction instructions[0x40] = {
	[0x00] = { nothing, "" },
	[0x01] = { advance_to, "l" },
	[0x02] = { advance_by, "1" },
	[0x03] = { advance_by, "2" },
	[0x04] = { advance_by, "4" },
	[0x05] = { at_offset, "uf" },
	[0x06] = { restore, "u" },
	[0x07] = { undefined, "u" },
	[0x08] = { same_value, "u" },
	[0x09] = { in_register, "uo" },
	[0x0a] = { remember_state, "" },
	[0x0b] = { restore_state, "" },
	[0x0c] = { define_cfa, "uo" },
	[0x0d] = { define_cfa_register, "u" },
	[0x0e] = { define_cfa_offset, "o" },
	[0x0f] = { define_cfa_expression, "b" },
	[0x10] = { at_expression, "ub" },
	[0x11] = { at_offset, "ug" },
	[0x12] = { define_cfa, "ug" },
	[0x13] = { define_cfa_offset, "g" },
	[0x14] = { is_offset, "uf" },
	[0x15] = { is_offset, "ug" },
	[0x16] = { is_expression, "ub" },
	[0x2c] = { nothing, "" },  /* aarch64: return addresses are signed, or no longer; */
	[0x2d] = { nothing, "" },  /* the mask of the machine removes that in any case */
	[0x2e] = { nothing, "u" }, /* GNU: the size of arguments on the stack */
	[0x2f] = { at_negative_offset, "uf" },
};

static int64_t in_units(const struct program *program, uint64_t number)
{
	return (int64_t)(number * (uint64_t)program->fde->cie.data_alignment);
}

static void read_operand(struct program *program, char letter, struct operands *o)
{
	struct cursor *c = &program->c;

	switch (letter) {
	case 'u':
		o->a = cursor_varint64(c);
		break;
	case 'o':
		o->b = (int64_t)cursor_varint64(c);
		break;
	case 'f':
		o->b = in_units(program, cursor_varint64(c));
		break;
	case 'g':
		o->b = in_units(program, (uint64_t)cursor_sleb64(c));
		break;
	case '1':
		o->a = cursor_u8(c);
		break;
	case '2':
		o->a = cursor_u16(c);
		break;
	case '4':
		o->a = cursor_u32(c);
		break;
	case 'l':
		o->a = cfi_read_address(program->section, c, program->fde->cie.encoding);
		break;
	default:
		o->block = cursor_within(c, (size_t)cursor_varint64(c));
	}
}

/* The two high bits are an instruction with its operand in the others, or 0: those are one. */
static void run_short(struct program *program, uint8_t code)
{
	struct operands o = { .a = code & 0x3f };

	if (code >> 6 == 1) {
		advance_by(program, &o);
	} else if (code >> 6 == 3) {
		restore(program, &o);
	} else {
		read_operand(program, 'f', &o);
		at_offset(program, &o);
	}
}

static void run_long(struct program *program, const struct cfi_instruction *instruction)
{
	struct operands o = { 0 };

	if (!instruction->run) {
		program->failed = true;
		return;
	}
	for (const char *letter = instruction->operands; *letter; letter++)
		read_operand(program, *letter, &o);
	if (!program->c.failed)
		instruction->run(program, &o);
}

static void run(struct program *program, struct cursor code)
{
	program->c = code;
	while (!program->failed && !program->c.failed && cursor_left(&program->c) &&
	       program->location < program->fde->end) {
		const uint8_t next = cursor_u8(&program->c);

		if (next >> 6)
			run_short(program, next);
		else
			run_long(program, &instructions[next]);
	}
	program->failed |= program->c.failed;
}

void cfi_compile(struct table_builder *builder, const struct cfi_section *section,
		 const struct cfi_fde *fde)
{
	struct program program;
	static const struct unwind_rule none = { .kind = UNWIND_NO_RULE };

	program.builder = builder;
	program.section = section;
	program.fde = fde;
	program.location = fde->start;
	program.depth = 0;
	program.failed = false;
	program.now = (struct frame_layout){ .cfa_register = UINT64_MAX };
	program.is_initial = true;
	table_builder_function(builder, fde->start, fde->end);
	run(&program, fde->cie.instructions);
	program.is_initial = false;
	program.initial = program.now;
	if (!program.failed)
		run(&program, fde->instructions);
	if (program.failed)
		table_builder_row(builder, program.location, &none);
	else
		advance(&program, fde->end);
}
