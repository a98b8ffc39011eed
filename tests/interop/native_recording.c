/* SPDX-License-Identifier: MIT */
/*
 * native_recording FILE COMMAND... - runs a command and writes samples of it, each a millisecond of
 * CPU time with its stack by frame pointers, its mappings and their build ids, as a trace. Exits
 * with 77 where that is not allowed.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "perfpipe/nettrace_universal.h"

#define RING	  ((size_t)4 * 1024 * 1024)
#define PERIOD_NS 1000000
#define LARGEST	  65536 /* bytes of a record */

struct recording {
	struct pp_writer *writer;
	struct pp_error err;
	uint64_t thread;
	uint64_t mappings;
	int64_t start;
	uint64_t samples, lost;
	bool named;
};

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static int64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int open_event(pid_t pid)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = PERIOD_NS,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN,
		.disabled = 1,
		.enable_on_exec = 1,
		.exclude_kernel = 1,
		.exclude_callchain_kernel = 1,
		.mmap = 1,
		.mmap2 = 1,
		.build_id = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.wakeup_events = 64,
	};
	const int fd = (int)syscall(SYS_perf_event_open, &attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0 || (errno != EACCES && errno != EPERM && errno != ENOSYS && errno != EINVAL &&
			errno != ENOENT && errno != EOPNOTSUPP))
		return fd;
	printf("skipped: perf_event_open() is not allowed here: %s\n", strerror(errno));
	kill(pid, SIGKILL);
	exit(77);
}

static int write_bytes(void *context, const void *bytes, size_t size)
{
	return fwrite(bytes, 1, size, context) == size ? 0 : -1;
}

struct mmap2_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t start, size, offset;
	uint8_t build_id_size;
	uint8_t reserved[3];
	uint8_t build_id[20];
	uint32_t protection, flags;
	char path[];
};

static void add_build_id(struct recording *r, const struct pp_new_event *at, uint64_t id,
			 const struct mmap2_record *map)
{
	char json[128] = "{\"type\":\"ELF\",\"build_id\":\"";
	char *to = json + strlen(json);

	for (unsigned i = 0; i < map->build_id_size && i < sizeof(map->build_id); i++)
		to += sprintf(to, "%02x", map->build_id[i]);
	strcpy(to, "\"}");
	pp_writer_mapping_metadata(
		r->writer, at, &(const struct pp_new_mapping_metadata){ .id = id, .symbols = json },
		&r->err);
}

static void add_mapping(struct recording *r, const void *record)
{
	const struct mmap2_record *map = record;
	const bool known = map->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID;
	const struct pp_new_event at = { .thread = r->thread, .ticks = r->start, .cpu = -1 };
	const struct pp_new_mapping mapping = { .id = ++r->mappings,
						.start = map->start,
						.end = map->start + map->size,
						.file_offset = map->offset,
						.file_name = map->path,
						.metadata_id = known ? r->mappings : 0 };

	if (!r->named)
		pp_writer_process(r->writer, &at, PP_PROCESS_EXISTING,
				  &(const struct pp_new_process){ .name = map->path }, &r->err);
	r->named = true;
	if (known)
		add_build_id(r, &at, mapping.id, map);
	pp_writer_mapping(r->writer, &at, &mapping, &r->err);
}

struct sample_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t time;
	uint64_t count;
	uint64_t addresses[];
};

/* Some entries are marks: what follows is of the kernel, or of the process. */
static void add_sample(struct recording *r, const void *record)
{
	const struct sample_record *sample = record;
	uint64_t stack[PERF_MAX_STACK_DEPTH];
	struct pp_new_event at = {
		.thread = r->thread, .ticks = (int64_t)sample->time, .cpu = -1, .stack = stack
	};

	for (uint64_t i = 0; i < sample->count && at.stack_count < PERF_MAX_STACK_DEPTH; i++)
		if (sample->addresses[i] < (uint64_t)PERF_CONTEXT_MAX)
			stack[at.stack_count++] = sample->addresses[i];
	pp_writer_cpu(r->writer, &at, 1, &r->err);
	r->samples++;
}

static void add_record(struct recording *r, const void *record)
{
	const struct perf_event_header *header = record;

	if (header->type == PERF_RECORD_MMAP2)
		add_mapping(r, record);
	else if (header->type == PERF_RECORD_SAMPLE)
		add_sample(r, record);
	else if (header->type == PERF_RECORD_LOST)
		r->lost++;
}

static void copy_out(void *to, const uint8_t *ring, uint64_t at, size_t size)
{
	for (size_t i = 0; i < size; i++)
		((uint8_t *)to)[i] = ring[(at + i) % RING];
}

static void read_ring(struct recording *r, struct perf_event_mmap_page *page)
{
	const uint8_t *ring = (const uint8_t *)page + page->data_offset;
	const uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	static uint64_t record[LARGEST / 8];
	struct perf_event_header header;

	while (page->data_tail < head) {
		copy_out(&header, ring, page->data_tail, sizeof(header));
		copy_out(record, ring, page->data_tail, header.size);
		add_record(r, record);
		__atomic_store_n(&page->data_tail, page->data_tail + header.size, __ATOMIC_RELEASE);
	}
}

/* It starts when it can read a byte. */
static pid_t start(char **command, int *go)
{
	int fds[2];
	pid_t pid;
	char byte;

	if (pipe(fds))
		fail("pipe");
	pid = fork();
	if (pid < 0)
		fail("fork");
	if (!pid) {
		close(fds[1]);
		if (read(fds[0], &byte, 1) == 1)
			execv(command[0], command);
		_exit(127);
	}
	close(fds[0]);
	*go = fds[1];
	return pid;
}

static void begin(struct recording *r, FILE *file, pid_t pid)
{
	static const struct pp_pair properties[] = { { "ExpectedCPUSamplingRate", "1000000" } };

	r->start = clock_ns(CLOCK_MONOTONIC);
	r->writer = pp_writer_new(
		&(const struct pp_writer_options){ .size = sizeof(struct pp_writer_options),
						   .sink = { write_bytes, file },
						   .start_ns = clock_ns(CLOCK_REALTIME),
						   .start_ticks = r->start,
						   .ticks_per_second = 1000000000,
						   .properties = properties,
						   .property_count = 1 },
		&r->err);
	r->thread = pp_writer_thread(
		r->writer, &(const struct pp_thread){ .process_id = pid, .id = pid }, &r->err);
}

int main(int argc, char **argv)
{
	struct recording r = { 0 };
	struct perf_event_mmap_page *page;
	FILE *file;
	int go, fd, status;
	pid_t pid;

	if (argc < 3 || !(file = fopen(argv[1], "wb")))
		return fputs("usage: native_recording FILE COMMAND...\n", stderr), 2;
	pid = start(argv + 2, &go);
	fd = open_event(pid);
	if (fd < 0)
		fail("perf_event_open");
	page = mmap(NULL, RING + (size_t)getpagesize(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		fail("mmap");
	begin(&r, file, pid);
	if (write(go, "", 1) != 1)
		fail("write");
	for (struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	     !(poll_fd.revents & POLLHUP);) {
		poll(&poll_fd, 1, -1);
		read_ring(&r, page);
	}
	waitpid(pid, &status, 0);
	read_ring(&r, page);
	if (pp_writer_close(r.writer, &r.err) || fclose(file))
		return fprintf(stderr, "native_recording: %s\n", r.err.text), 1;
	printf("%llu samples, %llu lost\n", (unsigned long long)r.samples,
	       (unsigned long long)r.lost);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
