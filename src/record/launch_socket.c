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

#define PREFIX	     "perfpipe-"
#define UNIQUE	     6 /* characters that mkdtemp() chooses */
#define SOCKET	     "launch.sock"
#define SHARED	     "/tmp"
#define ENTRIES_MOST 65536 /* looked at: anybody may fill /tmp */

/* A directory of this user, in which nobody else can create or rename anything. */
static bool is_ours(int fd)
{
	struct stat folder;

	return !fstat(fd, &folder) && folder.st_uid == geteuid() && !(folder.st_mode & 022);
}

/* XDG_RUNTIME_DIR, unless it is another user's, as sudo leaves it; or NULL. */
static const char *own_base(void)
{
	const char *own = getenv("XDG_RUNTIME_DIR");
	bool fits;
	int fd;

	fd = own && *own == '/' ? open(own, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
	if (fd < 0)
		return NULL;
	fits = is_ours(fd);
	close(fd);
	return fits ? own : NULL;
}

/* False also if the path would be too long for an address. */
static bool make_in(struct launch_socket *made, const char *base)
{
	const int size = snprintf(made->folder, sizeof(made->folder), "%s/" PREFIX "%ld-XXXXXX",
				  base, (long)getpid());

	if ((size_t)size + sizeof("/" SOCKET) > sizeof(made->path) || !mkdtemp(made->folder)) {
		*made->folder = 0;
		return false;
	}
	memcpy(made->path, made->folder, (size_t)size);
	memcpy(made->path + size, "/" SOCKET, sizeof("/" SOCKET));
	return true;
}

int launch_socket_make(struct launch_socket *made, struct pp_error *err)
{
	const char *own = own_base();

	launch_socket_tidy(SHARED, LAUNCH_SOCKET_OLD_S);
	if (own)
		launch_socket_tidy(own, LAUNCH_SOCKET_OLD_S);
	if ((own && make_in(made, own)) || make_in(made, SHARED))
		return 0;
	return error_errno(err, "cannot create a directory for a socket in " SHARED);
}

void launch_socket_remove(struct launch_socket *made)
{
	if (*made->folder)
		rmdir(made->folder);
	*made->folder = 0;
}

/* The process it belongs to; 0: it is not exactly such a name. */
static pid_t process_of(const char *name)
{
	char expected[LAUNCH_SOCKET_SIZE];
	long number;
	int length;

	if (strncmp(name, PREFIX, strlen(PREFIX)) != 0)
		return 0;
	errno = 0;
	number = strtol(name + strlen(PREFIX), NULL, 10);
	length = snprintf(expected, sizeof(expected), PREFIX "%ld-", number);
	if (errno || number <= 0 || number != (pid_t)number ||
	    strncmp(name, expected, (size_t)length))
		return 0;
	return strlen(name) == (size_t)length + UNIQUE ? (pid_t)number : 0;
}

static bool is_old_and_ours(int folder, int age_s)
{
	struct stat info;

	return is_ours(folder) && !fstat(folder, &info) && time(NULL) - info.st_ctime >= age_s;
}

static bool nobody_listens(int folder)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d/" SOCKET, folder);
	fd = connect_unix(path);
	if (fd >= 0)
		close(fd);
	return fd < 0 && (errno == ECONNREFUSED || errno == ENOENT);
}

static void remove_stale(int base, const char *name, int age_s)
{
	const int folder = openat(base, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (folder < 0)
		return;
	if (is_old_and_ours(folder, age_s) && nobody_listens(folder)) {
		unlinkat(folder, SOCKET, 0);
		unlinkat(base, name, AT_REMOVEDIR);
	}
	close(folder);
}

void launch_socket_tidy(const char *base, int age_s)
{
	DIR *entries = opendir(base);
	const struct dirent *entry;

	for (int i = 0; entries && i < ENTRIES_MOST && (entry = readdir(entries)); i++) {
		const pid_t process = process_of(entry->d_name);

		if (process && kill(process, 0) && errno == ESRCH)
			remove_stale(dirfd(entries), entry->d_name, age_s);
	}
	if (entries)
		closedir(entries);
}
