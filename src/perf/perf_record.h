/* SPDX-License-Identifier: MIT */
/*
 * perf_record.h - the records of perf events, from their bytes.
 *
 * Pure functions: any bytes give a record or an error. What a record has depends on what was asked
 * for when its event was opened, the layout. Texts, registers and stacks are borrowed from
 * the bytes.
 *
 *	struct perf_record record;
 *
 *	if (perf_record_read(&layout, bytes, size, &record, &err))
 *		return -1;
 *	if (record.type == PERF_RECORD_SAMPLE)
 *		use(record.sample.stack, record.sample.stack_size);
 */
#ifndef PERF_RECORD_H
#define PERF_RECORD_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "perfpipe/error.h"

#define PERF_RECORD_HEADER  8u
#define PERF_RECORD_LARGEST 65535u /* its size is 16 bits */
#define PERF_BUILD_ID_MOST  20u

/* What sample_type may have for these functions to read the records. */
#define PERF_LAYOUT_KNOWN                                                                          \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |             \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | PERF_SAMPLE_REGS_USER |    \
	 PERF_SAMPLE_STACK_USER)

struct perf_layout {
	uint64_t sample_type;	 /* attr.sample_type */
	unsigned register_count; /* bits of attr.sample_regs_user */
	bool sample_id_all;	 /* attr.sample_id_all: all records have thread, time and CPU */
};

struct perf_sample {
	uint64_t ip;
	uint64_t period;
	uint64_t register_abi; /* PERF_SAMPLE_REGS_ABI_NONE: a thread of the kernel, no registers */
	const uint8_t *registers, *stack, *chain, *raw;
	size_t register_count; /* those of the layout, or none */
	size_t stack_size;     /* what was copied, which may be less than was asked for */
	size_t chain_count;    /* with marks of the kernel in between, as PERF_CONTEXT_USER */
	size_t raw_size;
};

struct perf_mapping {
	uint64_t start, size, offset;
	uint32_t protection, flags;
	const char *path;
	const uint8_t *build_id; /* NULL: the file is known by its number instead */
	size_t build_id_size;
	uint32_t device_major, device_minor;
	uint64_t inode;
};

/* Of FORK and EXIT; pid and tid are in the record. */
struct perf_parent {
	uint32_t pid, tid;
};

struct perf_record {
	uint32_t type; /* as PERF_RECORD_SAMPLE: of unknown ones only what follows is read */
	uint16_t misc;
	uint32_t pid, tid;
	uint64_t time_ns; /* 0: the layout has none */
	uint32_t cpu;
	uint64_t id; /* of the event; 0: the layout has none */
	union {
		struct perf_sample sample;   /* SAMPLE */
		struct perf_mapping mapping; /* MMAP, MMAP2 */
		const char *name;	     /* COMM */
		struct perf_parent parent;   /* FORK, EXIT */
		uint64_t lost;		     /* PERF_RECORD_LOST, PERF_RECORD_LOST_SAMPLES */
	};
};

/* -1 with an error: the bytes are not a record of this layout. */
int perf_record_read(const struct perf_layout *layout, const void *bytes, size_t size,
		     struct perf_record *record, struct pp_error *err);

/* An exec() gave the process this name; otherwise a thread has named itself. */
static inline bool perf_record_is_exec(const struct perf_record *record)
{
	return record->type == PERF_RECORD_COMM && record->misc & PERF_RECORD_MISC_COMM_EXEC;
}

/* The sample interrupted the kernel: its registers are those of the entry. */
static inline bool perf_record_is_kernel(const struct perf_record *record)
{
	return (record->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
}

/* `index` is less than the count. */
static inline uint64_t perf_word(const uint8_t *words, size_t index)
{
	uint64_t value;

	memcpy(&value, words + index * sizeof(value), sizeof(value));
	return value;
}

static inline uint64_t perf_sample_register(const struct perf_sample *sample, size_t index)
{
	return perf_word(sample->registers, index);
}

#endif
