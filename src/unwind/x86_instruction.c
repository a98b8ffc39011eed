/* SPDX-License-Identifier: MIT */
/*
 * Intel's manual, volume 2, chapter 2 and appendix A:
 *
 *	prefixes; REX; opcode of one to three bytes, or VEX or EVEX and an opcode;
 *	ModRM; SIB; displacement; immediate
 */
#include "unwind/x86_instruction.h"

#define LENGTH_MOST 15u

/* What follows an opcode. */
enum {
	NONE = 0,
	MODRM = 1,
	IMM8 = 2,
	IMM16 = 4,
	IMM32 = 8,     /* 16 bits with the prefix 66 */
	IMM64 = 16,    /* 64 bits with REX.W */
	MOFFS = 32,    /* an address of 64 bits */
	TEST = 64,     /* group 3: an immediate for two of its eight */
	NO_CODE = 128, /* does not exist in 64-bit mode */
};

struct x86_decoding {
	struct cursor code;
	bool wide;   /* REX.W */
	bool narrow; /* the prefix 66 */
};

/* Of opcodes of one byte that are no prefixes, by letter, in rows of 16. */
static unsigned one_byte(uint8_t opcode)
{
	static const char letters[] = "mmmmbdxxmmmmbdxx" /* arithmetic */
				      "mmmmbdxxmmmmbdxx"
				      "mmmmbdxxmmmmbdxx"
				      "mmmmbdxxmmmmbdxx"
				      "xxxxxxxxxxxxxxxx" /* REX */
				      "................" /* push, pop */
				      "xxxmxxxxdDbB...."
				      "bbbbbbbbbbbbbbbb" /* jumps */
				      "BDxBmmmmmmmmmmmm"
				      "..........x....."
				      "oooo....bd......"
				      "bbbbbbbbqqqqqqqq"
				      "BBw.xxBDe.w..bx."
				      "mmmmxxx.mmmmmmmm"
				      "bbbbbbbbddxb...."
				      "x.xx..tT......mm";
	static const uint8_t meanings[128] = {
		['m'] = MODRM,
		['b'] = IMM8,
		['w'] = IMM16,
		['d'] = IMM32,
		['q'] = IMM64 | IMM32,
		['o'] = MOFFS,
		['e'] = IMM16 | IMM8,
		['B'] = MODRM | IMM8,
		['D'] = MODRM | IMM32,
		['t'] = MODRM | IMM8 | TEST,
		['T'] = MODRM | IMM32 | TEST,
		['x'] = NO_CODE,
	};

	return meanings[(uint8_t)letters[opcode]];
}

/* Of opcodes 0F xx. */
static unsigned two_bytes(uint8_t opcode)
{
	if (opcode >= 0x80 && opcode < 0x90)
		return IMM32; /* jumps */
	if ((opcode >= 0x30 && opcode <= 0x37) || (opcode >= 0xC8 && opcode <= 0xCF) ||
	    (opcode >= 0x05 && opcode <= 0x09) || (opcode >= 0xA8 && opcode <= 0xAA) ||
	    (opcode >= 0xA0 && opcode <= 0xA2))
		return NONE;
	switch (opcode) {
	case 0x0B:
	case 0x0E:
	case 0x77:
		return NONE;
	case 0x70:
	case 0x71:
	case 0x72:
	case 0x73:
	case 0xA4:
	case 0xAC:
	case 0xBA:
	case 0xC2:
	case 0xC4:
	case 0xC5:
	case 0xC6:
		return MODRM | IMM8;
	default:
		return MODRM;
	}
}

/* Maps as VEX and EVEX number them. */
static unsigned in_map(unsigned map, uint8_t opcode)
{
	switch (map) {
	case 1:
		return two_bytes(opcode);
	case 3:
		return MODRM | IMM8;
	case 2:
	case 5:
	case 6:
		return MODRM;
	default:
		return NO_CODE;
	}
}

static unsigned read_escape(struct x86_decoding *d)
{
	const uint8_t opcode = cursor_u8(&d->code);

	if (opcode == 0x38 || opcode == 0x3A)
		return in_map(opcode == 0x38 ? 2 : 3, cursor_u8(&d->code));
	return two_bytes(opcode);
}

static unsigned read_vector(struct x86_decoding *d, uint8_t prefix)
{
	const uint8_t first = cursor_u8(&d->code);

	d->narrow = false; /* jumps do not occur here, and nothing else has 32 bits */
	if (prefix == 0xC5)
		return in_map(1, cursor_u8(&d->code));
	cursor_bytes(&d->code, prefix == 0x62 ? 2 : 1);
	return in_map(first & (prefix == 0x62 ? 7 : 31), cursor_u8(&d->code));
}

static bool is_prefix(uint8_t byte)
{
	switch (byte) {
	case 0x26:
	case 0x2E:
	case 0x36:
	case 0x3E:
	case 0x64:
	case 0x65:
	case 0x66:
	case 0x67:
	case 0xF0:
	case 0xF2:
	case 0xF3:
		return true;
	default:
		return false;
	}
}

static unsigned read_opcode(struct x86_decoding *d)
{
	uint8_t byte = cursor_u8(&d->code);

	for (unsigned i = 0; i < LENGTH_MOST && is_prefix(byte); i++) {
		d->narrow |= byte == 0x66;
		byte = cursor_u8(&d->code);
	}
	if ((byte & 0xF0) == 0x40) {
		d->wide = byte & 8;
		byte = cursor_u8(&d->code);
	}
	if (byte == 0x0F)
		return read_escape(d);
	if (byte == 0xC4 || byte == 0xC5 || byte == 0x62)
		return read_vector(d, byte);
	return one_byte(byte);
}

static uint8_t skip_operand(struct cursor *code)
{
	const uint8_t modrm = cursor_u8(code);
	const uint8_t mode = modrm >> 6, base = modrm & 7;
	const uint8_t sib = mode != 3 && base == 4 ? cursor_u8(code) : 0;

	if (mode == 1)
		cursor_u8(code);
	else if (mode == 2 || (mode == 0 && (base == 5 || (base == 4 && (sib & 7) == 5))))
		cursor_u32(code);
	return modrm;
}

size_t x86_length(struct cursor code)
{
	struct x86_decoding d = { .code = code };
	unsigned follows = read_opcode(&d);

	if (follows & NO_CODE)
		return 0;
	if (follows & MODRM && (skip_operand(&d.code) >> 3 & 6) && follows & TEST)
		follows = NONE;
	if (follows & IMM8)
		cursor_u8(&d.code);
	if (follows & IMM16)
		cursor_u16(&d.code);
	if (follows & IMM32)
		cursor_bytes(&d.code, follows & IMM64 && d.wide ? 8 : (d.narrow ? 2 : 4));
	if (follows & MOFFS)
		cursor_u64(&d.code);
	return d.code.failed || d.code.at - code.at > LENGTH_MOST ? 0
								  : (size_t)(d.code.at - code.at);
}

bool x86_ends_flow(const uint8_t *instruction, size_t length)
{
	const size_t rex = length > 1 && (instruction[0] & 0xF0) == 0x40;
	const uint8_t opcode = length ? instruction[rex] : 0;

	switch (opcode) {
	case 0xC3:
	case 0xC2:
	case 0xCC:
	case 0xE9:
	case 0xEB:
		return true;
	case 0xFF:
		return length > rex + 1 && (instruction[rex + 1] >> 3 & 7) == 4;
	default:
		return false;
	}
}

/* FF /2 of this length, of which a REX prefix is not part. */
static bool is_indirect_call(const uint8_t *at, size_t length)
{
	struct cursor c = cursor_over(at, length);

	return at[0] == 0xFF && (at[1] >> 3 & 7) == 2 && x86_length(c) == length;
}

bool x86_follows_call(const uint8_t *before, size_t size)
{
	const uint8_t *end = before + size;

	if (size >= 5 && end[-5] == 0xE8)
		return true;
	for (size_t length = 2; length <= 7 && length <= size; length++)
		if (is_indirect_call(end - length, length))
			return true;
	return false;
}
