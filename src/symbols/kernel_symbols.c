/* SPDX-License-Identifier: MIT */
/*
 * Lines are "ffffffff81000000 T _stext" and "ffffffffc0a01230 t ext4_readdir\t[ext4]", sorted in
 * the kernel itself, but not within modules. They have no sizes: a function ends where the next
 * symbol of any type begins. The last one of a module, or of the kernel, must not cover what comes
 * then: like perf, we let it have the rest of its page and another one.
 */
#include "symbols/kernel_symbols.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/intern.h"
#include "symbols/map_lines.h"

#define PAGE	      UINT64_C(4096)
#define FUNCTION_MOST (UINT64_C(1) << 20) /* _etext is followed by megabytes of data */
#define LINES_MOST    ((size_t)1 << 24)

struct kernel_symbol {
	uint64_t start;
	const char *name;   /* NULL: data */
	const char *module; /* "[ext4]", or NULL: the kernel; equal pointers are equal modules */
	enum symbol_rank rank;
};

struct kernel_list {
	struct arena texts;
	struct map modules;
	struct kernel_symbol *symbols;
	size_t count, capacity;
	bool visible; /* an address is not zero */
};

/* Of nm; the modules' loader has the same. Data is only a boundary. */
static bool function_rank(char type, enum symbol_rank *rank)
{
	switch (type) {
	case 'T':
		return *rank = SYMBOL_GLOBAL, true;
	case 'W':
	case 'w':
		return *rank = SYMBOL_WEAK, true;
	case 't':
		return *rank = SYMBOL_LOCAL, true;
	default:
		return false;
	}
}

/* Cuts the module off the line. */
static const char *take_module(struct kernel_list *list, struct map_line *line)
{
	const size_t size = (size_t)(line->end - line->at);
	const char *tab = size ? memchr(line->at, '\t', size) : NULL;
	struct map_line module;
	struct interned *known;

	if (!tab)
		return NULL;
	module = (struct map_line){ tab + 1, line->end };
	line->end = tab;
	known = intern_add(&list->modules, &list->texts, module.at,
			   (size_t)(module.end - module.at));
	if (!known->value)
		known->value = map_line_text(&module, &list->texts);
	return known->value;
}

static bool parse_line(struct kernel_list *list, struct map_line line, struct kernel_symbol *symbol)
{
	char type;

	if (!map_line_hex(&line, &symbol->start) || !map_line_char(&line, &type))
		return false;
	list->visible |= symbol->start != 0;
	if (!symbol->start)
		return false;
	symbol->module = take_module(list, &line);
	if (function_rank(type, &symbol->rank))
		symbol->name = map_line_text(&line, &list->texts);
	return !symbol->name || *symbol->name;
}

static int read_lines(struct kernel_list *list, int fd, bool *any, struct pp_error *err)
{
	struct map_lines lines = { .fd = fd };
	struct map_line line;
	int got;

	while ((got = map_lines_next(&lines, &line, err)) > 0 && list->count < LINES_MOST) {
		struct kernel_symbol symbol = { 0 };

		*any = true;
		if (!parse_line(list, line, &symbol))
			continue;
		list->symbols = xgrow(list->symbols, list->count, &list->capacity, sizeof(symbol));
		list->symbols[list->count++] = symbol;
	}
	map_lines_release(&lines);
	return got < 0 ? -1 : 0;
}

static size_t leading_underscores(const char *name)
{
	return strspn(name, "_");
}

/*
 * Of several names the first is taken: global ones, then, as in perf, those with the fewest
 * underscores in front and the longest: memcpy rather than __memcpy.
 */
static int by_preference(const struct kernel_symbol *a, const struct kernel_symbol *b)
{
	const size_t a_lines = leading_underscores(a->name), b_lines = leading_underscores(b->name);
	const size_t a_size = strlen(a->name), b_size = strlen(b->name);

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a_lines != b_lines)
		return a_lines < b_lines ? -1 : 1;
	if (a_size != b_size)
		return a_size > b_size ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Functions before data. */
static int by_start(const void *left, const void *right)
{
	const struct kernel_symbol *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (!a->name || !b->name)
		return !a->name - !b->name;
	return by_preference(a, b);
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* `next` is the first symbol at a higher address, or NULL. */
static uint64_t function_size(const struct kernel_symbol *symbol, const struct kernel_symbol *next)
{
	const uint64_t page_left = PAGE - symbol->start % PAGE;
	const uint64_t gap = (next ? next->start : 0) - symbol->start; /* 0: the end of all */

	if (next && next->module == symbol->module)
		return least(gap, FUNCTION_MOST);
	return least(gap, page_left + PAGE);
}

static void add_function(struct symbol_list *list, struct buffer *text,
			 const struct kernel_symbol *symbol, uint64_t size)
{
	const char *name = symbol->name;

	if (symbol->module) {
		buffer_rewind(text, 0);
		buffer_text(text, name);
		buffer_text(text, " ");
		buffer_bytes(text, symbol->module, strlen(symbol->module) + 1);
		name = (const char *)text->bytes;
	}
	symbol_list_add(list, &(struct symbol){ .start = symbol->start,
						.size = size,
						.limit = UINT64_MAX,
						.name = name,
						.rank = symbol->rank });
}

/* The first symbol after that one at a higher address. */
static size_t next_start(const struct kernel_list *list, size_t i)
{
	const uint64_t start = list->symbols[i].start;

	while (i < list->count && list->symbols[i].start == start)
		i++;
	return i;
}

static struct symbol_table make_table(struct kernel_list *list)
{
	struct symbol_list functions = { .whole = true };
	struct buffer text = { 0 };

	if (list->count)
		qsort(list->symbols, list->count, sizeof(*list->symbols), by_start);
	for (size_t i = 0, next; i < list->count; i = next) {
		const struct kernel_symbol *symbol = &list->symbols[i];

		next = next_start(list, i);
		if (symbol->name)
			add_function(&functions, &text, symbol,
				     function_size(symbol, next < list->count ? &list->symbols[next]
									      : NULL));
	}
	buffer_release(&text);
	return symbol_list_seal(&functions);
}

int kernel_symbols_read(int fd, struct kernel_symbols *symbols, struct pp_error *err)
{
	struct kernel_list list = { 0 };
	bool any = false;
	int failed;

	*symbols = (struct kernel_symbols){ 0 };
	failed = read_lines(&list, fd, &any, err);
	if (!failed)
		symbols->table = make_table(&list);
	symbols->hidden = any && !list.visible;
	xfree(list.symbols);
	map_release(&list.modules);
	arena_release(&list.texts);
	return failed;
}

void kernel_symbols_release(struct kernel_symbols *symbols)
{
	symbol_table_release(&symbols->table);
	*symbols = (struct kernel_symbols){ 0 };
}
