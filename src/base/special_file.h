/* SPDX-License-Identifier: MIT */
/*
 * special_file.h - output to what is already there: an open descriptor, a device, a named pipe.
 *
 * Written to directly, since it has no other name to be written under. A named pipe, and a link to
 * a device or to one, must be ours or root's: another user may have put it where we want a file.
 */
#ifndef BASE_SPECIAL_FILE_H
#define BASE_SPECIAL_FILE_H

#include "base/file_place.h"
#include "base/output.h"

/* What "-", /dev/stdout, /dev/stderr, /dev/fd/N and /proc/self/fd/N name; -1: anything else. */
int special_file_descriptor(const char *path);

/* For messages: "-" has no name. */
const char *special_file_name(const char *path);

/*
 * The same open file, which stays the caller's. Set path and give_up_fd of the output before, here
 * and below: once give_up_fd is readable, nobody waits for the reader of a pipe any more.
 */
int special_file_open_descriptor(struct output *output, int fd, struct pp_error *err);

/* Whether `found`, which has the place's name, leads to a device or a named pipe. */
bool special_file_is(const struct file_place *place, const struct stat *found);

/* Waits until a named pipe has a reader. */
int special_file_open(struct output *output, const struct file_place *place, struct pp_error *err);

#endif
