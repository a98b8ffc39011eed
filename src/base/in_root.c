/* SPDX-License-Identifier: MIT */
#include "base/in_root.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"

#define LINKS_MOST  40 /* as in the kernel */
#define LEVELS_MOST 128

/* Never blocks: not for a pipe without a writer, and not for somebody's lease on a file. */
#define READ_FLAGS (O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

static int fail(int number)
{
	errno = number;
	return -1;
}

/*
 * The directories from the root down to the current one stay open: `..` goes back to the one
 * before, where the kernel's would lead out of the root if somebody moves a directory meanwhile.
 */
struct walk {
	int levels[LEVELS_MOST]; /* [0] is the root, borrowed */
	int level;
	int links;
	char rest[PATH_MAX];
};

static void go_up_to(struct walk *walk, int level)
{
	while (walk->level > level)
		close_keeping_errno(walk->levels[walk->level--]);
}

static int go_down(struct walk *walk, int fd)
{
	if (walk->level + 1 == LEVELS_MOST) {
		close(fd);
		return fail(ENAMETOOLONG);
	}
	walk->levels[++walk->level] = fd;
	return 0;
}

/* Takes the first component off the rest; false if there is none. */
static bool next_component(struct walk *walk, char name[static NAME_MAX + 2])
{
	const char *at = walk->rest + strspn(walk->rest, "/");
	const size_t length = strcspn(at, "/");

	snprintf(name, NAME_MAX + 2, "%.*s", (int)length, at); /* too long for any file, if cut */
	memmove(walk->rest, at + length, strlen(at + length) + 1);
	return length > 0;
}

/* The target of the link comes before the rest. */
static int enter_link(struct walk *walk, int fd)
{
	char target[PATH_MAX];
	const ssize_t size = readlinkat(fd, "", target, sizeof(target));
	const size_t length = size > 0 ? (size_t)size : 0;
	const size_t rest = strlen(walk->rest);

	close_keeping_errno(fd);
	if (size < 0)
		return -1;
	if (!length)
		return fail(ENOENT);
	if (++walk->links > LINKS_MOST)
		return fail(ELOOP);
	if (length + rest >= sizeof(walk->rest))
		return fail(ENAMETOOLONG);
	memmove(walk->rest + length, walk->rest, rest + 1);
	memcpy(walk->rest, target, length);
	if (*target == '/')
		go_up_to(walk, 0);
	return 0;
}

/* One component: 1 and the descriptor if it was the last, 0 to go on, -1 and errno. */
static int step(struct walk *walk, const char *name, int flags, int *found)
{
	const int fd = openat(walk->levels[walk->level], name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat info;

	if (fd < 0)
		return -1;
	if (fstat(fd, &info)) {
		close_keeping_errno(fd);
		return -1;
	}
	if (S_ISLNK(info.st_mode) && !((flags & O_NOFOLLOW) && !*walk->rest))
		return enter_link(walk, fd);
	if (S_ISDIR(info.st_mode))
		return go_down(walk, fd);
	*found = fd;
	if (!*walk->rest)
		return 1;
	close(fd);
	return fail(ENOTDIR);
}

/* The directory where the walk ended. */
static int take_level(const struct walk *walk)
{
	return openat(walk->levels[walk->level], ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int in_root_walk(int root, const char *path, int flags)
{
	struct walk walk = { .levels = { root } };
	char name[NAME_MAX + 2];
	int found = -1, state = 0;

	if (!*path)
		return fail(ENOENT);
	if (snprintf(walk.rest, sizeof(walk.rest), "%s", path) >= (int)sizeof(walk.rest))
		return fail(ENAMETOOLONG);
	while (!state && next_component(&walk, name)) {
		if (!strcmp(name, ".."))
			go_up_to(&walk, walk.level ? walk.level - 1 : 0);
		else if (strcmp(name, "."))
			state = step(&walk, name, flags, &found);
	}
	if (!state)
		found = take_level(&walk);
	go_up_to(&walk, 0);
	return state < 0 ? -1 : found;
}

int in_root_find(int root, const char *path, int flags)
{
	const struct open_how how = {
		.flags = (unsigned)(O_PATH | O_CLOEXEC | flags),
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	const int fd = (int)syscall(SYS_openat2, root, path, &how, sizeof(how));

	/* EPERM is what some sandboxes say of calls that they do not know; EAGAIN: files moved */
	if (fd < 0 && (errno == ENOSYS || errno == EPERM || errno == EAGAIN))
		return in_root_walk(root, path, flags);
	return fd;
}

/* Opens what an O_PATH descriptor stands for, and closes that. */
static int reopen(int place, int flags)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", place);
	fd = open(path, flags);
	close_keeping_errno(place);
	return fd;
}

int in_root_read(int place)
{
	struct stat info;

	if (place < 0)
		return -1;
	if (!fstat(place, &info) && S_ISREG(info.st_mode))
		return reopen(place, READ_FLAGS);
	close(place);
	return fail(EINVAL);
}

int in_root_regular(int root, const char *path)
{
	return in_root_read(in_root_find(root, path, 0));
}

int in_root_folder(int root, const char *path)
{
	const int place = in_root_find(root, path, 0);

	return place < 0 ? -1 : reopen(place, READ_FLAGS | O_DIRECTORY);
}
