/* SPDX-License-Identifier: MIT */
/*
 * A program for aarch64 that stops in a deep call, and writes its registers, its stack and the
 * return addresses that each of its functions has seen: it knows its own answer. Without libraries;
 * record_aarch64 compiles and runs it.
 *
 * Written are, as 64-bit numbers: how many return addresses; these, innermost first; x0 to x30, sp
 * and pc; how many bytes of stack, and those from sp on. The innermost return address is that of
 * innermost(): the one of the leaf is in x30.
 */
typedef unsigned long word;

#define NOINLINE __attribute__((noinline))
#define STACK	 2048

static word seen[32], seen_count, registers[33];
static volatile int zero;

#define SEE()                                                                                      \
	(seen[seen_count++] = (word)__builtin_extract_return_addr(__builtin_return_address(0)))

static void put(const void *bytes, word size)
{
	register word number __asm__("x8") = 64; /* write */
	register word fd __asm__("x0") = 1;
	register const void *from __asm__("x1") = bytes;
	register word count __asm__("x2") = size;

	__asm__ volatile("svc 0" : "+r"(fd) : "r"(number), "r"(from), "r"(count) : "memory");
}

static void leave(void)
{
	register word number __asm__("x8") = 94; /* exit_group */
	register word status __asm__("x0") = 0;

	__asm__ volatile("svc 0" : : "r"(number), "r"(status));
	__builtin_unreachable();
}

/* A leaf without a frame: its return address is in the link register only. */
void take_registers(word *to);
__asm__(".globl take_registers\n"
	"take_registers:\n"
	".cfi_startproc\n"
	"stp x0, x1, [x0]\n stp x2, x3, [x0, 16]\n stp x4, x5, [x0, 32]\n"
	"stp x6, x7, [x0, 48]\n stp x8, x9, [x0, 64]\n stp x10, x11, [x0, 80]\n"
	"stp x12, x13, [x0, 96]\n stp x14, x15, [x0, 112]\n stp x16, x17, [x0, 128]\n"
	"stp x18, x19, [x0, 144]\n stp x20, x21, [x0, 160]\n stp x22, x23, [x0, 176]\n"
	"stp x24, x25, [x0, 192]\n stp x26, x27, [x0, 208]\n stp x28, x29, [x0, 224]\n"
	"str x30, [x0, 240]\n mov x1, sp\n str x1, [x0, 248]\n"
	"adr x1, .\n str x1, [x0, 256]\n ret\n"
	".cfi_endproc");

/* Its first words are those at the stack pointer of the leaf. */
NOINLINE static void write_all(void)
{
	static word size = STACK;
	word reversed[32];

	for (word i = 0; i < seen_count; i++)
		reversed[i] = seen[seen_count - 1 - i];
	put(&seen_count, 8);
	put(reversed, 8 * seen_count);
	put(registers, sizeof(registers));
	put(&size, 8);
	put((const void *)registers[31], STACK);
}

NOINLINE static int innermost(int a)
{
	SEE();
	take_registers(registers);
	write_all();
	return a + zero;
}

NOINLINE static int with_large_frame(int a)
{
	volatile char room[1200];

	SEE();
	room[a] = 1;
	return innermost(a) + room[a] + zero;
}

NOINLINE static int with_alloca(int a)
{
	volatile char *room = __builtin_alloca((word)(a * 16 + 64));

	SEE();
	room[a] = 2;
	return with_large_frame(a) + room[a];
}

NOINLINE static int with_many_registers(int a, int b, int c)
{
	int d = a * b + zero, e = b * c + zero, f = c * a + zero;

	SEE();
	d += with_alloca(a) + e;
	e += d * f + zero;
	return d + e + f + a + b + c;
}

NOINLINE static int recursive(int depth)
{
	SEE();
	return depth ? recursive(depth - 1) + depth : with_many_registers(1, 2, 3) + zero;
}

/* The outermost frame has no caller, as that of a C library says. */
void begin(void);
__asm__(".globl _start\n"
	"_start:\n"
	".cfi_startproc\n"
	".cfi_undefined x30\n"
	"bl begin\n"
	".cfi_endproc");

void begin(void)
{
	SEE();
	recursive(4);
	leave();
}
