/* SPDX-License-Identifier: MIT */
/*
 * loader.h - assemblies: who asked for which, how the runtime went about it, and what came of it.
 *
 * A load begins and ends on one thread and may ask for others on its way; stages of the
 * binder, paths that are probed and handlers that are asked belong to the innermost one. What is
 * loaded is told apart from that: once a load succeeds, others of it are answered from
 * memory.
 *
 *	const struct loader_stats *stats = pass_want(&pass, &loader_analysis, NULL);
 */
#ifndef ANALYZE_LOADER_H
#define ANALYZE_LOADER_H

#include "base/record_set.h"
#include "base/strings.h"
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
	const char *name; /* as it was asked for */
	const char *path;
	const char *requesting;
	const char *context;
	const char *requesting_context;
	const char *result_name;
	const char *result_path;
	int64_t process_id, thread_id;
	int64_t start_ns;
	int64_t time_ns; /* with those inside it; -1: its end is missing */
	unsigned depth;	 /* 0: nobody's load asked for it */
	bool wanted;	 /* the query asks for it */
	bool success;
	bool cached;		     /* it was there already */
	struct loader_stage *stages; /* in order, as the next two */
	struct loader_probe *probes;
	struct loader_handler *handlers;
	struct loader_stage **stage_end; /* where the next one goes, as the next two */
	struct loader_probe **probe_end;
	struct loader_handler **handler_end;
	struct loader_load *around;
};

/* What is loaded. */
struct loader_assembly {
	uint64_t id;
	int64_t process_id, thread_id;
	const char *name;
	const char *path;	      /* of its module; "" if that is not told */
	const char *native_path;      /* of code that was compiled before */
	uint32_t flags;		      /* AssemblyFlags */
	int64_t loaded_ns;	      /* INT64_MIN: before the trace */
	int64_t unloaded_ns;	      /* INT64_MAX: it stays */
	struct loader_assembly *next; /* of equal id, the newest first */
};

struct loader_stats {
	struct text_pool texts;
	struct arena arena;
	struct record_set threads;  /* innermost loads by thread */
	struct map by_id;	    /* assemblies, chained */
	struct loader_load **loads; /* in order of their start */
	size_t load_count, load_capacity;
	struct loader_assembly **assemblies;
	size_t assembly_count, assembly_capacity;
	bool any; /* the runtime told of loads, not only of what was there at the end */
};

/* Sums over loads that are wanted. */
struct loader_summary {
	uint64_t count, cached, failed, unfinished;
	uint64_t probes, probes_failed;
	uint64_t handlers;
	int64_t time_ns; /* of those that no other asked for */
};

extern const struct analysis loader_analysis;

void loader_summary_add(struct loader_summary *summary, const struct loader_load *load);

#endif
