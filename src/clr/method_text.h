/* SPDX-License-Identifier: MIT */
/*
 * method_text.h - methods that the runtime recorded as a single string, as in the events of catch
 * blocks, named like the frames of stacks:
 *
 *	void [shop] Shop.Orders::Run(class [mscorlib]System.String)
 *	shop!Shop.Orders.Run(string)
 *
 * Strings that are not understood are left unchanged. Any bytes are safe.
 */
#ifndef CLR_METHOD_TEXT_H
#define CLR_METHOD_TEXT_H

#include "base/buffer.h"

void method_text_frame(struct buffer *out, const char *text);  /* module!name */
void method_text_source(struct buffer *out, const char *text); /* name [module] */

#endif
