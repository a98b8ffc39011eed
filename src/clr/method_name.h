/* SPDX-License-Identifier: MIT */
/*
 * method_name.h - methods called as .NET's tools call them, or as their source does.
 *
 * The runtime gives a type, a name and a signature. As they are:
 *
 *	Shop.Orders+<PlaceAsync>d__7.MoveNext()
 *	Shop.Orders+<>c__DisplayClass2_0.<Run>b__0(class System.String,int32)
 *	System.Collections.Generic.List`1[System.__Canon].Add(!0)
 *
 * As the source has them; arguments that the runtime does not tell are (…), and type
 * parameters are T0, T1 of the type and M0, M1 of the method:
 *
 *	Shop.Orders.PlaceAsync(…)
 *	Shop.Orders.Run.lambda#0(string, int)
 *	System.Collections.Generic.List<T0>.Add(T0)
 *
 * What is not understood stays as it is. Any bytes are safe.
 */
#ifndef CLR_METHOD_NAME_H
#define CLR_METHOD_NAME_H

#include "base/buffer.h"

struct method_name {
	const char *type; /* with its namespace, or "" */
	const char *name;
	const char *signature; /* "instance void  (int32)", or "" */
};

/* Both append. */
void method_name_raw(struct buffer *out, const struct method_name *name);
void method_name_source(struct buffer *out, const struct method_name *name);

#endif
