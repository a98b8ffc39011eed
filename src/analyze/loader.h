/* SPDX-License-Identifier: MIT */
/*
 * loader.h - loads of assemblies: requested by which one, how they were found, and their results.
 *
 * A load starts and ends on one thread, and others may be nested in it; stages of the binder,
 * probed paths and handlers belong to the innermost one. Loaded assemblies are listed apart from
 * loads: after the first successful load, others of the same assembly are answered from a cache.
 *
 *	const struct loader_stats *stats = pass_want(&pass, &loader_analysis, NULL);
 */
#ifndef ANALYZE_LOADER_H
#define ANALYZE_LOADER_H

#include "base/record_set.h"
#include "pass/pass.h"

/* Texts that an event lacks are "". */
struct loader_stage {
	struct loader_stage *next;
	uint32_t stage;	 /* ResolutionAttemptedStage */
	uint32_t result; /* ResolutionAttemptedResult */
	const char *context;
	const char *result_name;
	const char *result_path;
	const char *error;
};

struct loader_probe {
	struct loader_probe *next;
	const char *path;
	uint32_t source; /* KnownPathSource */
	int32_t result;	 /* an HRESULT: 0 is success */
};

enum loader_handler_kind {
	LOADER_CONTEXT_RESOLVING,
	LOADER_DOMAIN_RESOLVE,
	LOADER_LOAD_FROM,
};

struct loader_handler {
	struct loader_handler *next;
	enum loader_handler_kind kind;
	const char *name;
	const char *result_path;
};

struct loader_load {
	const char *name; /* as requested */
	const char *path;
	const char *requesting;
	const char *context;
	const char *requesting_context;
	const char *result_name;
	const char *result_path;
	int64_t process_id, thread_id;
	int64_t start_ns;
	int64_t time_ns; /* with nested ones; -1: its end is missing */
	unsigned depth;	 /* 0: not nested in another load */
	bool wanted;	 /* the query asks for it */
	bool success;
	bool cached;		     /* already loaded */
	struct loader_stage *stages; /* in order, as the next two */
	struct loader_probe *probes;
	struct loader_handler *handlers;
	struct loader_stage **stage_end; /* where to append, as the next two */
	struct loader_probe **probe_end;
	struct loader_handler **handler_end;
	struct loader_load *around;
};

struct loader_assembly {
	uint64_t id;
	int64_t process_id, thread_id;
	const char *name;
	const char *path;	 /* of its module; "": not recorded */
	const char *native_path; /* of precompiled code */
	uint32_t flags;		 /* AssemblyFlags */
	int64_t loaded_ns;	 /* INT64_MIN: before the trace */
	int64_t unloaded_ns;	 /* INT64_MAX: never */
};

/* Loads by load context, stages by their result, or failed probes by path. */
struct loader_count {
	struct loader_count *next;
	const char *name;
	const char *result; /* of a stage; else "" */
	uint64_t count;
	uint64_t failed;
	int64_t time_ns;
};

/* Sums over loads that are wanted. */
struct loader_summary {
	uint64_t count, cached, failed, unfinished;
	uint64_t probes, probes_failed;
	uint64_t handlers;
	int64_t time_ns; /* of those that are not nested */
};

struct loader_stats {
	struct arena *arena;	    /* of the pass */
	struct record_set threads;  /* innermost loads by thread */
	struct record_set ids;	    /* assemblies by process and id */
	struct loader_load **loads; /* in order of their start */
	size_t load_count, load_capacity;
	struct loader_assembly **assemblies;
	size_t assembly_count, assembly_capacity;
	bool any; /* loads were recorded, not only what is loaded at the end */

	/* at the end; most frequent first */
	struct loader_summary summary;
	struct record_set contexts, stages, misses; /* of struct loader_count */
};

extern const struct analysis loader_analysis;

/* "FindInLoadContext", as the runtime calls it; "?" if unknown. */
const char *loader_stage_name(const struct loader_stage *stage);

#endif
