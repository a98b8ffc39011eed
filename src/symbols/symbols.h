/* SPDX-License-Identifier: MIT */
/*
 * symbols.h - names and lines for addresses of native code.
 *
 * There is one question: what is at this address, in a file, in a running process or in the kernel?
 * Files are opened when they are first asked about, debug information only if lines are wanted, and
 * both stay open, so that all further questions cost a search in a table.
 *
 *	struct symbols *symbols = symbols_new(&(struct symbols_options){ .lines = true });
 *	struct symbol_answer answer;
 *
 *	symbols_find(symbols, &(struct code_address){ .pid = 4711, .address = pc }, &answer);
 *	for (size_t i = 0; i < answer.count; i++)
 *		printf("%s\n", answer.frames[i].function);
 *	symbols_free(symbols);
 *
 * Texts of answers live as long as the symbols.
 */
#ifndef SYMBOLS_SYMBOLS_H
#define SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SYMBOL_FRAMES 64 /* at one address */

struct symbols_options {
	bool lines;		    /* also lines and inlined functions, from debug information */
	bool raw_names;		    /* not demangled */
	bool fold_templates;	    /* arguments of templates as <...> */
	bool no_network;	    /* does not ask debuginfod, whatever DEBUGINFOD_URLS says */
	const char *cache;	    /* folder of the cache of symbol tables; NULL: none */
	const char *const *folders; /* to search for binaries and debug files, before all others */
	size_t folder_count;
};

/* A file that was mapped, as a trace describes it. */
struct code_file {
	const char *path;     /* as the process saw it */
	const char *build_id; /* hexadecimal; NULL: not known, then any file of that name will do */
	int64_t pid;	      /* that may still run: the path is one of its root; 0: of ours */
};

enum code_space {
	CODE_OF_PROCESS, /* an address in the running process `pid` */
	CODE_OF_FILE,	 /* an offset in `file`, as a mapping implies it */
	CODE_AS_LINKED,	 /* an address as nm shows it for `file` */
	CODE_OF_KERNEL,
};

struct code_address {
	enum code_space space;
	uint64_t address;
	int64_t pid;
	const struct code_file *file;
	int64_t time_ns; /* CLOCK_MONOTONIC; 0: now. Matters for code of jitdumps only */
};

/* What is known of a file with code, or of what else has code: "[vdso]", "[kernel]", "[anon]". */
enum symbols_state {
	SYMBOLS_WHOLE,	     /* all functions */
	SYMBOLS_EXPORTED,    /* only the exported ones: the file is stripped */
	SYMBOLS_NONE,	     /* no function at all */
	SYMBOLS_NO_FILE,     /* it is not on this machine */
	SYMBOLS_OTHER_BUILD, /* a file of that name is, but not the one that ran */
	SYMBOLS_UNREADABLE,  /* no rights, damaged, or not a file with code */
};

/* "no symbols", "not on this machine": NULL for SYMBOLS_WHOLE. */
const char *symbols_state_text(enum symbols_state state);

struct symbol_module {
	const char *path;
	const char *name;     /* last part of the path */
	const char *build_id; /* hexadecimal, or NULL */
	enum symbols_state state;
	const char *symbols_path; /* the file that the names come from; NULL: none */
	const char *lines_path;	  /* the file that lines come from; NULL: none, or not asked for */
	const char *problem;	  /* a sentence for `state`, or NULL */
	uint64_t asked, named;	  /* addresses in it, and those that got a name */
};

struct symbol_frame {
	const char *function; /* demangled unless raw names are asked for */
	const char *file;     /* of the source, or NULL */
	uint32_t line;	      /* 0: unknown */
	uint32_t column;      /* 0: unknown */
	bool inlined;	      /* into the next one */
};

struct symbol_answer {
	const struct symbol_module *module; /* NULL: there is no code at that address */
	/* As linked; of a file that cannot be read, in the file; of the kernel and of no file, the
	 * address. */
	uint64_t offset;
	size_t count;				   /* 0: without a name */
	struct symbol_frame frames[SYMBOL_FRAMES]; /* innermost first */
	/* Of an address without a name, the function before it, of which it may be a part; NULL:
	 * none. */
	const char *nearest;
	uint64_t nearest_offset;
	uint64_t function_start; /* as linked, and 0 if it is not known, like the next */
	uint64_t function_size;
};

struct symbols;

struct symbols *symbols_new(const struct symbols_options *options); /* whose texts are copied */
void symbols_free(struct symbols *symbols);

/* Returns whether there is a name. */
bool symbols_find(struct symbols *symbols, const struct code_address *at,
		  struct symbol_answer *answer);

/* All that were asked about, in the order of the first question. */
size_t symbols_module_count(const struct symbols *symbols);
const struct symbol_module *symbols_module(const struct symbols *symbols, size_t number);

#endif
