/* SPDX-License-Identifier: MIT */
/*
 * method_name.h - method names as .NET's tools print them, or as in the source.
 *
 * The runtime records a type, a name and a signature. Unchanged:
 *
 *	Shop.Orders+<PlaceAsync>d__7.MoveNext()
 *	Shop.Orders+<>c__DisplayClass2_0.<Run>b__0(class System.String,int32)
 *	System.Collections.Generic.List`1[System.__Canon].Add(!0)
 *
 * As in the source, where (…) stands for arguments that the runtime does not record, T0 and T1 for
 * type parameters of the type, and M0 and M1 for those of the method:
 *
 *	Shop.Orders.PlaceAsync(…)
 *	Shop.Orders.Run.lambda#0(string, int)
 *	System.Collections.Generic.List<T0>.Add(T0)
 *
 * Parts that are not understood are left unchanged. Any bytes are safe.
 *
 * Both return how many of the bytes they wrote name the class, which only the type tells: names of
 * methods may have dots and brackets of their own. It is the class in the source, which declares
 * what the compiler made of lambdas and state machines.
 */
#ifndef CLR_METHOD_NAME_H
#define CLR_METHOD_NAME_H

#include "base/buffer.h"

struct method_name {
	const char *type; /* with namespace, or "" */
	const char *name;
	const char *signature; /* "instance void  (int32)", or "" */
};

/*
 * A type alone, as the runtime names it in other events, as in the source; its namespace stays:
 * System.Collections.Generic.List`1[System.String] is System.Collections.Generic.List<string>.
 */
void type_name_source(struct buffer *out, const char *type);

size_t method_name_raw(struct buffer *out, const struct method_name *name);
size_t method_name_source(struct buffer *out, const struct method_name *name);

#endif
