/* SPDX-License-Identifier: MIT */
/*
 * process_container.h - the container that a process is in.
 *
 * The names of its control groups contain the id of the container. Inside a container they often
 * show as "/"; then the mounts on /etc/hostname or /etc/hosts name it.
 *
 *	docker:4f66ad9a0b2e, podman:4f66ad9a0b2e, lxc:web, nspawn:web
 *	kubernetes:0f3d5d0c-7a4e-4f0b-9d5b-5a1f6f0b9c11/4f66ad9a0b2e
 */
#ifndef IPC_PROCESS_CONTAINER_H
#define IPC_PROCESS_CONTAINER_H

#include "ipc/process_text.h"

/* From /proc/PID/cgroup, version 1, 2 or both; NULL if there is none. */
char *process_container(struct arena *arena, struct process_text cgroup);

/* The same from /proc/PID/mountinfo. */
char *process_container_mounted(struct arena *arena, struct process_text mountinfo);

#endif
