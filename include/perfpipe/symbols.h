/* SPDX-License-Identifier: MIT */
/*
 * symbols.h - functions and lines at addresses of native code: of a file, of a running process, of
 * the kernel.
 *
 *	const struct pp_symbols_options options = { .size = sizeof(options), .lines = true };
 *	struct pp_symbols *symbols = pp_symbols_open(&options, &err);
 *	const struct pp_code_address at = { .size = sizeof(at), .process_id = 4711, .address = pc };
 *	const struct pp_symbol *symbol = symbols ? pp_symbols_find(symbols, &at, &err) : NULL;
 *
 *	for (const struct pp_symbol_frame *f = symbol ? symbol->frame : NULL; f; f = f->caller)
 *		printf("%s%s\n", f->function, f->inlined ? " (inlined)" : "");
 *	pp_symbols_close(symbols);
 *
 * Files are opened when they are first asked about, and stay open. Answers are structs of the
 * library, which may get longer: read them where they are, and do not copy them by sizeof.
 */
#ifndef PERFPIPE_SYMBOLS_H
#define PERFPIPE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfpipe/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pp_symbols;

struct pp_symbols_options {
	size_t size;		    /* of this struct */
	bool lines;		    /* also lines and inlined functions, from debug information */
	bool raw_names;		    /* not demangled */
	bool fold_templates;	    /* arguments of templates as <...> */
	bool network;		    /* may ask the debuginfod servers of DEBUGINFOD_URLS */
	const char *cache;	    /* folder to keep symbol tables in; NULL: none */
	const char *const *folders; /* to search for binaries and debug files, before all others */
	size_t folder_count;
};

enum pp_code_space {
	PP_CODE_OF_PROCESS, /* an address in the running process `process_id` */
	PP_CODE_AS_LINKED,  /* an address as nm(1) shows it for the file `path` */
	PP_CODE_OF_FILE,    /* an offset in the file `path` */
	PP_CODE_OF_KERNEL,
};

struct pp_code_address {
	size_t size; /* of this struct */
	enum pp_code_space space;
	uint64_t address;
	int64_t process_id;   /* also of a file: its path is one of that process; 0: one of ours */
	const char *path;     /* of a file, as the process saw it */
	const char *build_id; /* that the file must have, hexadecimal; NULL: any */
	int64_t time_ns;      /* CLOCK_MONOTONIC, for code that a JIT compiler replaces; 0: now */
};

enum pp_symbols_state {
	PP_SYMBOLS_WHOLE,	/* all functions of the module */
	PP_SYMBOLS_EXPORTED,	/* only the exported ones: the file is stripped */
	PP_SYMBOLS_NONE,	/* no function at all */
	PP_SYMBOLS_NO_FILE,	/* the file is not on this machine */
	PP_SYMBOLS_OTHER_BUILD, /* a file of that name is, but it is another build */
	PP_SYMBOLS_UNREADABLE,	/* no rights, damaged, or not a file with code */
};

/* Functions at an address; texts live until pp_symbols_close(). */
struct pp_symbol_frame {
	size_t size;	      /* of this struct, set by the library */
	const char *function; /* demangled unless raw names are asked for; "??": none */
	const char *file;     /* of the source; NULL: unknown */
	uint32_t line;	      /* 0: unknown */
	uint32_t column;      /* 0: unknown */
	bool inlined;	      /* into `caller` */
	const struct pp_symbol_frame *caller; /* NULL: this is the function itself */
};

struct pp_symbol {
	size_t size;			     /* of this struct, set by the library */
	const struct pp_symbol_frame *frame; /* the innermost; NULL: the address has no name */
	const char *module_path;	     /* "[vdso]", "[kernel]"; NULL: no code is there */
	const char *build_id;		     /* of the module, hexadecimal; NULL: unknown */
	enum pp_symbols_state state;	     /* of the module */
	uint64_t offset; /* as linked; of an unreadable file, in it; of no file, the address */
	uint64_t function_start; /* as linked; 0: unknown */
	uint64_t function_size;	 /* bytes; 0: unknown */
	/* Of an address without a name: the function before it, of which it may be a part. */
	const char *nearest; /* NULL: none */
	uint64_t nearest_offset;
};

/* `options` may be NULL; their texts are copied. */
PP_API struct pp_symbols *pp_symbols_open(const struct pp_symbols_options *options,
					  struct pp_error *err);
PP_API void pp_symbols_close(struct pp_symbols *symbols); /* accepts NULL */

/*
 * What is at the address: good until the next call. An address without a name, or of a module that
 * cannot be read, is an answer; NULL, with an error, is for wrong arguments and lack of memory.
 */
PP_API const struct pp_symbol *
pp_symbols_find(struct pp_symbols *symbols, const struct pp_code_address *at, struct pp_error *err);

#ifdef __cplusplus
}
#endif

#endif
