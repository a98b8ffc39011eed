/* SPDX-License-Identifier: MIT */
/*
 * in_root.h - a path as a process with another root directory sees it.
 *
 * Files of a container are reached through /proc/PID/root. Plainly opened, an absolute link in
 * there leads to a file of ours, and a magic link of its /proc to any other. Here links are
 * resolved inside the root, and magic links never.
 *
 *	const int root = open("/proc/17/root", O_PATH | O_DIRECTORY | O_CLOEXEC);
 *	const int file = in_root_regular(root, "/etc/os-release");
 *
 * What is found may be of any kind, and changed at any time: check it by fstat(), and use it
 * through its descriptor only.
 */
#ifndef BASE_IN_ROOT_H
#define BASE_IN_ROOT_H

/*
 * An O_PATH descriptor, which opens nothing yet and so cannot block; or -1 and errno. The flags
 * are 0, or O_NOFOLLOW for a last component that may be a link and is then returned as such.
 */
int in_root_find(int root, const char *path, int flags);

/* The same step by step, for kernels before Linux 5.6 and sandboxes without openat2(). */
int in_root_walk(int root, const char *path, int flags);

/*
 * Opens a regular file for reading, from an O_PATH descriptor that is closed, or by its path. Any
 * other kind is EINVAL and is not opened: that would wait at a pipe, and wake up a device.
 */
int in_root_read(int place);
int in_root_regular(int root, const char *path);

/* A directory, opened for listing. */
int in_root_folder(int root, const char *path);

#endif
