/* SPDX-License-Identifier: MIT */
/*
 * clr_stub.h - which kind of stub of the CLR some code is, by its bytes (x86-64).
 *
 * Executable memory of the runtime that is in no method is stubs: a few instructions that end with
 * a jump. They have no frame, and names only for us.
 *
 *	kind = clr_stub_find(bytes, size, ip - start);
 *	name = clr_stub_label(kind);
 *
 * Some push arguments: once such a stub is added, it is unwound exactly.
 */
#ifndef UNWIND_CLR_STUB_H
#define UNWIND_CLR_STUB_H

#include "unwind/method_frames.h"

enum clr_stub_kind {
	CLR_STUB_OTHER,
	CLR_STUB_PRECODE,	/* to a method's code, or to the compiler */
	CLR_STUB_CALL_COUNTING, /* until a method is compiled again */
	CLR_STUB_DISPATCH,	/* an interface call with one type so far */
	CLR_STUB_RESOLVE,	/* with more */
	CLR_STUB_LOOKUP,	/* the first one */
	CLR_STUB_VTABLE,
	CLR_STUB_WRITE_BARRIER,
	CLR_STUB_DELEGATE,	/* shifts the arguments of a static method */
	CLR_STUB_INSTANTIATING, /* adds the type arguments of shared generic code */
	CLR_STUB_UNBOXING,
	CLR_STUB_HELPER, /* of ReadyToRun code: a call of the runtime with constants */
};

#define CLR_STUB_KINDS 12

/* How many bytes before and after an address decide; fewer will do if there are no more. */
#define CLR_STUB_BEFORE 192
#define CLR_STUB_AFTER	192

/* Of the stub at `offset` in these bytes. */
enum clr_stub_kind clr_stub_find(const void *bytes, size_t size, size_t offset);

/* The same; adds the stub to the methods, unless it is none that we know. The first byte is at
 * `address`. */
enum clr_stub_kind clr_stub_add(struct method_frames *methods, uint64_t address, const void *bytes,
				size_t size, size_t offset);

/* As frames are named: "[clr precode]", "[clr stub]". */
const char *clr_stub_label(enum clr_stub_kind kind);

#endif
