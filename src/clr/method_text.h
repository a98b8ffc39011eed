/* SPDX-License-Identifier: MIT */
/*
 * method_text.h - methods that the runtime wrote out in one text, as events of catches have
 * them, called like the frames of stacks:
 *
 *	void [shop] Shop.Orders::Run(class [mscorlib]System.String)
 *	shop!Shop.Orders.Run(string)
 *
 * What is not understood stays as it is. Any bytes are safe.
 */
#ifndef CLR_METHOD_TEXT_H
#define CLR_METHOD_TEXT_H

#include "base/buffer.h"

/* Both append. */
void method_text_frame(struct buffer *out, const char *text);  /* module!name */
void method_text_source(struct buffer *out, const char *text); /* name [module] */

#endif
