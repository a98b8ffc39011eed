/* SPDX-License-Identifier: MIT */
/*
 * error.h - errors of all calls of the library.
 *
 * A call that can fail takes a `struct pp_error *` last and returns -1 or NULL. The text is one
 * sentence for people, the code is for programs. Start with a zeroed struct; the first error
 * wins, so that a chain of calls reports its cause and not its consequences. NULL is for who does
 * not want to know. Any call that can fail may fail with PP_ERROR_MEMORY; alloc.h says what that
 * means.
 *
 * A struct of options begins with its `size`, to be set to its sizeof: a program keeps working
 * with a library whose struct has more fields, which are then 0, their default. One that sets
 * fields which an older library does not have is told so, by PP_ERROR_UNSUPPORTED. Structs without
 * a size, which describe one item of many, or a function and its context, do not change.
 */
#ifndef PERFPIPE_ERROR_H
#define PERFPIPE_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

#define PP_API __attribute__((visibility("default"))) /* exported by the library */

enum pp_error_code {
	PP_ERROR_NONE,
	PP_ERROR_FORMAT,      /* the bytes violate the format */
	PP_ERROR_UNSUPPORTED, /* well formed, but of a version or kind that is not supported */
	PP_ERROR_LIMIT,	      /* exceeds a documented limit */
	PP_ERROR_SYSTEM,      /* a system call or library failed */
	PP_ERROR_USAGE,	      /* invalid arguments */
	PP_ERROR_MEMORY,      /* out of memory: the object is of no more use, but can be freed */
};

struct pp_error {
	enum pp_error_code code;
	char text[256];
};

#ifdef __cplusplus
}
#endif

#endif
