/* SPDX-License-Identifier: MIT */
/*
 * jit.h - methods that were compiled while the program ran.
 *
 * An entry is one compilation, so that a method has one for each of its tiers; memory grows
 * with their number. A compilation begins and ends on one thread, and others may come in between.
 * One whose start was not recorded took no time, as far as anybody knows.
 *
 *	const struct jit_stats *stats = pass_want(&pass, &jit_analysis, NULL);
 *	struct jit_summary summary = { 0 };
 *	...
 *	for (size_t i = 0; i < stats->count; i++)
 *		if (stats->list[i].wanted)
 *			jit_summary_add(&summary, &stats->list[i]);
 *
 * Its items are struct jit_method; their modules are not known yet when they are handed out.
 */
#ifndef ANALYZE_JIT_H
#define ANALYZE_JIT_H

#include "base/record_set.h"
#include "base/strings.h"
#include "pass/pass.h"

#define JIT_TIERS 8 /* names are in OptimizationTier of clr/enums.h */
#define JIT_OSR	  5

enum jit_trigger {
	JIT_FOREGROUND, /* somebody waits for it */
	JIT_TIERING,	/* in the background, since the method runs often */
	JIT_MULTICORE,	/* in the background, since it was wanted the last time */
	JIT_TRIGGERS,
};

struct jit_method {
	int64_t process_id;
	int64_t thread_id;
	uint64_t method_id;
	uint64_t module_id;
	uint64_t version; /* of the method's code; not 0: it was compiled again */
	int64_t start_ns; /* its end, if the begin was not recorded */
	int64_t time_ns;
	const char *type; /* with its namespace; "" if it was not recorded, as the next two */
	const char *name;
	const char *signature;
	const char *module; /* path, or NULL */
	uint32_t il_size;
	uint32_t native_size;
	uint64_t code_size; /* these three if has_memory */
	uint64_t data_size;
	uint64_t allocated_size;
	uint8_t tier;
	uint8_t trigger; /* an enum jit_trigger */
	bool wanted;	 /* the query asks for it */
	bool started;	 /* its begin was recorded */
	bool complete;
	bool has_memory;
	bool r2r_rejected; /* its precompiled code was not used, though it is there */
	bool dynamic;	   /* made by the program itself */
	size_t before;	   /* the one around it on its thread, + 1, while it is open */
};

struct jit_stats {
	void (*take)(void *to, const void *item); /* or NULL */
	void *to;
	size_t free; /* with it: the first place in the list that is free, + 1; `before` has more */
	struct text_pool texts;
	struct arena arena;
	struct jit_method *list; /* once the pass is finished only what is complete */
	size_t count, capacity;
	size_t *open; /* by thread->index: the newest that is open, + 1 */
	size_t open_count;
	struct record_set modules; /* path by process and id */
	const struct pp_thread *multicore_thread;
	uint64_t unfinished; /* begun, but no end was recorded */
	uint64_t r2r_found;  /* looked up among precompiled methods, and there */
	uint64_t r2r_missed; /* looked up in vain */
	uint64_t inlined;
	uint64_t not_inlined;
	bool has_settings;
	uint32_t settings; /* TieredCompilationSettingsFlags */
};

struct jit_sum {
	uint64_t count;
	uint64_t il_bytes;
	uint64_t native_bytes;
	int64_t time_ns;
	int64_t max_ns;
};

struct jit_summary {
	struct jit_sum all;
	struct jit_sum tiers[JIT_TIERS];
	struct jit_sum triggers[JIT_TRIGGERS];
	uint64_t rejits; /* compiled again */
	uint64_t osr;	 /* replaced while they ran */
	uint64_t r2r_rejected;
};

/* Methods that have something in common. */
enum jit_key {
	JIT_BY_NAMESPACE,
	JIT_BY_MODULE,
	JIT_BY_THREAD,
};

struct jit_group {
	const char *text; /* `size` bytes, not terminated; NULL: not known */
	size_t size;
	int64_t process_id; /* by thread */
	int64_t thread_id;
	struct jit_sum sum;
};

extern const struct analysis jit_analysis;

void jit_summary_add(struct jit_summary *summary, const struct jit_method *method);

/* Those that took longest first. The caller frees `*groups`; returns how many. */
size_t jit_group_by(enum jit_key key, const struct jit_method *const *methods, size_t count,
		    struct jit_group **groups);

#endif
