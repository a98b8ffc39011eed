/* SPDX-License-Identifier: MIT */
/*
 * Prologues as the JIT compiler writes them for Linux:
 *
 *	55			push rbp
 *	41 57 ... 53		push r15 ... push rbx
 *	48 83 ec N		sub rsp, N; 48 81 ec with more; 50 (push rax) for 8 bytes
 *	4c 8d 9c 24 -N, a call, 49 8b e3	lea r11, [rsp-N]; probe the stack; mov rsp, r11
 *	c5 f8 77		vzeroupper
 *	48 8d 6c 24 N		lea rbp, [rsp+N]; 48 8d ac 24 with more; 48 8b ec (mov rbp, rsp)
 *
 * A body that replaces a running one (OSR) begins in the frame of that, with a copy of its saved
 * rbp and its own saved registers in the other's frame:
 *
 *	48 8b 45 00 50		mov rax, [rbp]; push rax
 *	4c 89 bc 24 N		mov [rsp+N], r15
 *
 * How large the frame of the other is, its epilogue says. Funclets follow the method: since .NET 10
 * they only allocate, before that they push what the method does, and rbp is the method's in both.
 */
#include "unwind/clr_method.h"

#include "unwind/clr_frame.h"
#include "unwind/x86_instruction.h"

/* A function of the method: the method itself, or a funclet. */
struct clr_function {
	struct cursor code;
	size_t start, size;
	struct clr_frame frame;
	struct clr_epilogue epilogue; /* the first one that is not by the frame register */
	bool has_epilogue;
	bool is_osr;
};

/* One instruction of a prologue: its length, or 0 if it is not one. */
typedef size_t (*prologue_reader)(struct cursor code, struct clr_step *step);

static bool starts_with(struct cursor code, const char *bytes, size_t size)
{
	const uint8_t *found = cursor_bytes(&code, size);

	return found && !memcmp(found, bytes, size);
}

static size_t read_register_push(struct cursor code, struct clr_step *step)
{
	const size_t length = clr_read_push(code, 0x50, &step->number);

	step->kind = CLR_PUSH;
	if (length && step->number == X86_64_RAX) {
		step->kind = CLR_ALLOCATE;
		step->value = 8;
	}
	return length;
}

/* A displacement or an immediate of one or four bytes, after those that say which. */
static size_t read_value(struct cursor code, const char *with8, const char *with32, size_t size,
			 int32_t *value)
{
	const bool is_short = starts_with(code, with8, size);

	if (!is_short && !starts_with(code, with32, size))
		return 0;
	cursor_bytes(&code, size);
	*value = is_short ? cursor_i8(&code) : cursor_i32(&code);
	return code.failed ? 0 : size + (is_short ? 1 : 4);
}

static size_t read_allocation(struct cursor code, struct clr_step *step)
{
	step->kind = CLR_ALLOCATE;
	return read_value(code, "\x48\x83\xec", "\x48\x81\xec", 3, &step->value);
}

static size_t read_frame_pointer(struct cursor code, struct clr_step *step)
{
	step->kind = CLR_SET_FRAME;
	step->number = X86_64_RBP;
	if (starts_with(code, "\x48\x8b\xec", 3) || starts_with(code, "\x48\x89\xe5", 3))
		return 3;
	return read_value(code, "\x48\x8d\x6c\x24", "\x48\x8d\xac\x24", 4, &step->value);
}

/* The stack pointer moves with the last of three instructions. */
static size_t read_probed(struct cursor code, struct clr_step *step)
{
	size_t length = read_value(code, "\x4c\x8d\x5c\x24", "\x4c\x8d\x9c\x24", 4, &step->value);
	size_t call;

	if (!length || step->value >= 0 || step->value < -CLR_FRAME_MOST)
		return 0;
	step->kind = CLR_ALLOCATE;
	step->value = -step->value;
	cursor_bytes(&code, length);
	call = x86_length(code);
	cursor_bytes(&code, call);
	length += call;
	return call && (starts_with(code, "\x49\x8b\xe3", 3) ||
			starts_with(code, "\x4c\x89\xdc", 3))
		       ? length + 3
		       : 0;
}

/* Instructions between those that make the frame: steps that do nothing. */
static size_t read_other(struct cursor code, struct clr_step *step)
{
	step->kind = CLR_ALLOCATE;
	if (starts_with(code, "\xc5\xf8\x77", 3))
		return 3;
	/* test [rsp+N], eax, a probe of older compilers */
	return starts_with(code, "\x85\x84\x24", 3) ? 7 : 0;
}

static bool read_prologue_step(struct cursor code, struct clr_step *step, size_t *length)
{
	static const prologue_reader readers[] = { read_register_push, read_allocation,
						   read_frame_pointer, read_probed, read_other };

	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
		*step = (struct clr_step){ 0 };
		*length = readers[i](code, step);
		if (*length)
			return true;
	}
	return false;
}

/* mov [rsp+N], a register: where a body that replaces another saves them. */
static size_t read_osr_save(struct cursor code)
{
	const uint8_t rex = cursor_u8(&code), opcode = cursor_u8(&code), modrm = cursor_u8(&code);
	const uint8_t sib = cursor_u8(&code);

	if ((rex | 4) != 0x4C || opcode != 0x89 || sib != 0x24 || code.failed)
		return 0;
	return (modrm & 0xC7) == 0x44 ? 5 : ((modrm & 0xC7) == 0x84 ? 8 : 0);
}

static void read_prologue(struct clr_function *function)
{
	struct clr_frame *frame = &function->frame;
	struct cursor c = function->code;
	struct clr_step step;
	size_t length;
	bool is_done = false;

	if (function->is_osr)
		cursor_bytes(&c, 4);
	while (!is_done) {
		if (function->is_osr && (length = read_osr_save(c))) {
			cursor_bytes(&c, length);
			continue;
		}
		if (!read_prologue_step(c, &step, &length))
			return;
		cursor_bytes(&c, length);
		step.offset = (uint32_t)(c.at - function->code.at);
		clr_frame_add(frame, &step);
		is_done = step.kind == CLR_SET_FRAME || frame->failed;
	}
}

/* The frame that the body takes over is what its epilogue frees beyond its own. */
static void add_replaced_frame(struct clr_function *function)
{
	const struct clr_epilogue *epilogue = &function->epilogue;
	const struct clr_frame own = function->frame;
	const int32_t allocated = clr_frame_allocated(&own);
	struct clr_frame *frame = &function->frame;

	*frame = (struct clr_frame){ .failed = own.failed };
	for (unsigned i = epilogue->pop_count; i-- > 0;)
		clr_frame_add(frame, &(struct clr_step){ 0, CLR_PUSH, epilogue->pops[i], 0 });
	/* the saved registers of the other are among those */
	clr_frame_add(frame, &(struct clr_step){ 0, CLR_ALLOCATE, 0, epilogue->freed - allocated });
	for (unsigned i = 0; i < own.count; i++)
		clr_frame_add(frame, &own.steps[i]);
	frame->failed |= allocated < 0 || epilogue->freed < allocated || !function->has_epilogue;
}

static void keep_epilogue(struct clr_function *function, const struct clr_epilogue *epilogue)
{
	if (!function->has_epilogue && !epilogue->frees_to_frame) {
		function->epilogue = *epilogue;
		function->has_epilogue = true;
	}
}

/* Up to the next funclet. False: there are bytes that are no instructions we know. */
static bool find_end(struct clr_function *function, size_t prologue)
{
	struct cursor c = function->code;
	bool has_ended = false;
	struct clr_epilogue epilogue;
	struct clr_step step;
	size_t length;

	cursor_bytes(&c, prologue);
	while (cursor_left(&c)) {
		if (has_ended && (read_register_push(c, &step) || read_allocation(c, &step)))
			break;
		length = x86_length(c);
		if (!length)
			return false;
		has_ended = x86_ends_flow(c.at, length);
		if (clr_epilogue_read(c, &epilogue)) {
			keep_epilogue(function, &epilogue);
			has_ended = true;
			length = epilogue.size;
		}
		cursor_bytes(&c, length);
	}
	function->size = (size_t)(c.at - function->code.at);
	return true;
}

static size_t prologue_size(const struct clr_frame *frame)
{
	return frame->count ? frame->steps[frame->count - 1].offset : 0;
}

static void add_function(struct clr_function *function, struct method_frames *methods)
{
	struct clr_rows rows = { .methods = methods, .start = function->start };
	size_t start;

	function->is_osr = starts_with(function->code, "\x48\x8b\x45\x00\x50", 5);
	read_prologue(function);
	start = prologue_size(&function->frame);
	if (!find_end(function, start)) {
		function->size = cursor_left(&function->code);
		function->frame.failed |= !function->frame.count;
	}
	if (function->is_osr)
		add_replaced_frame(function);
	/* without an epilogue of this kind the method may allocate while it runs */
	function->frame.fixed_sp = function->has_epilogue;
	function->code = cursor_within(&function->code, function->size);
	clr_frame_rows(&function->frame, function->code, &rows);
}

void clr_method_add(struct method_frames *methods, uint64_t start, const void *code, size_t size)
{
	const size_t most = size < CLR_METHOD_MOST ? size : CLR_METHOD_MOST;
	size_t at = 0;

	method_frames_begin(methods, start, (uint32_t)most);
	while (at < most) {
		struct clr_function function = {
			.code = cursor_over((const uint8_t *)code + at, most - at), .start = at
		};

		add_function(&function, methods);
		at += function.size;
	}
}
