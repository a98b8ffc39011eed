/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/in_root.h"
#include "ipc/discover.h"
#include "ipc/process_container.h"

#define DELETED " (deleted)"

/* The kernel marks an executable that was replaced, as updates do. */
static void drop_mark(char *path)
{
	const size_t length = strlen(path), mark = sizeof(DELETED) - 1;

	if (length > mark && !strcmp(path + length - mark, DELETED))
		path[length - mark] = '\0';
}

/* Of another user's process only the first word and a truncated name are visible. */
static const char *visible_name(const struct candidate *c, struct process_text cmdline)
{
	const char *word = cmdline.size ? process_file_name(cmdline.at) : "";
	const char *name = c->stat.name;

	return *name && !strncmp(word, name, strlen(name)) ? word : name;
}

static void name_it(struct discovery *d, struct candidate *c)
{
	struct pp_process *p = &c->process;
	struct process_text cmdline = { "", 0 };
	char executable[PROCESS_PATH_SIZE];

	if (!process_read(&d->files, p->pid, "cmdline", &cmdline))
		cmdline = (struct process_text){ "", 0 };
	p->command_line = process_command_line(d->arena, cmdline);
	p->entrypoint = process_entry_point(d->arena, cmdline);
	if (process_read_link(&d->files, p->pid, "exe", executable)) {
		drop_mark(executable);
		p->executable = arena_printf(d->arena, "%s", process_file_name(executable));
	} else {
		p->executable = arena_printf(d->arena, "%s", visible_name(c, cmdline));
	}
}

/* Runtimes before .NET 6 do not report their version, and those before .NET 5 report nothing. */
static void find_version(struct discovery *d, struct candidate *c)
{
	struct pp_process *p = &c->process;

	if (!p->runtime && (c->answer == ANSWER_INFO || c->answer == ANSWER_UNKNOWN))
		discover_runtime(d, c);
	p->before_net5 = c->answer == ANSWER_UNKNOWN;
	if (!p->runtime && p->before_net5)
		p->runtime = "3.x";
}

/* What the runtime reports is better than what we see from outside. */
static void take_info(struct candidate *c)
{
	struct pp_process *p = &c->process;
	const struct pp_process_info *info = &c->info;

	if (c->answer != ANSWER_INFO)
		return;
	if (info->entrypoint && *info->entrypoint)
		p->entrypoint = info->entrypoint;
	if (info->runtime_version && *info->runtime_version)
		p->runtime = info->runtime_version;
	if (!p->command_line)
		p->command_line = info->command_line;
	p->architecture = info->architecture;
	p->os = info->os;
}

static void find_architecture(struct discovery *d, struct candidate *c)
{
	static const struct {
		uint16_t machine;
		const char *name;
	} machines[] = { { 3, "x86" }, { 40, "arm32" }, { 62, "x64" }, { 183, "arm64" } };
	uint8_t head[20] = { 0 };
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "%" PRId32 "/exe", c->process.pid);
	fd = in_root_read(openat(d->files.fd, path, O_PATH | O_CLOEXEC));
	if (fd < 0)
		return;
	if (read(fd, head, sizeof(head)) == (ssize_t)sizeof(head) && !memcmp(head, "\177ELF", 4))
		for (size_t i = 0; i < ARRAY_COUNT(machines); i++)
			if (machines[i].machine == (head[18] | head[19] << 8))
				c->process.architecture = machines[i].name;
	close(fd);
}

/* Not getpwuid(): it loads libraries and may ask servers, which takes longer than all the rest. */
static void find_user(struct discovery *d, struct candidate *c)
{
	struct process_text passwd;

	if (!c->status.has_user)
		return;
	c->process.user_id = c->status.user;
	if (process_read_path(&d->files, "/etc/passwd", &passwd))
		c->process.user = process_user_name(d->arena, passwd, c->status.user);
	if (!c->process.user)
		c->process.user = arena_printf(d->arena, "%" PRIu32, c->status.user);
}

static void find_container(struct discovery *d, struct candidate *c)
{
	struct pp_process *p = &c->process;
	char link[PROCESS_PATH_SIZE];
	struct process_text text;

	if (process_read(&d->files, p->pid, "cgroup", &text))
		p->container = process_container(d->arena, text);
	if (!p->container && process_read(&d->files, p->pid, "mountinfo", &text))
		p->container = process_container_mounted(d->arena, text);
	if (!p->container && c->status.depth > 1 &&
	    process_read_link(&d->files, p->pid, "ns/pid", link))
		p->container = arena_printf(d->arena, "%s", link); /* pid:[4026532210] */
}

static void find_start(struct candidate *c)
{
	const int64_t tick_ns = 1000000000 / sysconf(_SC_CLK_TCK);
	struct timespec now, up;

	clock_gettime(CLOCK_REALTIME, &now);
	clock_gettime(CLOCK_BOOTTIME, &up);
	c->process.start_ns = ((int64_t)now.tv_sec - (int64_t)up.tv_sec) * 1000000000 +
			      now.tv_nsec - up.tv_nsec + (int64_t)c->stat.start_ticks * tick_ns;
	c->process.start_ns -= c->process.start_ns % tick_ns; /* to the known precision */
}

void discover_describe(struct discovery *d, struct candidate *c)
{
	struct pp_process *p = &c->process;

	name_it(d, c);
	take_info(c);
	find_version(d, c);
	p->native_aot = process_is_native_aot(&d->files, p->pid);
	if (!p->architecture)
		find_architecture(d, c);
	if (!p->os)
		p->os = "Linux";
	find_user(d, c);
	find_container(d, c);
	find_start(c);
	p->name = p->executable;
	if (p->entrypoint && !strcmp(p->executable, "dotnet"))
		p->name = p->entrypoint;
}
