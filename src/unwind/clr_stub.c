/* SPDX-License-Identifier: MIT */
#include "unwind/clr_stub.h"

#include "unwind/clr_frame.h"
#include "unwind/x86_instruction.h"

/*
 * A stub: its bytes as hexadecimal, ".." for any; "-" stands for instructions, as few as there are
 * before what follows it. In the order of the list, since some begin like others.
 */
struct stub_pattern {
	enum clr_stub_kind kind;
	const char *bytes;
};

#define ADDRESS "................" /* 64 bits */
#define NEAR	"........"	   /* 32 bits */
#define DATA	"....0000"	   /* in the page of data behind that of the code */

/* As of .NET 7 to 10: src/coreclr/vm/amd64 of github.com/dotnet/runtime. */
static const struct stub_pattern patterns[] = {
	{ CLR_STUB_PRECODE, "ff25" DATA "4c8b15" DATA "ff25" DATA },
	{ CLR_STUB_PRECODE, "4c8b15" DATA "ff25" DATA },
	{ CLR_STUB_CALL_COUNTING, "488b05" DATA "66ff087406ff25" DATA "ff25" DATA },
	{ CLR_STUB_DISPATCH, "48b8" ADDRESS "4839079048b8" ADDRESS "0f85" NEAR "ffe0" },
	{ CLR_STUB_DISPATCH, "48b8" ADDRESS "48390748b8" ADDRESS "0f85" NEAR "ffe0" },
	{ CLR_STUB_RESOLVE, "488b075249ba" ADDRESS "-5affe0-ffe0" },
	{ CLR_STUB_LOOKUP, "9048b8" ADDRESS "5048b8" ADDRESS "ffe0" },
	{ CLR_STUB_VTABLE, "488b07488b40..ff60.." },
	{ CLR_STUB_VTABLE, "488b07488b40..ffa0" NEAR },
	{ CLR_STUB_VTABLE, "488b07488b80" NEAR "ff60.." },
	{ CLR_STUB_VTABLE, "488b07488b80" NEAR "ffa0" NEAR },
	{ CLR_STUB_WRITE_BARRIER, "488d05" NEAR "483b3872..488d05" NEAR "483b3873..ff25-c3" },
	{ CLR_STUB_WRITE_BARRIER, "488937-c60400ffc3" },
	{ CLR_STUB_WRITE_BARRIER, "488937-c60407ffc3" },
	{ CLR_STUB_WRITE_BARRIER, "488937-41c60400ffc3" },
	{ CLR_STUB_DELEGATE, "488bc44989fb-4d8b53..4983c3..41ffe2" },
	{ CLR_STUB_DELEGATE, "488bc44989f3-4d8b53..4983c3..41ffe2" },
	{ CLR_STUB_UNBOXING, "488b374883c70848b8" ADDRESS "ffe0" },
	{ CLR_STUB_UNBOXING, "4883c70848b8" ADDRESS "ffe0" },
	{ CLR_STUB_INSTANTIATING, "48be" ADDRESS "48b8" ADDRESS "ffe0" },
	{ CLR_STUB_INSTANTIATING, "48bf" ADDRESS "48b8" ADDRESS "ffe0" },
	{ CLR_STUB_INSTANTIATING, "48ba" ADDRESS "48b8" ADDRESS "ffe0" },
	/* which first moves the arguments up */
	{ CLR_STUB_INSTANTIATING, "4889f248be" ADDRESS "48b8" ADDRESS "ffe0" },
	{ CLR_STUB_INSTANTIATING, "4889d1-48be" ADDRESS "48b8" ADDRESS "ffe0" },
	{ CLR_STUB_INSTANTIATING, "4989c8-48be" ADDRESS "48b8" ADDRESS "ffe0" },
	{ CLR_STUB_INSTANTIATING, "4d89c1-48be" ADDRESS "48b8" ADDRESS "ffe0" },
	{ CLR_STUB_HELPER, "48bf" ADDRESS "-e9" NEAR },
	{ CLR_STUB_HELPER, "48be" ADDRESS "-e9" NEAR },
	{ CLR_STUB_HELPER, "48ba" ADDRESS "-e9" NEAR },
	{ CLR_STUB_HELPER, "488bf748bf" ADDRESS "e9" NEAR },
	{ CLR_STUB_HELPER, "488b47..-4885c07401c348be" ADDRESS "e9" NEAR },
	{ CLR_STUB_HELPER, "488b47..488b40..488b40..c3" },
	{ CLR_STUB_HELPER, "48a1" ADDRESS "4883c0..c3" },
	{ CLR_STUB_HELPER, "48b8" ADDRESS "c3" },
	{ CLR_STUB_HELPER, "48b8" ADDRESS "488b00c3" },
};

#define INSTRUCTIONS_MOST 48 /* that a "-" stands for */

static int digit(char c)
{
	return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* Consumes the pattern up to a "-" or its end. */
static bool match_part(struct cursor *code, const char **pattern)
{
	struct cursor c = *code;
	const char *p = *pattern;

	for (; *p && *p != '-'; p += 2) {
		const uint8_t byte = cursor_u8(&c);

		if (c.failed || (*p != '.' && byte != (digit(p[0]) << 4 | digit(p[1]))))
			return false;
	}
	*code = c;
	*pattern = p;
	return true;
}

/* The size of the stub that these bytes begin with, or 0. */
static size_t match(struct cursor code, const char *pattern)
{
	const uint8_t *start = code.at;

	if (!match_part(&code, &pattern))
		return 0;
	while (*pattern++ == '-')
		for (unsigned i = 0; !match_part(&code, &pattern); i++) {
			const size_t length = x86_length(code);

			if (!length || i == INSTRUCTIONS_MOST)
				return 0;
			cursor_bytes(&code, length);
		}
	return (size_t)(code.at - start);
}

/* A stub in some bytes. */
struct found_stub {
	enum clr_stub_kind kind;
	struct cursor code;
	size_t start; /* of its code in the bytes */
};

static enum clr_stub_kind kind_from(struct cursor code, size_t offset, size_t *size)
{
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		*size = match(code, patterns[i].bytes);
		if (*size > offset)
			return patterns[i].kind;
	}
	return CLR_STUB_OTHER;
}

static struct found_stub find_stub(const uint8_t *bytes, size_t size, size_t offset)
{
	const size_t left = offset < size ? size - offset : 0;
	const size_t after = left < CLR_STUB_AFTER ? left : CLR_STUB_AFTER;
	struct found_stub found = { .kind = CLR_STUB_OTHER };

	for (size_t before = 0; left && before <= offset && before <= CLR_STUB_BEFORE; before++) {
		size_t length;

		found.start = offset - before;
		found.code = cursor_over(bytes + found.start, before + after);
		found.kind = kind_from(found.code, before, &length);
		if (found.kind != CLR_STUB_OTHER) {
			found.code = cursor_within(&found.code, length);
			break;
		}
	}
	return found;
}

enum clr_stub_kind clr_stub_find(const void *bytes, size_t size, size_t offset)
{
	return find_stub(bytes, size, offset).kind;
}

static void add_row(struct method_frames *methods, size_t offset, int32_t depth)
{
	const struct unwind_rule rule = unwind_rule_at(&unwind_x86_64, X86_64_RSP, depth);

	method_frames_row(methods, (uint32_t)offset, &rule);
}

/* Behind a jump begins another way into the stub, with nothing pushed. */
static void add_rows(struct method_frames *methods, struct cursor code)
{
	const uint8_t *start = code.at;
	int32_t depth = 8;
	uint8_t number;
	size_t length;

	add_row(methods, 0, depth);
	while ((length = x86_length(code))) {
		if (clr_read_push(code, 0x50, &number))
			depth += 8;
		else if (clr_read_push(code, 0x58, &number))
			depth -= 8;
		if (x86_ends_flow(code.at, length))
			depth = 8;
		cursor_bytes(&code, length);
		add_row(methods, (size_t)(code.at - start), depth);
	}
}

enum clr_stub_kind clr_stub_add(struct method_frames *methods, uint64_t address, const void *bytes,
				size_t size, size_t offset)
{
	const struct found_stub found = find_stub(bytes, size, offset);

	if (found.kind != CLR_STUB_OTHER) {
		method_frames_begin(methods, address + found.start,
				    (uint32_t)cursor_left(&found.code));
		add_rows(methods, found.code);
	}
	return found.kind;
}

const char *clr_stub_label(enum clr_stub_kind kind)
{
	static const char *const labels[CLR_STUB_KINDS] = {
		[CLR_STUB_OTHER] = "[clr stub]",
		[CLR_STUB_PRECODE] = "[clr precode]",
		[CLR_STUB_CALL_COUNTING] = "[clr call counting stub]",
		[CLR_STUB_DISPATCH] = "[clr dispatch stub]",
		[CLR_STUB_RESOLVE] = "[clr resolve stub]",
		[CLR_STUB_LOOKUP] = "[clr lookup stub]",
		[CLR_STUB_VTABLE] = "[clr vtable stub]",
		[CLR_STUB_WRITE_BARRIER] = "[clr write barrier]",
		[CLR_STUB_DELEGATE] = "[clr delegate stub]",
		[CLR_STUB_INSTANTIATING] = "[clr instantiating stub]",
		[CLR_STUB_UNBOXING] = "[clr unboxing stub]",
		[CLR_STUB_HELPER] = "[clr helper stub]",
	};

	return labels[kind];
}
