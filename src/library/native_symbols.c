/* SPDX-License-Identifier: MIT */
#include "base/alloc.h"
#include "base/heap.h"
#include "base/options.h"
#include "perfpipe/symbols.h"
#include "symbols/symbols.h"

struct pp_symbols {
	struct heap *heap;
	struct symbols *symbols;
	struct symbol_answer answer; /* the last one, */
	struct pp_symbol found;	     /* and the same for the caller */
	struct pp_symbol_frame frames[SYMBOL_FRAMES];
};

_Static_assert((int)PP_SYMBOLS_WHOLE == (int)SYMBOLS_WHOLE &&
		       (int)PP_SYMBOLS_EXPORTED == (int)SYMBOLS_EXPORTED &&
		       (int)PP_SYMBOLS_NONE == (int)SYMBOLS_NONE &&
		       (int)PP_SYMBOLS_NO_FILE == (int)SYMBOLS_NO_FILE &&
		       (int)PP_SYMBOLS_OTHER_BUILD == (int)SYMBOLS_OTHER_BUILD &&
		       (int)PP_SYMBOLS_UNREADABLE == (int)SYMBOLS_UNREADABLE,
	       "states are passed on as they are");

static void *make(struct heap *heap, const void *from, struct pp_error *err)
{
	const struct pp_symbols_options *options = from;
	struct pp_symbols *made = xcalloc(1, sizeof(*made));

	(void)err;
	made->heap = heap;
	made->symbols = symbols_new(&(const struct symbols_options){
		.lines = options->lines,
		.raw_names = options->raw_names,
		.fold_templates = options->fold_templates,
		.no_network = !options->network,
		.cache = options->cache,
		.folders = options->folders,
		.folder_count = options->folder_count,
	});
	return made;
}

struct pp_symbols *pp_symbols_open(const struct pp_symbols_options *options, struct pp_error *err)
{
	struct pp_symbols_options known = { 0 };

	if (options && OPTIONS_READ(&known, options, err))
		return NULL;
	return heap_make(make, &known, err);
}

void pp_symbols_close(struct pp_symbols *symbols)
{
	if (symbols)
		heap_free(symbols->heap);
}

static int check(const struct pp_code_address *at, struct pp_error *err)
{
	const bool in_file = at->space == PP_CODE_AS_LINKED || at->space == PP_CODE_OF_FILE;

	if ((unsigned)at->space > PP_CODE_OF_KERNEL)
		return error_set(err, PP_ERROR_UNSUPPORTED, "there is no space %d of addresses",
				 (int)at->space);
	if (in_file && !at->path)
		return error_set(err, PP_ERROR_USAGE, "an address in a file needs its path");
	if (at->space == PP_CODE_OF_PROCESS && at->process_id <= 0)
		return error_set(err, PP_ERROR_USAGE, "an address in a process needs its pid");
	return 0;
}

static enum code_space space_of(enum pp_code_space space)
{
	static const enum code_space spaces[] = {
		[PP_CODE_OF_PROCESS] = CODE_OF_PROCESS,
		[PP_CODE_AS_LINKED] = CODE_AS_LINKED,
		[PP_CODE_OF_FILE] = CODE_OF_FILE,
		[PP_CODE_OF_KERNEL] = CODE_OF_KERNEL,
	};

	return spaces[space];
}

static const struct pp_symbol_frame *set_frames(struct pp_symbols *symbols)
{
	const size_t count = symbols->answer.count;

	for (size_t i = 0; i < count; i++) {
		const struct symbol_frame *frame = &symbols->answer.frames[i];

		symbols->frames[i] = (struct pp_symbol_frame){
			.size = sizeof(symbols->frames[i]),
			.function = frame->function,
			.file = frame->file,
			.line = frame->line,
			.column = frame->column,
			.inlined = frame->inlined,
			.caller = i + 1 < count ? &symbols->frames[i + 1] : NULL,
		};
	}
	return count ? symbols->frames : NULL;
}

static const struct pp_symbol *find(struct pp_symbols *symbols, const struct pp_code_address *at)
{
	const struct code_file file = { at->path, at->build_id, at->process_id };
	const struct symbol_answer *answer = &symbols->answer;
	const struct symbol_module *module;

	symbols_find(symbols->symbols,
		     &(const struct code_address){ .space = space_of(at->space),
						   .address = at->address,
						   .pid = at->process_id,
						   .file = at->path ? &file : NULL,
						   .time_ns = at->time_ns },
		     &symbols->answer);
	module = answer->module;
	symbols->found = (struct pp_symbol){
		.size = sizeof(symbols->found),
		.frame = set_frames(symbols),
		.module_path = module ? module->path : NULL,
		.build_id = module ? module->build_id : NULL,
		.state = module ? (enum pp_symbols_state)module->state : PP_SYMBOLS_NONE,
		.offset = answer->offset,
		.function_start = answer->function_start,
		.function_size = answer->function_size,
		.nearest = answer->count ? NULL : answer->nearest,
		.nearest_offset = answer->count ? 0 : answer->nearest_offset,
	};
	return &symbols->found;
}

const struct pp_symbol *pp_symbols_find(struct pp_symbols *symbols,
					const struct pp_code_address *at, struct pp_error *err)
{
	const struct pp_symbol *volatile found = NULL;
	struct pp_code_address known;
	struct guard guard;

	if (OPTIONS_READ(&known, at, err) || check(&known, err) ||
	    guard_enter(&guard, symbols->heap, err))
		return NULL;
	if (!setjmp(guard.out))
		found = find(symbols, &known);
	guard_leave(&guard);
	return found;
}
