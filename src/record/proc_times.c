/* SPDX-License-Identifier: MIT */
#include "record/proc_times.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/time.h"
#include "ipc/process_text.h"
#include "nettrace/thread_times.h"

#define SECOND_NS    INT64_C(1000000000)
#define PACE_NS	     (SECOND_NS / 10) /* between two readings, if they cost little */
#define SLOW_NS	     SECOND_NS	      /* the same, at most, until it costs much */
#define COST	     800	      /* a reading may take 1/800 of the time up to the next one, */
#define COST_MOST    150	      /* and at the slow pace 1/150 */
#define PAYLOAD_MOST ((size_t)60000)  /* .NET's reader cuts payloads at 64 KiB */
#define TRIES	     3
#define AT_ONCE_NS   1000000 /* for all figures, */
#define THREAD_NS    20000   /* and this for each thread */
#define TEXT_SIZE    4096    /* of a file that is read */

/* Sums since a thread began. */
struct figures {
	uint64_t run_ns;
	uint64_t ready_ns;
};

struct thread {
	pid_t id;	   /* as we see it */
	int64_t traced_id; /* as the process sees it */
	int fd;		   /* schedstat, kept open since that is far cheaper; -1: not kept */
	bool seen;	   /* in the list that was read last */
	bool told;	   /* of in a reading: with these figures and this name */
	struct figures then;
	struct figures now; /* that were read last */
	bool changed;	    /* and differ */
	char name[sizeof(((struct process_stat *)NULL)->name)];
};

struct proc_times {
	pid_t process;
	int64_t traced_id;
	bool namespaced;    /* ids differ */
	bool by_ticks;	    /* the kernel has no schedstat: times come from `stat`, in ticks */
	int fd;		    /* of /proc/PID/task */
	unsigned kept_most; /* descriptors, of all that are open */
	struct thread **threads;
	size_t count, capacity;
	struct map by_id;
	bool stale; /* a thread has ended since the list was read */
	int64_t due_ns;
	char text[TEXT_SIZE]; /* of the file that was read last */
};

/* Descriptors of all, which may be opened and used on several threads. */
static atomic_uint kept;

static bool read_text(struct proc_times *t, int fd, struct process_text *text)
{
	const ssize_t size = pread(fd, t->text, sizeof(t->text) - 1, 0);

	if (size <= 0)
		return false;
	t->text[size] = '\0';
	*text = (struct process_text){ t->text, (size_t)size };
	return true;
}

static bool read_file(struct proc_times *t, pid_t thread, const char *name,
		      struct process_text *text)
{
	char path[64];
	bool done;
	int fd;

	snprintf(path, sizeof(path), "%d/%s", (int)thread, name);
	fd = openat(t->fd, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	done = read_text(t, fd, text);
	close(fd);
	return done;
}

static void keep_open(struct proc_times *t, struct thread *thread)
{
	char path[64];

	if (kept >= t->kept_most || t->by_ticks)
		return;
	snprintf(path, sizeof(path), "%d/schedstat", (int)thread->id);
	thread->fd = openat(t->fd, path, O_RDONLY | O_CLOEXEC);
	kept += thread->fd >= 0;
}

static void free_thread(struct proc_times *t, struct thread *thread)
{
	if (thread->fd >= 0) {
		close(thread->fd);
		kept--;
	}
	map_remove(&t->by_id, (uint64_t)thread->id);
	xfree(thread);
}

/* Of a process in a namespace `status` lists both ids. */
static int64_t find_traced_id(struct proc_times *t, pid_t id)
{
	struct process_text text;
	struct process_status status = { 0 };

	if (t->namespaced && read_file(t, id, "status", &text))
		status = process_status_parse(text);
	return status.ns_pid ? status.ns_pid : id;
}

static void add_thread(struct proc_times *t, pid_t id)
{
	struct thread *thread = xcalloc(1, sizeof(*thread));

	*thread = (struct thread){ .id = id, .traced_id = find_traced_id(t, id), .fd = -1 };
	keep_open(t, thread);
	t->threads = xgrow(t->threads, t->count, &t->capacity, sizeof(*t->threads));
	t->threads[t->count++] = thread;
	map_put(&t->by_id, (uint64_t)id, thread);
}

static void remove_unseen(struct proc_times *t)
{
	size_t count = 0;

	for (size_t i = 0; i < t->count; i++)
		if (t->threads[i]->seen)
			t->threads[count++] = t->threads[i];
		else
			free_thread(t, t->threads[i]);
	t->count = count;
	t->stale = false;
}

static void list_threads(struct proc_times *t)
{
	const int fd = openat(t->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *entry;

	for (size_t i = 0; i < t->count; i++)
		t->threads[i]->seen = false;
	while (list && (entry = readdir(list))) {
		const pid_t id = (pid_t)strtol(entry->d_name, NULL, 10);
		struct thread *thread = id > 0 ? map_find(&t->by_id, (uint64_t)id) : NULL;

		if (id > 0 && !thread) {
			add_thread(t, id);
			thread = t->threads[t->count - 1];
		}
		if (thread)
			thread->seen = true;
	}
	if (list)
		closedir(list);
	remove_unseen(t);
}

/* Counted as links of the directory, which is cheaper than reading it. */
static bool list_is_current(const struct proc_times *t)
{
	struct stat info;

	return !t->stale && !fstat(t->fd, &info) && info.st_nlink == t->count + 2;
}

static bool read_times(struct proc_times *t, struct thread *thread, struct figures *figures)
{
	struct process_text text;
	char *end;

	if (thread->fd >= 0 ? !read_text(t, thread->fd, &text)
			    : !read_file(t, thread->id, "schedstat", &text))
		return false;
	figures->run_ns = strtoull(text.at, &end, 10);
	figures->ready_ns = strtoull(end, NULL, 10);
	return end != text.at;
}

/* Name and state; and without schedstat the time. */
static bool read_stat(struct proc_times *t, struct thread *thread, struct process_stat *stat)
{
	struct process_text text;

	return read_file(t, thread->id, "stat", &text) && process_stat_parse(text, stat);
}

static void read_figures(struct proc_times *t, struct thread *thread)
{
	struct process_stat stat;
	bool done;

	if (!t->by_ticks)
		done = read_times(t, thread, &thread->now);
	else if ((done = read_stat(t, thread, &stat)))
		thread->now.run_ns = stat.cpu_ticks * (uint64_t)(SECOND_NS / sysconf(_SC_CLK_TCK));
	t->stale |= !done;
	thread->changed = done && (!thread->told || thread->now.run_ns != thread->then.run_ns ||
				   thread->now.ready_ns != thread->then.ready_ns);
}

/* The process's own clock has the time of threads that have ended, too. 0: it cannot be read. */
static uint64_t process_run_ns(const struct proc_times *t)
{
	struct timespec time;
	clockid_t clock;

	if (clock_getcpuclockid(t->process, &clock) || clock_gettime(clock, &time))
		return 0;
	return (uint64_t)time.tv_sec * SECOND_NS + (uint64_t)time.tv_nsec;
}

/*
 * All figures, at one time. On a busy machine we may have to wait in the middle for a processor,
 * and figures that are not of the same time are read again: having waited, we may go on for a
 * while.
 */
static void read_all_figures(struct proc_times *t, struct thread_times_head *head)
{
	for (int tries = 0; tries < TRIES; tries++) {
		const int64_t begin_ns = time_monotonic_ns();
		int64_t end_ns;

		head->process_run_ns = process_run_ns(t);
		for (size_t i = 0; i < t->count; i++)
			read_figures(t, t->threads[i]);
		end_ns = time_monotonic_ns();
		head->ticks = begin_ns + (end_ns - begin_ns) / 2;
		if (end_ns - begin_ns < AT_ONCE_NS + (int64_t)t->count * THREAD_NS)
			break;
	}
}

/* A thread that has not run has the name and the state that it had. */
static void put_thread(struct thread *thread, const struct process_stat *stat,
		       struct buffer *payload)
{
	const bool renamed = strcmp(thread->name, stat->name) != 0;

	thread->then = thread->now;
	memcpy(thread->name, stat->name, sizeof(thread->name));
	thread_times_put_row(payload, &(const struct thread_times_row){
					      .thread_id = thread->traced_id,
					      .run_ns = thread->now.run_ns,
					      .ready_ns = thread->now.ready_ns,
					      .state = stat->state,
					      .name = renamed ? thread->name : "",
				      });
	thread->told = true;
}

static int64_t cost_ns(void)
{
	struct timespec time = { 0 };

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return time.tv_sec * SECOND_NS + time.tv_nsec;
}

static int64_t pace_for(int64_t spent_ns)
{
	const int64_t slowest = spent_ns * COST_MOST > SLOW_NS ? spent_ns * COST_MOST : SLOW_NS;
	const int64_t wanted = spent_ns * COST > PACE_NS ? spent_ns * COST : PACE_NS;

	return wanted < slowest ? wanted : slowest;
}

/* One reading on its way into the payloads of events. */
struct reading {
	struct thread_times_head head;
	struct buffer payload;
	void (*take)(void *context, const struct buffer *payload);
	void *context;
};

static void begin_payload(struct reading *reading)
{
	buffer_rewind(&reading->payload, 0);
	reading->head.count = 0;
	thread_times_put_head(&reading->payload, &reading->head);
}

static void pass_on(struct reading *reading, bool more)
{
	reading->head.more = more;
	thread_times_patch(&reading->payload, &reading->head);
	if (!reading->payload.failed)
		reading->take(reading->context, &reading->payload);
	begin_payload(reading);
}

static void put_threads(struct proc_times *t, struct reading *reading)
{
	struct process_stat stat;

	for (size_t i = 0; i < t->count; i++) {
		if (!t->threads[i]->changed || !read_stat(t, t->threads[i], &stat))
			continue;
		if (reading->payload.size > PAYLOAD_MOST)
			pass_on(reading, true);
		put_thread(t->threads[i], &stat, &reading->payload);
		reading->head.count++;
	}
}

void proc_times_read(struct proc_times *times,
		     void (*take)(void *context, const struct buffer *payload), void *context)
{
	const int64_t before_ns = cost_ns();
	struct reading reading = {
		.take = take,
		.context = context,
	};

	if (!list_is_current(times))
		list_threads(times);
	read_all_figures(times, &reading.head);
	begin_payload(&reading);
	put_threads(times, &reading);
	pass_on(&reading, false);
	buffer_release(&reading.payload);
	times->due_ns = time_monotonic_ns() + pace_for(cost_ns() - before_ns);
}

int64_t proc_times_due_ns(const struct proc_times *times)
{
	return times->due_ns;
}

int64_t proc_times_process_id(const struct proc_times *times)
{
	return times->traced_id;
}

/* Part of what the program may open; others need descriptors, too. */
static unsigned descriptors(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur > 4096
		       ? 1024
		       : (unsigned)limit.rlim_cur / 4;
}

/* A kernel without the statistics has no such file, or zeros in it. */
static void look_at_process(struct proc_times *t)
{
	struct thread first = { .id = t->process, .fd = -1 };
	struct figures figures = { 0 };
	struct process_text text;
	struct process_status status = { 0 };

	if (read_file(t, t->process, "status", &text))
		status = process_status_parse(text);
	t->namespaced = status.depth > 1;
	t->traced_id = t->namespaced && status.ns_pid ? status.ns_pid : t->process;
	t->by_ticks = !read_times(t, &first, &figures) || !figures.run_ns;
}

struct proc_times *proc_times_open(pid_t process)
{
	struct proc_times *t = xcalloc(1, sizeof(*t));
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task", (int)process);
	t->process = process;
	t->kept_most = descriptors();
	t->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (t->fd < 0) {
		xfree(t);
		return NULL;
	}
	look_at_process(t);
	return t;
}

void proc_times_close(struct proc_times *times)
{
	if (!times)
		return;
	for (size_t i = 0; i < times->count; i++)
		free_thread(times, times->threads[i]);
	xfree(times->threads);
	map_release(&times->by_id);
	close(times->fd);
	xfree(times);
}
