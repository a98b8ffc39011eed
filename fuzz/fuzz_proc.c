/* SPDX-License-Identifier: MIT */
/*
 * The input is a file of /proc; the first byte chooses which. Names in it are under the control
 * of the process: any must give a result, with terminated strings.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ipc/process_container.h"
#include "ipc/process_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct arena arena;

static void check(bool holds)
{
	if (!holds)
		abort();
}

static void fuzz_stat(struct process_text text)
{
	struct process_stat stat;

	if (process_stat_parse(text, &stat))
		check(stat.start_ticks && strlen(stat.name) < sizeof(stat.name));
}

static void fuzz_status(struct process_text text)
{
	const struct process_status status = process_status_parse(text);

	check(status.ns_pid >= 0 && status.tracer >= 0);
	check(status.depth || !status.ns_pid);
}

static void fuzz_environ(struct process_text text)
{
	struct process_setting setting;
	const char *value = process_environ_find(text, "TMPDIR");

	check(!value || value + strlen(value) <= text.at + text.size);
	value = process_setting_find(text, "EnableDiagnostics", &setting);
	check(!value || value + strlen(value) <= text.at + text.size);
}

static void fuzz_cmdline(struct process_text text)
{
	const char *line = process_command_line(&arena, text);
	const char *name = process_entry_point(&arena, text);

	check(!line || (*line && strlen(line) <= text.size * 4 + 3));
	check(!name || (*name && !strchr(name, '/')));
}

static void fuzz_maps(struct process_text text)
{
	const char *folder = process_maps_runtime(&arena, text);
	const char *version = folder ? process_folder_version(folder) : NULL;

	check(!folder || (*folder == '/' && !strchr(folder, '\n')));
	check(!version || (*version && !strchr(version, '/')));
}

static void fuzz_deps(struct process_text text)
{
	const char *version = process_deps_runtime(&arena, text);

	check(!version || (*version >= '0' && *version <= '9' && !strchr(version, '"')));
}

static void fuzz_passwd(struct process_text text)
{
	const char *name = process_user_name(&arena, text, 33);

	check(!name || !strpbrk(name, ":\n"));
}

static void fuzz_cgroup(struct process_text text)
{
	const char *container = process_container(&arena, text);

	check(!container || (strchr(container, ':') && strlen(container) < 200));
}

static void fuzz_mountinfo(struct process_text text)
{
	const char *container = process_container_mounted(&arena, text);

	check(!container || (strchr(container, ':') && strlen(container) < 200));
}

static void fuzz_socket(struct process_text text)
{
	uint64_t key;
	int32_t pid;

	if (process_socket_name(text.at, &pid, &key))
		check(pid > 0 && !strncmp(text.at, "dotnet-diagnostic-", 18));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const files[])(struct process_text text) = {
		fuzz_stat,   fuzz_status, fuzz_environ,	  fuzz_cmdline, fuzz_maps,
		fuzz_passwd, fuzz_cgroup, fuzz_mountinfo, fuzz_socket,	fuzz_deps,
	};
	char *copy;

	if (!size)
		return 0;
	copy = malloc(size); /* without the first byte, and with a NUL */
	check(copy != NULL);
	memcpy(copy, data + 1, size - 1);
	copy[size - 1] = '\0';
	files[(data[0] - 'a' + 256u) % 10]((struct process_text){ copy, size - 1 });
	free(copy);
	arena_release(&arena);
	return 0;
}
