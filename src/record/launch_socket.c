/* SPDX-License-Identifier: MIT */
#include "record/launch_socket.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "ipc/connect.h"

#define PREFIX "perfpipe-launch-"
#define SUFFIX ".sock"

static void make_name(char name[LAUNCH_SOCKET_SIZE], long process_id)
{
	snprintf(name, LAUNCH_SOCKET_SIZE, PREFIX "%ld" SUFFIX, process_id);
}

void launch_socket_path(char path[LAUNCH_SOCKET_SIZE])
{
	char name[LAUNCH_SOCKET_SIZE];

	make_name(name, getpid());
	snprintf(path, LAUNCH_SOCKET_SIZE, "%s/%.40s", LAUNCH_SOCKET_FOLDER, name);
}

/* The process it belongs to; 0: it is not exactly such a name. */
static pid_t process_of(const char *name)
{
	char expected[LAUNCH_SOCKET_SIZE];
	long number;

	if (strncmp(name, PREFIX, strlen(PREFIX)) != 0)
		return 0;
	errno = 0;
	number = strtol(name + strlen(PREFIX), NULL, 10);
	make_name(expected, number);
	return !errno && number > 0 && number == (pid_t)number && !strcmp(name, expected)
		       ? (pid_t)number
		       : 0;
}

static bool is_old_and_ours(int folder, const char *name, int age_s)
{
	struct stat file;

	return !fstatat(folder, name, &file, AT_SYMLINK_NOFOLLOW) && S_ISSOCK(file.st_mode) &&
	       file.st_uid == geteuid() && time(NULL) - file.st_ctime >= age_s;
}

static bool nobody_listens(const char *folder, const char *name)
{
	char path[4096];
	int fd;

	if (snprintf(path, sizeof(path), "%s/%s", folder, name) >= (int)sizeof(path))
		return false;
	fd = connect_unix(path);
	if (fd >= 0)
		close(fd);
	return fd < 0 && errno == ECONNREFUSED;
}

void launch_socket_tidy(const char *folder, int age_s)
{
	DIR *entries = opendir(folder);
	const struct dirent *entry;

	while (entries && (entry = readdir(entries))) {
		const pid_t process = process_of(entry->d_name);

		if (process && kill(process, 0) && errno == ESRCH &&
		    is_old_and_ours(dirfd(entries), entry->d_name, age_s) &&
		    nobody_listens(folder, entry->d_name))
			unlinkat(dirfd(entries), entry->d_name, 0);
	}
	if (entries)
		closedir(entries);
}
