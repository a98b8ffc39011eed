/* SPDX-License-Identifier: MIT */
#include "unwind/clr_frame.h"

#include "unwind/x86_instruction.h"

#define WORD 8

/* The frame after some of its steps. */
struct frame_state {
	struct unwind_rule rule;
	int32_t depth; /* of the stack pointer, below the CFA */
};

void clr_frame_add(struct clr_frame *frame, const struct clr_step *step)
{
	const uint32_t last = frame->count ? frame->steps[frame->count - 1].offset : 0;
	const bool is_possible = step->value >= 0 && step->value <= CLR_FRAME_MOST &&
				 !(step->value % WORD) && step->number < X86_64_RIP &&
				 step->offset >= last;

	if (frame->count == CLR_STEPS_MOST || !is_possible)
		frame->failed = true;
	else
		frame->steps[frame->count++] = *step;
}

unsigned clr_frame_pushes(const struct clr_frame *frame, uint8_t *numbers)
{
	unsigned count = 0;

	for (unsigned i = 0; i < frame->count; i++)
		if (frame->steps[i].kind == CLR_PUSH)
			numbers[count++] = frame->steps[i].number;
	return count;
}

int32_t clr_frame_allocated(const struct clr_frame *frame)
{
	int64_t sum = 0;

	for (unsigned i = 0; i < frame->count; i++)
		if (frame->steps[i].kind == CLR_ALLOCATE)
			sum += frame->steps[i].value;
	return sum > CLR_FRAME_MOST ? -1 : (int32_t)sum;
}

/* Registers that calls do not preserve are of no use to a caller. */
static void set_saved(struct unwind_rule *rule, unsigned number, int32_t slot)
{
	const struct unwind_machine *machine = &unwind_x86_64;

	for (unsigned i = 1; i < machine->saved_count; i++)
		if (machine->saved[i] == number)
			rule->saved[i] =
				slot > INT16_MIN && slot < 0 ? (int16_t)slot : SAVED_UNDEFINED;
}

static void set_cfa(struct frame_state *state, unsigned number, int32_t offset)
{
	state->rule.cfa_register = (uint8_t)number;
	state->rule.cfa_offset = offset;
}

static void move_sp(struct frame_state *state, int32_t by)
{
	state->depth += by;
	if (state->rule.cfa_register == X86_64_RSP)
		state->rule.cfa_offset = state->depth;
}

static int32_t final_depth(const struct clr_frame *frame)
{
	uint8_t pushed[CLR_STEPS_MOST];

	return WORD * (1 + (int32_t)clr_frame_pushes(frame, pushed)) + clr_frame_allocated(frame);
}

static void apply(const struct clr_frame *frame, unsigned index, struct frame_state *state)
{
	const struct clr_step *step = &frame->steps[index];

	switch ((enum clr_step_kind)step->kind) {
	case CLR_PUSH:
		move_sp(state, WORD);
		set_saved(&state->rule, step->number, -state->depth / WORD);
		break;
	case CLR_ALLOCATE:
		move_sp(state, step->value);
		break;
	case CLR_SET_FRAME:
		if (!frame->fixed_sp)
			set_cfa(state, step->number, state->depth - step->value);
		break;
	case CLR_SAVE:
		set_saved(&state->rule, step->number, (step->value - final_depth(frame)) / WORD);
		break;
	}
}

static void add_row(struct clr_rows *to, size_t offset, const struct frame_state *state)
{
	if (to->builder)
		table_builder_row(to->builder, to->start + offset, &state->rule);
	else
		method_frames_row(to->methods, (uint32_t)(to->start + offset), &state->rule);
}

uint8_t clr_register(unsigned number)
{
	static const uint8_t numbers[8] = { X86_64_RAX, X86_64_RCX, X86_64_RDX, X86_64_RBX,
					    X86_64_RSP, X86_64_RBP, X86_64_RSI, X86_64_RDI };

	return number < 8 ? numbers[number] : (uint8_t)(number & 15);
}

size_t clr_read_push(struct cursor code, uint8_t opcode, uint8_t *number)
{
	const uint8_t first = cursor_u8(&code);
	const bool has_rex = first == 0x41;
	const uint8_t byte = has_rex ? cursor_u8(&code) : first;

	if (code.failed || (byte & 0xF8) != opcode)
		return 0;
	*number = clr_register((byte & 7u) + (has_rex ? 8u : 0u));
	return has_rex ? 2 : 1;
}

/* add rsp, N; lea rsp, [rbp+N]; mov rsp, rbp */
static size_t read_free(struct cursor code, struct clr_epilogue *epilogue)
{
	const uint8_t rex = cursor_u8(&code), opcode = cursor_u8(&code), modrm = cursor_u8(&code);
	size_t length = 3;

	if (rex != 0x48)
		return 0;
	if ((opcode == 0x83 && modrm == 0xC4) || (opcode == 0x8D && modrm == 0x65)) {
		epilogue->freed = cursor_i8(&code);
		length += 1;
	} else if ((opcode == 0x81 && modrm == 0xC4) || (opcode == 0x8D && modrm == 0xA5)) {
		epilogue->freed = cursor_i32(&code);
		length += 4;
	} else if (!((opcode == 0x8B && modrm == 0xE5) || (opcode == 0x89 && modrm == 0xEC))) {
		return 0;
	}
	if (code.failed)
		return 0;
	epilogue->has_free = true;
	epilogue->frees_to_frame = opcode != 0x83 && opcode != 0x81;
	return length;
}

bool clr_epilogue_read(struct cursor code, struct clr_epilogue *epilogue)
{
	struct cursor c = code;
	size_t length;

	*epilogue = (struct clr_epilogue){ 0 };
	length = read_free(c, epilogue);
	if (length) {
		epilogue->lengths[0] = (uint8_t)length;
		cursor_bytes(&c, length);
	}
	while (epilogue->pop_count < CLR_STEPS_MOST - 1 &&
	       (length = clr_read_push(c, 0x58, &epilogue->pops[epilogue->pop_count]))) {
		epilogue->lengths[epilogue->has_free + epilogue->pop_count++] = (uint8_t)length;
		cursor_bytes(&c, length);
	}
	length = x86_length(c);
	if (!length || *c.at == 0xCC || !x86_ends_flow(c.at, length))
		return false;
	epilogue->size = (size_t)(c.at - code.at) + length;
	return epilogue->has_free || epilogue->pop_count;
}

/* It undoes the frame, all of it. */
static bool is_epilogue_of(const struct clr_frame *frame, const struct clr_epilogue *epilogue)
{
	uint8_t pushed[CLR_STEPS_MOST];
	const unsigned count = clr_frame_pushes(frame, pushed);

	if (count != epilogue->pop_count)
		return false;
	for (unsigned i = 0; i < count; i++)
		if (pushed[i] != epilogue->pops[count - 1 - i])
			return false;
	return epilogue->frees_to_frame || epilogue->freed == clr_frame_allocated(frame);
}

static void add_epilogue(const struct clr_epilogue *epilogue, const struct frame_state *body,
			 size_t at, struct clr_rows *to)
{
	struct frame_state state = *body;
	size_t offset = at;

	if (epilogue->has_free) {
		offset += epilogue->lengths[0];
		state.depth = WORD * (1 + (int32_t)epilogue->pop_count);
	}
	for (unsigned i = 0; i < epilogue->pop_count; i++) {
		set_cfa(&state, X86_64_RSP, state.depth);
		add_row(to, offset, &state);
		for (unsigned k = 1; k < unwind_x86_64.saved_count; k++)
			if (unwind_x86_64.saved[k] == epilogue->pops[i])
				state.rule.saved[k] = SAVED_SAME;
		offset += epilogue->lengths[epilogue->has_free + i];
		state.depth -= WORD;
	}
	set_cfa(&state, X86_64_RSP, state.depth);
	add_row(to, offset, &state);
	add_row(to, at + epilogue->size, body);
}

/* What is not an instruction ends the search: the rest has the rule of the body. */
static void add_epilogues(const struct clr_frame *frame, struct cursor code,
			  const struct frame_state *body, struct clr_rows *to)
{
	const uint8_t *start = code.at;
	struct clr_epilogue epilogue;
	size_t length;

	if (!frame->count)
		return;
	cursor_bytes(&code, frame->steps[frame->count - 1].offset);
	while ((length = x86_length(code))) {
		if (clr_epilogue_read(code, &epilogue) && is_epilogue_of(frame, &epilogue)) {
			add_epilogue(&epilogue, body, (size_t)(code.at - start), to);
			length = epilogue.size;
		}
		cursor_bytes(&code, length);
	}
}

void clr_frame_rows(const struct clr_frame *frame, struct cursor code, struct clr_rows *to)
{
	struct frame_state state = { unwind_rule_at(&unwind_x86_64, X86_64_RSP, WORD), WORD };

	if (frame->failed || clr_frame_allocated(frame) < 0) {
		state.rule = (struct unwind_rule){ .kind = UNWIND_NO_RULE };
		add_row(to, 0, &state);
		return;
	}
	add_row(to, 0, &state);
	for (unsigned i = 0; i < frame->count; i++) {
		apply(frame, i, &state);
		add_row(to, frame->steps[i].offset, &state);
	}
	add_epilogues(frame, code, &state, to);
}
