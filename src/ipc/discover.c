/* SPDX-License-Identifier: MIT */
#include "ipc/discover.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/heap.h"
#include "base/options.h"

#define TIMEOUT_MS 280 /* so that the whole search takes 300 */
#define YOUNG_MS   2000
#define FRESH_MS   5000

#define ENTRIES_MOST ((size_t)1 << 18) /* of directories, in one search: about 0.1 s */

static bool is_zero(const char *value)
{
	char *end;

	return *value && strtoul(value, &end, 16) == 0 && !*end;
}

static const char *find_disabled(struct discovery *d, struct process_text environment)
{
	static const char *const names[] = { "EnableDiagnostics", "EnableDiagnostics_IPC" };
	struct process_setting setting;

	for (size_t i = 0; i < 2; i++)
		if (process_setting_find(environment, names[i], &setting) && is_zero(setting.value))
			return arena_printf(d->arena, "%s=%s", setting.variable, setting.value);
	return NULL;
}

/* A port in DOTNET_DiagnosticPorts suspends the runtime at its start unless it says nosuspend. */
static bool wants_suspension(struct process_text environment)
{
	struct process_setting setting;

	if (process_setting_find(environment, "DefaultDiagnosticPortSuspend", &setting) &&
	    !is_zero(setting.value))
		return true;
	return process_setting_find(environment, "DiagnosticPorts", &setting) && *setting.value;
}

/* Absolute: a relative one is below the current directory. */
static char *temporary_folder(struct discovery *d, const struct candidate *c, const char *folder)
{
	char current[PROCESS_PATH_SIZE];

	if (!folder || !*folder)
		return arena_printf(d->arena, "/tmp");
	if (*folder == '/' || !process_read_link(&d->files, c->process.pid, "cwd", current))
		return arena_printf(d->arena, "%s", folder);
	return arena_printf(d->arena, "%s/%s", current, folder);
}

static void read_environ(struct discovery *d, struct candidate *c)
{
	struct process_text environment;

	if (!process_read(&d->files, c->process.pid, "environ", &environment))
		return;
	c->folder = temporary_folder(d, c, process_environ_find(environment, "TMPDIR"));
	c->disabled = find_disabled(d, environment);
	c->asked_to_suspend = wants_suspension(environment);
}

static bool began_within(const struct candidate *c, uint64_t time_ms)
{
	const uint64_t tick_ms = 1000 / (uint64_t)sysconf(_SC_CLK_TCK);
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return ((uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000) / tick_ms <
	       c->stat.start_ticks + time_ms / tick_ms;
}

static bool read_status(struct discovery *d, struct candidate *c)
{
	struct process_text text;

	if (!process_read(&d->files, c->process.pid, "stat", &text) ||
	    !process_stat_parse(text, &c->stat) || strchr("ZXx", c->stat.state))
		return false;
	if (process_read(&d->files, c->process.pid, "status", &text))
		c->status = process_status_parse(text);
	c->young = began_within(c, YOUNG_MS);
	c->fresh = began_within(c, FRESH_MS);
	c->process.start_ticks = c->stat.start_ticks;
	c->process.ns_pid = c->status.ns_pid ? c->status.ns_pid : c->process.pid;
	return true;
}

/* A runtime has threads of its own, so most processes are ruled out by their thread count. */
static bool may_be_dotnet(struct discovery *d, struct candidate *c)
{
	const bool listening = discover_is_listening(d, c->process.pid);
	const bool single = !listening && process_thread_count(&d->files, c->process.pid) == 1;

	if ((single && !d->starting) || !read_status(d, c) || (single && !c->young))
		return false;
	read_environ(d, c);
	discover_socket(d, c);
	if (c->process.socket)
		return true;
	discover_runtime(d, c);
	if (c->sign == RUNTIME_NONE && !listening)
		return false;
	discover_other_socket(d, c);
	return c->process.socket || c->sign != RUNTIME_NONE;
}

static void consider(struct discovery *d, int32_t pid)
{
	struct candidate candidate = { .process.pid = pid, .process.proc = d->proc };

	if (!may_be_dotnet(d, &candidate))
		return;
	d->candidates = xgrow(d->candidates, d->count, &d->capacity, sizeof(*d->candidates));
	d->candidates[d->count++] = candidate;
}

static int32_t pid_of(const char *name)
{
	char *end;
	const unsigned long value = *name >= '1' && *name <= '9' ? strtoul(name, &end, 10) : 0;

	return value && !*end && value <= INT32_MAX ? (int32_t)value : 0;
}

static int walk(struct discovery *d, struct pp_error *err)
{
	DIR *entries = process_files_hold_folder(&d->files, opendir(d->files.root));

	if (!entries)
		return error_errno(err, "cannot list %s", d->files.root);
	for (struct dirent *entry; (entry = readdir(entries));) {
		const int32_t pid = pid_of(entry->d_name);

		if (pid)
			consider(d, pid);
	}
	process_files_let_go(&d->files);
	return 0;
}

static int compare(const void *left, const void *right)
{
	const struct pp_process *a = left, *b = right;
	const int order = strcmp(a->name, b->name);

	return order ? order : (a->pid > b->pid) - (a->pid < b->pid);
}

static void hand_over(struct discovery *d, struct pp_processes *found)
{
	found->items = arena_array(d->arena, struct pp_process, d->count);
	for (size_t i = 0; i < d->count; i++) {
		struct candidate *c = &d->candidates[i];

		discover_describe(d, c);
		if (discover_judge(d, c))
			found->items[found->count++] = c->process;
	}
	qsort(found->items, found->count, sizeof(*found->items), compare);
}

static void close_files(void *object)
{
	process_files_close(object);
}

static struct discovery *discovery_new(const struct pp_process_query *query)
{
	struct discovery *d = xcalloc(1, sizeof(*d));

	d->files.fd = -1;
	d->drop = heap_on_drop(close_files, &d->files);
	d->arena = xcalloc(1, sizeof(*d->arena));
	d->timeout_ms = query->timeout_ms ? query->timeout_ms : TIMEOUT_MS;
	d->give_up_fd = query->give_up_fd;
	d->starting = query->starting;
	d->cpu_interval_ms = query->cpu_interval_ms;
	d->entries_left = ENTRIES_MOST;
	return d;
}

/* All but what is found. */
static void discovery_free(struct discovery *d)
{
	process_files_close(&d->files);
	heap_forget_drop(d->drop);
	xfree(d->candidates);
	map_release(&d->listening);
	xfree(d);
}

static void ask_and_describe(struct discovery *d, struct pp_processes *found)
{
	discover_take_turns(d);
	discover_load_begin(d);
	discover_ask(d);
	discover_load_end(d);
	hand_over(d, found);
}

struct search {
	struct pp_process_query query;
	struct pp_processes *found;
};

/* If it fails, its heap is dropped. */
static int find(void *context, struct pp_error *err)
{
	struct search *search = context;
	const struct pp_process_query *query = &search->query;
	struct discovery *d = discovery_new(query);

	search->found->memory = d->arena;
	if (process_files_open(&d->files, query->proc ? query->proc : "/proc", err))
		return -1;
	d->proc = arena_printf(d->arena, "%s", d->files.root); /* lives as long as the processes */
	discover_own_sockets(d);
	if (query->pid)
		consider(d, query->pid);
	else if (walk(d, err))
		return -1;
	ask_and_describe(d, search->found);
	discovery_free(d);
	return 0;
}

int pp_processes_find(const struct pp_process_query *query, struct pp_processes *found,
		      struct pp_error *err)
{
	struct search search = { .query.size = sizeof(search.query), .found = found };

	*found = (struct pp_processes){ 0 };
	if (OPTIONS_READ(&search.query, query ? query : &search.query, err))
		return -1;
	if (!guard_run(find, &search, err))
		return 0;
	*found = (struct pp_processes){ 0 };
	return -1;
}

void pp_processes_release(struct pp_processes *found)
{
	if (found->memory)
		arena_release(found->memory);
	xfree(found->memory);
	*found = (struct pp_processes){ 0 };
}
