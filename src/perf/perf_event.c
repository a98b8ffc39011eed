/* SPDX-License-Identifier: MIT */
#include "perf/perf_event.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"
#include "perf/perf_registers.h"

#define SAMPLE_BASIC (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)
#define SAMPLE_STACK (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

struct perf_layout perf_event_layout(const struct perf_options *options)
{
	const struct perf_machine *machine = perf_machine_here();

	return (struct perf_layout){
		.sample_type = SAMPLE_BASIC | (options->stack_size ? SAMPLE_STACK : 0),
		.register_count = machine && options->stack_size ? machine->count : 0,
		.sample_id_all = true,
	};
}

static struct perf_event_attr attributes(const struct perf_options *options)
{
	const struct perf_machine *machine = perf_machine_here();
	const bool has_cycles = options->source == PERF_CYCLES && options->frequency;

	return (struct perf_event_attr){
		.size = sizeof(struct perf_event_attr),
		.type = has_cycles ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE,
		.config = has_cycles	       ? PERF_COUNT_HW_CPU_CYCLES
			  : options->frequency ? PERF_COUNT_SW_CPU_CLOCK
					       : PERF_COUNT_SW_DUMMY,
		.freq = options->frequency != 0,
		.sample_freq = options->frequency,
		.sample_type = perf_event_layout(options).sample_type,
		.sample_regs_user = machine && options->stack_size ? machine->mask : 0,
		.sample_stack_user = options->stack_size,
		.sample_id_all = 1,
		.disabled = 1,
		.inherit = options->inherit,
		.enable_on_exec = options->enable_on_exec,
		.exclude_kernel = !options->with_kernel,
		.exclude_hv = 1,
		.mmap = 1, /* of executable mappings; mmap2 says how they are written */
		.mmap2 = 1,
		.build_id = options->build_ids,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = options->wakeup_size != 0,
		.wakeup_events = options->wakeup_size ? options->wakeup_size : 1,
	};
}

/* 2, the kernel's default, if it cannot be read. */
static int read_paranoid(void)
{
	const int fd = open("/proc/sys/kernel/perf_event_paranoid", O_RDONLY | O_CLOEXEC);
	char text[16] = "2";
	const ssize_t size = fd >= 0 ? read(fd, text, sizeof(text) - 1) : 0;

	if (fd >= 0)
		close(fd);
	text[size > 0 ? size : 1] = '\0';
	return (int)strtol(text, NULL, 10);
}

static int not_permitted(const struct perf_options *options, int paranoid, struct pp_error *err)
{
	const int most = options->with_kernel ? 1 : 2;

	if (paranoid > most)
		return error_set(
			err, PP_ERROR_SYSTEM,
			"the kernel does not allow sampling process %d: set "
			"/proc/sys/kernel/perf_event_paranoid, which is %d, to %d, or give "
			"CAP_PERFMON to this program",
			(int)options->pid, paranoid, most);
	return error_set(err, PP_ERROR_SYSTEM,
			 "process %d cannot be sampled: it belongs to another user, or a container "
			 "forbids perf_event_open(); give CAP_PERFMON to this program",
			 (int)options->pid);
}

int perf_event_refused(const struct perf_options *options, int number, int paranoid,
		       struct pp_error *err)
{
	switch (number) {
	case EACCES:
	case EPERM:
		return not_permitted(options, paranoid, err);
	case EMFILE:
		return error_set(err, PP_ERROR_SYSTEM,
				 "there are too many open files for perf events: raise the limit "
				 "with ulimit -n");
	case ENFILE:
		return error_set(err, PP_ERROR_SYSTEM,
				 "the system has too many open files: raise "
				 "/proc/sys/fs/file-max");
	case ENOENT:
	case EOPNOTSUPP:
		return error_set(err, PP_ERROR_UNSUPPORTED,
				 "this machine does not count %s: use the CPU clock",
				 options->source == PERF_CYCLES ? "cycles" : "CPU time");
	case ENOSYS:
		return error_set(err, PP_ERROR_UNSUPPORTED,
				 "this kernel has no perf events, or a container forbids them");
	case ESRCH:
		return error_set(err, PP_ERROR_SYSTEM, "there is no process %d", (int)options->pid);
	case EINVAL:
	case E2BIG:
		return error_set(err, PP_ERROR_UNSUPPORTED,
				 "this kernel does not know a perf option that is needed: Linux "
				 "5.12 or later does");
	default:
		errno = number;
		return error_errno(err, "perf_event_open()");
	}
}

static int check_options(const struct perf_options *options, struct pp_error *err)
{
	if (options->stack_size % 8 || options->stack_size > PERF_STACK_MOST)
		return error_set(err, PP_ERROR_USAGE,
				 "%u bytes of stack cannot be sampled: use a multiple of 8 up to "
				 "%u",
				 options->stack_size, PERF_STACK_MOST);
	if (options->stack_size && !perf_machine_here())
		return error_set(err, PP_ERROR_UNSUPPORTED,
				 "registers cannot be sampled on this machine");
	return 0;
}

int perf_event_new(const struct perf_options *options, struct pp_error *err)
{
	struct perf_event_attr attr = attributes(options);
	int fd;

	if (check_options(options, err))
		return -1;
	fd = (int)syscall(SYS_perf_event_open, &attr, options->pid, options->cpu, -1,
			  PERF_FLAG_FD_CLOEXEC);
	if (fd < 0) {
		const int number = errno;

		perf_event_refused(options, number, read_paranoid(), err);
		errno = number;
	}
	return fd;
}

int perf_event_enable(int fd, struct pp_error *err)
{
	return ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) ? error_errno(err, "cannot start sampling") : 0;
}

int perf_event_disable(int fd, struct pp_error *err)
{
	return ioctl(fd, PERF_EVENT_IOC_DISABLE, 0) ? error_errno(err, "cannot stop sampling") : 0;
}
