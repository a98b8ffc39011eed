/* SPDX-License-Identifier: MIT */
#include "unwind/expression.h"

#define DEPTH_MOST 32
#define STEPS_MOST 512

struct evaluation {
	struct cursor code, whole;
	struct expression_input *input;
	uint64_t values[DEPTH_MOST];
	unsigned depth;
	enum expression_result result;
};

static void fail(struct evaluation *e, enum expression_result why)
{
	if (e->result == EXPRESSION_DONE)
		e->result = why;
}

static void push(struct evaluation *e, uint64_t value)
{
	if (e->depth == DEPTH_MOST)
		fail(e, EXPRESSION_WRONG);
	else
		e->values[e->depth++] = value;
}

static uint64_t pop(struct evaluation *e)
{
	if (!e->depth) {
		fail(e, EXPRESSION_WRONG);
		return 0;
	}
	return e->values[--e->depth];
}

static void push_register(struct evaluation *e, uint64_t number, int64_t offset)
{
	if (number >= UNWIND_REGISTERS || !register_known(e->input->registers, (unsigned)number)) {
		fail(e, EXPRESSION_UNKNOWN);
		return;
	}
	push(e, e->input->registers->value[number] + (uint64_t)offset);
}

static void read_memory(struct evaluation *e, uint8_t size)
{
	const struct captured_stack *stack = e->input->stack;
	const uint64_t address = pop(e);
	uint64_t value = 0;

	if (!size || size > sizeof(value)) {
		fail(e, EXPRESSION_WRONG);
	} else if (!stack_has(stack, address, size)) {
		e->input->missing = address;
		fail(e, EXPRESSION_BEYOND);
	} else {
		memcpy(&value, stack->bytes + (address - stack->start), size);
		push(e, value);
	}
}

/* The value `index` below the top once more. */
static void pick(struct evaluation *e, unsigned index)
{
	if (index >= e->depth)
		fail(e, EXPRESSION_WRONG);
	else
		push(e, e->values[e->depth - 1 - index]);
}

/* The top `count` values, the top one going to the bottom of them. */
static void rotate(struct evaluation *e, unsigned count)
{
	const uint64_t top = pop(e);

	if (e->depth < count - 1) {
		fail(e, EXPRESSION_WRONG);
		return;
	}
	memmove(&e->values[e->depth - count + 2], &e->values[e->depth - count + 1],
		(count - 1) * sizeof(top));
	e->values[e->depth - count + 1] = top;
	e->depth++;
}

static void jump(struct evaluation *e, int16_t distance)
{
	const int64_t at = e->code.at - e->whole.at + distance;

	if (at < 0 || at > e->whole.end - e->whole.at)
		fail(e, EXPRESSION_WRONG);
	else
		e->code.at = e->whole.at + at;
}

static uint64_t signed_quotient(struct evaluation *e, int64_t a, int64_t b)
{
	if (!b)
		fail(e, EXPRESSION_WRONG);
	if (!b || (a == INT64_MIN && b == -1))
		return (uint64_t)a;
	return (uint64_t)(a / b);
}

static uint64_t remainder_of(struct evaluation *e, uint64_t a, uint64_t b)
{
	if (!b)
		fail(e, EXPRESSION_WRONG);
	return b ? a % b : 0;
}

static uint64_t shifted(uint64_t a, uint64_t by, uint8_t code)
{
	if (code == 0x26) /* shra */
		return (uint64_t)((int64_t)a >> (by < 63 ? by : 63));
	if (by > 63)
		return 0;
	return code == 0x24 ? a << by : a >> by;
}

/* Of the two topmost values. */
static void run_arithmetic(struct evaluation *e, uint8_t code)
{
	const uint64_t b = pop(e), a = pop(e);
	const int64_t sa = (int64_t)a, sb = (int64_t)b;

	switch (code) {
	case 0x1a:
		push(e, a & b);
		break;
	case 0x1b:
		push(e, signed_quotient(e, sa, sb));
		break;
	case 0x1c:
		push(e, a - b);
		break;
	case 0x1d:
		push(e, remainder_of(e, a, b));
		break;
	case 0x1e:
		push(e, a * b);
		break;
	case 0x21:
		push(e, a | b);
		break;
	case 0x22:
		push(e, a + b);
		break;
	case 0x24:
	case 0x25:
	case 0x26:
		push(e, shifted(a, b, code));
		break;
	case 0x27:
		push(e, a ^ b);
		break;
	case 0x29:
		push(e, a == b);
		break;
	case 0x2a:
		push(e, sa >= sb);
		break;
	case 0x2b:
		push(e, sa > sb);
		break;
	case 0x2c:
		push(e, sa <= sb);
		break;
	case 0x2d:
		push(e, sa < sb);
		break;
	default:
		push(e, a != b); /* 0x2e */
	}
}

static void run_unary(struct evaluation *e, uint8_t code)
{
	const uint64_t a = pop(e);

	switch (code) {
	case 0x19:
		push(e, (int64_t)a < 0 ? 0 - a : a);
		break;
	case 0x1f:
		push(e, 0 - a);
		break;
	case 0x20:
		push(e, ~a);
		break;
	default:
		push(e, a + cursor_varint64(&e->code)); /* 0x23 */
	}
}

static void run_constant(struct evaluation *e, uint8_t code)
{
	struct cursor *c = &e->code;

	switch (code) {
	case 0x08:
		push(e, cursor_u8(c));
		break;
	case 0x09:
		push(e, (uint64_t)cursor_i8(c));
		break;
	case 0x0a:
		push(e, cursor_u16(c));
		break;
	case 0x0b:
		push(e, (uint64_t)(int16_t)cursor_u16(c));
		break;
	case 0x0c:
		push(e, cursor_u32(c));
		break;
	case 0x0d:
		push(e, (uint64_t)cursor_i32(c));
		break;
	case 0x10:
		push(e, cursor_varint64(c));
		break;
	case 0x11:
		push(e, (uint64_t)cursor_sleb64(c));
		break;
	default:
		push(e, cursor_u64(c)); /* 0x03, 0x0e and 0x0f */
	}
}

static void run_stack(struct evaluation *e, uint8_t code)
{
	switch (code) {
	case 0x12:
		pick(e, 0);
		break;
	case 0x13:
		pop(e);
		break;
	case 0x14:
		pick(e, 1);
		break;
	case 0x15:
		pick(e, cursor_u8(&e->code));
		break;
	case 0x16:
		rotate(e, 2);
		break;
	default:
		rotate(e, 3); /* 0x17 */
	}
}

static void run_other(struct evaluation *e, uint8_t code)
{
	switch (code) {
	case 0x06:
		read_memory(e, 8);
		break;
	case 0x94:
		read_memory(e, cursor_u8(&e->code));
		break;
	case 0x2f:
		jump(e, (int16_t)cursor_u16(&e->code));
		break;
	case 0x28: {
		const int16_t distance = (int16_t)cursor_u16(&e->code);

		if (pop(e))
			jump(e, distance);
		break;
	}
	case 0x92: {
		const uint64_t number = cursor_varint64(&e->code);

		push_register(e, number, cursor_sleb64(&e->code));
		break;
	}
	case 0x96:
		break; /* nop */
	default:
		fail(e, EXPRESSION_WRONG);
	}
}

/* Operations by their first and last codes, as DWARF numbers them. */
static const struct {
	uint8_t first, last;
	void (*run)(struct evaluation *e, uint8_t code);
} operations[] = {
	{ 0x03, 0x03, run_constant },	{ 0x08, 0x11, run_constant },
	{ 0x12, 0x17, run_stack },	{ 0x19, 0x19, run_unary },
	{ 0x1a, 0x1e, run_arithmetic }, { 0x1f, 0x20, run_unary },
	{ 0x21, 0x22, run_arithmetic }, { 0x23, 0x23, run_unary },
	{ 0x24, 0x27, run_arithmetic }, { 0x29, 0x2e, run_arithmetic },
};

static void run_one(struct evaluation *e)
{
	const uint8_t code = cursor_u8(&e->code);

	if (code >= 0x30 && code <= 0x4f) {
		push(e, code - 0x30u);
		return;
	}
	if (code >= 0x70 && code <= 0x8f) {
		push_register(e, code - 0x70u, cursor_sleb64(&e->code));
		return;
	}
	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
		if (code >= operations[i].first && code <= operations[i].last) {
			operations[i].run(e, code);
			return;
		}
	run_other(e, code);
}

enum expression_result expression_evaluate(struct cursor code, struct expression_input *input,
					   uint64_t *value)
{
	struct evaluation e = { .code = code, .whole = code, .input = input };

	push(&e, *value);
	for (unsigned step = 0; cursor_left(&e.code) && e.result == EXPRESSION_DONE; step++) {
		if (step == STEPS_MOST)
			fail(&e, EXPRESSION_WRONG);
		run_one(&e);
		if (e.code.failed)
			fail(&e, EXPRESSION_WRONG);
	}
	*value = pop(&e);
	return e.result;
}
