/* SPDX-License-Identifier: MIT */
#include "symbols/address_text.h"

#include <string.h>

#include "base/array.h"

#define LEAST_ADDRESS 0x1000 /* of code; below are error codes, flags and null pointers */
#define DIGITS_MOST   16
#define NEAR_MOST     1024 /* how far from a number its module can be */

struct text_line {
	const char *text;
	size_t size;
	size_t first; /* after spaces at its start */
	size_t end;   /* before spaces at its end */
	bool only_numbers;
};

/* A hexadecimal number, and what is around it. */
struct text_number {
	const struct text_line *line;
	size_t at; /* with its 0x, as in struct text_address */
	size_t size;
	uint64_t value;
	bool has_prefix;
};

enum number_kind { NUMBER_OTHER, NUMBER_NOTHING, NUMBER_ADDRESS, NUMBER_OFFSET };

/* Sets what is known about the module. */
typedef enum number_kind number_rule(const struct text_number *n, struct text_address *found);

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c == '_' || (unsigned char)c >= 0x80;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* The character at a place in the line; 0 outside it, also where `at` has wrapped around. */
static char char_at(const struct text_line *line, size_t at)
{
	return at < line->size ? line->text[at] : 0;
}

static char char_before(const struct text_number *n)
{
	return char_at(n->line, n->at - 1);
}

static char char_after(const struct text_number *n)
{
	return char_at(n->line, n->at + n->size);
}

static size_t skip_spaces(const struct text_line *line, size_t at)
{
	while (is_space(char_at(line, at)))
		at++;
	return at;
}

static bool ends_at(const struct text_line *line, size_t end, const char *text)
{
	const size_t size = strlen(text);

	return end >= size && end <= line->size && !memcmp(line->text + end - size, text, size);
}

static bool contains(const struct text_line *line, size_t from, size_t end, const char *text)
{
	for (size_t at = from; at + strlen(text) <= end; at++)
		if (!memcmp(line->text + at, text, strlen(text)))
			return true;
	return false;
}

static void set_module(struct text_address *found, size_t from, size_t end)
{
	found->module_at = from;
	found->module_size = end - from;
}

static bool ends_word(char c)
{
	return is_space(c) || (c && strchr("()[]{}<>\"'", c));
}

/* Where a path or name that ends there begins. One that begins the line may have spaces in it. */
static size_t path_start(const struct text_line *line, size_t end)
{
	size_t start = end;

	while (start && end - start < NEAR_MOST && !ends_word(line->text[start - 1]))
		start--;
	return start < end && end - line->first <= NEAR_MOST && char_at(line, line->first) == '/' &&
			       !contains(line, line->first, end, "(")
		       ? line->first
		       : start;
}

/* "/usr/bin/app+0x12", "libfoo.so+0x12": a module, not a symbol. */
static bool names_module(const struct text_line *line, size_t from, size_t end)
{
	return contains(line, from, end, "/") || contains(line, from, end, ".so") ||
	       contains(line, from, end, ".exe") || contains(line, from, end, ".dll");
}

/* Where the last `(` before `end` is; `end` if there is none nearby. */
static size_t open_parenthesis(const struct text_line *line, size_t end)
{
	for (size_t at = end; at-- && end - at <= NEAR_MOST;)
		if (line->text[at] == '(' || line->text[at] == ')')
			return line->text[at] == '(' ? at : end;
	return end;
}

/* module(+0x12), (module+0x12), [module+0x12]; and after a symbol, nothing. */
static enum number_kind after_plus(const struct text_number *n, struct text_address *found)
{
	const struct text_line *line = n->line;
	const size_t plus = n->at - 1;

	if (char_before(n) != '+')
		return NUMBER_OTHER;
	const size_t open = open_parenthesis(line, plus);
	const bool of_glibc = open + 1 == plus;
	const size_t end = of_glibc ? open : plus;
	const bool in_parentheses = !of_glibc && char_at(line, open + 1) == '/' && open < plus;
	const size_t from = in_parentheses ? open + 1 : path_start(line, end);

	if (!n->has_prefix || from == end || (!of_glibc && !names_module(line, from, end)))
		return NUMBER_NOTHING; /* such as U+FFFE */
	set_module(found, from, end);
	return NUMBER_OFFSET;
}

/* foo+0x12/0x34: the size of the function. */
static enum number_kind after_slash(const struct text_number *n, struct text_address *found)
{
	(void)found;
	return char_before(n) == '/' ? NUMBER_NOTHING : NUMBER_OTHER;
}

/* The words are those of the kernel, of sanitizers and of debuggers. */
static enum number_kind after_word_of_data(const struct text_number *n, struct text_address *found)
{
	static const char *const words[] = { "sp",	"bp",	    "SP",      "BP",
					     "BuildId", "build_id", "build-id" };
	size_t end = n->at;

	(void)found;
	while (end && (is_space(n->line->text[end - 1]) || strchr(":=", n->line->text[end - 1])))
		end--;
	for (size_t i = 0; i < ARRAY_COUNT(words) && end < n->at; i++)
		if (ends_at(n->line, end, words[i]))
			return NUMBER_NOTHING;
	return NUMBER_OTHER;
}

static enum number_kind in_line_of_numbers(const struct text_number *n, struct text_address *found)
{
	(void)found;
	return n->line->only_numbers ? NUMBER_ADDRESS : NUMBER_OTHER;
}

/* #00 pc 0000000000012345  /system/lib64/libc.so (abort+164) */
static enum number_kind in_tombstone(const struct text_number *n, struct text_address *found)
{
	const size_t from = skip_spaces(n->line, n->at + n->size);
	size_t end = from;

	if (!ends_at(n->line, n->at, "pc ") || char_at(n->line, from) != '/')
		return NUMBER_OTHER;
	while (end < n->line->size && !is_space(n->line->text[end]))
		end++;
	set_module(found, from, end);
	return NUMBER_OFFSET;
}

/* [<ffffffff81234567>] */
static enum number_kind in_kernel_brackets(const struct text_number *n, struct text_address *found)
{
	(void)found;
	return ends_at(n->line, n->at, "[<") && char_after(n) == '>' ? NUMBER_ADDRESS
								     : NUMBER_OTHER;
}

/* "	7f12a0b1c2d3 abort+0xd7 (/lib/libc.so.6)" of perf script */
static enum number_kind first_before_module(const struct text_number *n, struct text_address *found)
{
	const struct text_line *line = n->line;
	const size_t end = line->end;
	const size_t open = end ? open_parenthesis(line, end - 1) : end;

	if (n->has_prefix || !n->at || line->first != n->at || !is_space(char_after(n)) ||
	    char_at(line, end - 1) != ')' || open + 2 >= end || !is_space(char_at(line, open - 1)))
		return NUMBER_OTHER;
	if (!ends_at(line, end, "(inlined)"))
		set_module(found, open + 1, end - 1);
	return NUMBER_ADDRESS;
}

/*
 * /lib/libc.so.6(abort+0xd7) [0x7f12a0b1c2d3] of glibc. Written to a descriptor there is no space,
 * and without a symbol no parentheses: ./app[0x401136]
 */
static enum number_kind after_module(const struct text_number *n, struct text_address *found)
{
	const struct text_line *line = n->line;

	if (!n->has_prefix || char_before(n) != '[' || char_after(n) != ']')
		return NUMBER_OTHER;
	const size_t bracket = n->at - 1;
	const size_t end = bracket - ends_at(line, bracket, ") ");
	const bool has_symbol = ends_at(line, end, ")");
	const size_t close = has_symbol ? end - 1 : end;
	const size_t open = has_symbol ? open_parenthesis(line, close) : close;
	const size_t from = path_start(line, open);

	if (has_symbol ? open == close : !names_module(line, from, open))
		return NUMBER_OTHER;
	set_module(found, from, open);
	return NUMBER_ADDRESS;
}

/* #1  0x00007f12a0b1c2d3 in abort () from /lib/libc.so.6 of gdb */
static enum number_kind before_from(const struct text_number *n, struct text_address *found)
{
	const struct text_line *line = n->line;

	if (!n->has_prefix || char_at(line, line->first) != '#' || line->end - n->at > NEAR_MOST)
		return NUMBER_OTHER;
	for (size_t at = n->at; at < line->end; at++)
		if (ends_at(line, at, " from ") && line->text[at] == '/') {
			set_module(found, at, line->end);
			return NUMBER_ADDRESS;
		}
	return NUMBER_OTHER;
}

static enum number_kind with_prefix(const struct text_number *n, struct text_address *found)
{
	(void)found;
	return n->has_prefix && n->value >= LEAST_ADDRESS ? NUMBER_ADDRESS : NUMBER_OTHER;
}

/* ip 00007f12a0b1c2d3: the kernel writes all digits, /proc those of user space. */
static enum number_kind with_all_digits(const struct text_number *n, struct text_address *found)
{
	const bool is_user = n->size == 12 && (n->value >> 40 == 0x7f || n->value >> 40 == 0x55 ||
					       n->value >> 40 == 0x56);

	(void)found;
	if (n->has_prefix || n->value < LEAST_ADDRESS || strchr("-.$@#%", char_before(n)) ||
	    char_after(n) == '-')
		return NUMBER_OTHER;
	return n->size == DIGITS_MOST || is_user ? NUMBER_ADDRESS : NUMBER_OTHER;
}

/* The first that knows what a number is decides. */
static number_rule *const rules[] = {
	in_line_of_numbers, after_plus,		after_slash,	     after_word_of_data,
	in_tombstone,	    in_kernel_brackets, first_before_module, after_module,
	before_from,	    with_prefix,	with_all_digits,
};

static enum number_kind judge(const struct text_number *n, struct text_address *found)
{
	*found = (struct text_address){ .at = n->at, .size = n->size, .address = n->value };
	for (size_t i = 0; i < ARRAY_COUNT(rules); i++) {
		const enum number_kind kind = rules[i](n, found);

		if (kind != NUMBER_OTHER)
			return kind;
	}
	return NUMBER_NOTHING;
}

static unsigned digit_value(char c)
{
	return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a') + 10;
}

/* The word at `at` as a number; false if it is not one. Either way `*end` is where it ends. */
static bool read_number(const struct text_line *line, size_t at, struct text_number *n, size_t *end)
{
	const bool has_prefix = char_at(line, at) == '0' && (char_at(line, at + 1) | 0x20) == 'x';
	const size_t digits = at + (has_prefix ? 2 : 0);
	uint64_t value = 0;

	for (*end = digits; is_hex(char_at(line, *end)); ++*end)
		value = value << 4 | digit_value(line->text[*end]);
	const size_t count = *end - digits;
	while (is_word(char_at(line, *end)))
		++*end;
	*n = (struct text_number){ line, at, *end - at, value, has_prefix };
	return count && count <= DIGITS_MOST && digits + count == *end;
}

static bool has_digit(const struct text_number *n)
{
	for (size_t at = n->at; at < n->at + n->size; at++)
		if (n->line->text[at] <= '9')
			return true;
	return false;
}

/* Of several words, those without a digit are rather words: "a bad deed". */
static bool is_only_numbers(const struct text_line *line)
{
	struct text_number n;
	bool all_have_digits = true;
	size_t words = 0;
	size_t end;

	for (size_t at = line->first; at < line->end; at = skip_spaces(line, end)) {
		if (!read_number(line, at, &n, &end) ||
		    (end < line->end && !is_space(line->text[end])))
			return false;
		words++;
		all_have_digits = all_have_digits && has_digit(&n);
	}
	return words == 1 || (words && all_have_digits);
}

struct found_list {
	struct text_address *found;
	size_t most;
	size_t count;
	bool has_offsets;
};

/* An address beside an offset in a module is that of the same frame. */
static void add(struct found_list *list, const struct text_address *address)
{
	if (address->module_offset && !list->has_offsets) {
		list->has_offsets = true;
		list->count = 0;
	}
	if (address->module_offset != list->has_offsets)
		return;
	if (list->count < list->most)
		list->found[list->count] = *address;
	list->count++;
}

static struct text_line line_of(const char *text)
{
	struct text_line line = { .text = text, .size = strcspn(text, "\n") };

	line.first = skip_spaces(&line, 0);
	line.end = line.size;
	while (line.end > line.first && is_space(text[line.end - 1]))
		line.end--;
	line.only_numbers = is_only_numbers(&line);
	return line;
}

/* Logs that were meant for a terminal have colours: "\x1b[1;31m". */
static size_t end_of_colour(const struct text_line *line, size_t at)
{
	if (char_at(line, ++at) != '[')
		return at;
	do
		at++;
	while ((char_at(line, at) >= '0' && char_at(line, at) <= '9') || char_at(line, at) == ';');
	return at < line->size ? at + 1 : at;
}

size_t address_text_find(const char *text, struct text_address *found, size_t most)
{
	const struct text_line line = line_of(text);
	struct found_list list = { .found = found, .most = most };
	struct text_number n;

	for (size_t at = 0, end; at < line.size; at = end) {
		struct text_address address;

		end = text[at] == '\x1b' ? end_of_colour(&line, at) : at + 1;
		if (!is_word(text[at]) || !read_number(&line, at, &n, &end))
			continue;
		const enum number_kind kind = judge(&n, &address);
		address.module_offset = kind == NUMBER_OFFSET;
		if (kind != NUMBER_NOTHING)
			add(&list, &address);
	}
	return list.count;
}
