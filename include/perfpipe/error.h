/* SPDX-License-Identifier: MIT */
/*
 * error.h - how every call of the library says what went wrong.
 *
 * A call that can fail takes a `struct pp_error *` last and returns -1 or
 * NULL. The text is one sentence for a person, the code is for the program.
 * Start from a zeroed struct; the first error wins, so that a chain of calls
 * reports its cause and not its consequences.
 */
#ifndef PERFPIPE_ERROR_H
#define PERFPIPE_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

#define PP_API __attribute__((visibility("default"))) /* what the library offers */

enum pp_error_code {
	PP_ERROR_NONE,
	PP_ERROR_FORMAT,      /* the bytes are not what the format promises */
	PP_ERROR_UNSUPPORTED, /* well formed, but newer or other than we read */
	PP_ERROR_LIMIT,	      /* asks for more than our stated limits */
	PP_ERROR_SYSTEM,      /* the kernel or a library said no */
	PP_ERROR_USAGE,	      /* the command line makes no sense */
};

struct pp_error {
	enum pp_error_code code;
	char text[256];
};

#ifdef __cplusplus
}
#endif

#endif
