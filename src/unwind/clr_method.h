/* SPDX-License-Identifier: MIT */
/*
 * clr_method.h - how to unwind a method that the CLR compiled at run time on x86-64, from its code.
 *
 * The code is that of the method and of the handlers of exceptions behind it (funclets), as the
 * runtime reports it. Whoever has the right to reads it, once.
 *
 *	clr_method_add(&space.methods, start, code, size);
 *
 * Where the prologue is not understood there is no rule, so that the frame pointer is used.
 */
#ifndef UNWIND_CLR_METHOD_H
#define UNWIND_CLR_METHOD_H

#include "unwind/method_frames.h"

/* Bytes beyond CLR_METHOD_MOST are not looked at. */
#define CLR_METHOD_MOST (1u << 24)

void clr_method_add(struct method_frames *methods, uint64_t start, const void *code, size_t size);

#endif
