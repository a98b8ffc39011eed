/* SPDX-License-Identifier: MIT */
/*
 * nettrace_universal.h - samples, processes and symbols in the form that .NET's tools read.
 *
 * These are the events of the providers Universal.Events and Universal.System. They belong to
 * the process of the event's thread. `at` has thread, time, CPU and stack; kind and payload are
 * filled in.
 *
 *	struct pp_new_event at = { .thread = thread, .ticks = start, .cpu = -1 };
 *	pp_writer_process(writer, &at, PP_PROCESS_EXISTING,
 *			  &(struct pp_new_process){ .name = "/usr/bin/app" }, &err);
 *	at = (struct pp_new_event){ .thread = thread, .ticks = now, .cpu = 3,
 *				    .stack = addresses, .stack_count = 9 };
 *	pp_writer_cpu(writer, &at, 1, &err);
 *
 * TraceEvent needs mapping metadata before the mapping that refers to it, mappings no later
 * than their symbols, and the runtime's rundown after the last sample.
 */
#ifndef PERFPIPE_NETTRACE_UNIVERSAL_H
#define PERFPIPE_NETTRACE_UNIVERSAL_H

#include "perfpipe/nettrace_writer.h"

#ifdef __cplusplus
extern "C" {
#endif

enum pp_process_event {
	PP_PROCESS_EXISTING = 0, /* it existed when the recording began */
	PP_PROCESS_CREATE = 1,
};

/* Strings may be NULL, for "", and have at most 65,535 bytes. */
struct pp_new_process {
	uint64_t namespace_id; /* of its pid namespace */
	const char *name;      /* path of the executable, without arguments */
	const char *namespace_name;
};

struct pp_new_mapping {
	uint64_t id;	/* unique in the trace; processes that share it share its symbols */
	uint64_t start; /* address */
	uint64_t end;	/* after the last byte */
	uint64_t file_offset;
	const char *file_name; /* "vmlinux" is the kernel */
	uint64_t metadata_id;  /* id of struct pp_new_mapping_metadata; 0: none */
};

struct pp_new_symbol {
	uint64_t id;
	uint64_t mapping_id;
	uint64_t start; /* address */
	uint64_t end;	/* of the last byte, unlike in a mapping */
	const char *name;
};

struct pp_new_mapping_metadata {
	uint64_t id;
	const char *symbols; /* JSON: {"type":"ELF","build_id":"..",...} */
	const char *version; /* JSON */
};

PP_API int pp_writer_process(struct pp_writer *writer, const struct pp_new_event *at,
			     enum pp_process_event what, const struct pp_new_process *process,
			     struct pp_error *err);
PP_API int pp_writer_process_exit(struct pp_writer *writer, const struct pp_new_event *at,
				  struct pp_error *err);
PP_API int pp_writer_mapping(struct pp_writer *writer, const struct pp_new_event *at,
			     const struct pp_new_mapping *mapping, struct pp_error *err);
PP_API int pp_writer_symbol(struct pp_writer *writer, const struct pp_new_event *at,
			    const struct pp_new_symbol *symbol, struct pp_error *err);
PP_API int pp_writer_mapping_metadata(struct pp_writer *writer, const struct pp_new_event *at,
				      const struct pp_new_mapping_metadata *metadata,
				      struct pp_error *err);

/* A sample; `value` is its weight in ms. */
PP_API int pp_writer_cpu(struct pp_writer *writer, const struct pp_new_event *at, uint64_t value,
			 struct pp_error *err);

/* A thread was switched in after `ticks` off-CPU. The stack is where it waited. */
PP_API int pp_writer_cswitch(struct pp_writer *writer, const struct pp_new_event *at,
			     uint64_t ticks, struct pp_error *err);

#ifdef __cplusplus
}
#endif

#endif
