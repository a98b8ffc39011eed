/* SPDX-License-Identifier: MIT */
#include "symbols/process_owner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CLOCKS_DIFFER_S 5 /* both are rounded, and one is set now and then */

/* "NStgid:	4711	12	1": the last is the innermost. "Uid:	0	0": the second one
 * counts. */
static void read_field(const char *line, struct process_owner *owner)
{
	const char *last = strrchr(line, '\t');
	char *next;

	if (!strncmp(line, "NStgid:", 7) && last) {
		owner->pid = strtoll(last, NULL, 10);
	} else if (!strncmp(line, "Uid:", 4)) {
		strtoul(line + 4, &next, 10);
		owner->user = (uint32_t)strtoul(next, NULL, 10);
	}
}

static void read_status(int64_t pid, struct process_owner *owner)
{
	bool at_start = true;
	char path[64], line[512];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%" PRId64 "/status", pid);
	file = fopen(path, "re");
	/* the groups of a process may fill many lines' worth */
	for (; file && fgets(line, sizeof(line), file); at_start = strchr(line, '\n') != NULL)
		if (at_start)
			read_field(line, owner);
	if (file)
		fclose(file);
}

static int64_t now_s(clockid_t clock)
{
	struct timespec now;

	return clock_gettime(clock, &now) ? 0 : now.tv_sec;
}

/* The 22nd field of /proc/PID/stat; the second one may have spaces, and ends with a bracket. */
static uint64_t start_ticks(const char *stat)
{
	const char *at = strrchr(stat, ')');

	for (int field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at, NULL, 10) : 0;
}

static int64_t read_start(int64_t pid)
{
	char path[64], text[1024];
	uint64_t ticks;
	size_t size;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%" PRId64 "/stat", pid);
	file = fopen(path, "re");
	size = file ? fread(text, 1, sizeof(text) - 1, file) : 0;
	if (file)
		fclose(file);
	text[size] = '\0';
	ticks = start_ticks(text);
	return ticks ? now_s(CLOCK_REALTIME) - now_s(CLOCK_BOOTTIME) +
			       (int64_t)(ticks / (uint64_t)sysconf(_SC_CLK_TCK))
		     : 0;
}

struct process_owner process_owner_read(int64_t pid)
{
	struct process_owner owner = { .pid = pid, .user = UINT32_MAX };

	read_status(pid, &owner);
	owner.start_s = read_start(pid);
	return owner;
}

bool process_owner_wrote(const struct process_owner *owner, int fd)
{
	struct stat status;

	return !fstat(fd, &status) && (!status.st_uid || status.st_uid == owner->user) &&
	       status.st_mtim.tv_sec >= owner->start_s - CLOCKS_DIFFER_S;
}
