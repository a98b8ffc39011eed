/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/address_word.h"
#include "cli/line_input.h"
#include "cli/symbolize_parts.h"
#include "symbols/address_text.h"

#define ADDRESSES_MOST 256 /* of a line at once */

static void count(struct symbolize *run, const struct symbol_answer *answer)
{
	run->totals.asked++;
	run->totals.named += answer->count > 0;
}

/* False if nothing says what it is an address of. */
static bool put_word(struct symbolize *run, const char *word, const struct address_word *parsed)
{
	const struct asked_address asked = {
		.address = parsed->address,
		.module = parsed->module_size ? arena_text(&run->arena, word, parsed->module_size)
					      : NULL,
		.linked = true,
	};
	struct symbol_answer answer;

	if (!symbolize_find(run, &asked, &answer))
		return false;
	count(run, &answer);
	if (run->json)
		symbolized_put(&run->writer, asked.address, &answer);
	else
		symbol_text_lines(&run->out, asked.address, &answer, &run->style);
	arena_clear(&run->arena);
	return true;
}

/* "main+0x10", which llvm-symbolizer takes, begins with a function; a path is one of any machine.
 */
static bool begins_with_file(struct symbolize *run, const char *word, size_t name_size)
{
	const char *name = arena_text(&run->arena, word, name_size);
	const char *path = symbolize_path(run, &(struct asked_address){ .module = name });

	return strchr(path, '/') || !access(path, F_OK);
}

static int check_word(struct symbolize *run, const char *word, struct pp_error *err)
{
	struct address_word parsed;

	if (address_word_parse(word, &parsed, err))
		return -1;
	if (parsed.module_size && !begins_with_file(run, word, parsed.module_size))
		return error_set(err, PP_ERROR_USAGE,
				 "there is no file '%.*s', of which %s could be an address; names "
				 "of functions are not taken",
				 (int)parsed.module_size, word, word);
	if (parsed.module_size || symbolize_has_target(run))
		return 0;
	return error_set(err, PP_ERROR_USAGE,
			 "which file or process is %s an address of? Give -p PID, --module FILE or "
			 "--kernel, or FILE+%s",
			 word, word);
}

int symbolize_words(struct symbolize *run, char **words, int word_count, struct pp_error *err)
{
	struct address_word parsed;

	for (int i = 0; i < word_count; i++) /* before the first answer is printed */
		if (check_word(run, words[i], err))
			return -1;
	for (int i = 0; i < word_count && !ferror(stdout); i++) {
		address_word_read(words[i], &parsed);
		put_word(run, words[i], &parsed);
		if (run->out.size > LINE_MOST)
			symbolize_flush(run);
	}
	return 0;
}

/*
 * Whether the answer is worth a note. A number in a text may be anything; but what a text puts into
 * a module, or what lies in the code of the process, is an address.
 */
static bool is_code(const struct symbolize *run, const struct asked_address *asked,
		    const struct symbol_answer *answer)
{
	return answer->count || (answer->module && (asked->linked || run->pid));
}

/* "(app+0x1139) (BuildId: 4a6f...)", as sanitizers print it: that very file is meant. */
static const char *build_id_after(struct symbolize *run, const char *text)
{
	static const char mark[] = ") (BuildId: ";
	const char *at = text + sizeof(mark) - 1;
	const size_t size =
		strncmp(text, mark, sizeof(mark) - 1) ? 0 : strspn(at, "0123456789abcdef");

	return size ? arena_text(&run->arena, at, size) : NULL;
}

static void put_found(struct symbolize *run, const char *text, const struct text_address *found)
{
	const struct asked_address asked = {
		.address = found->address,
		.module = found->module_size ? arena_text(&run->arena, text + found->module_at,
							  found->module_size)
					     : NULL,
		.build_id = build_id_after(run, text + found->at + found->size),
		.linked = found->module_offset,
	};
	const struct symbol_text_style style = { .module = run->style.module && !asked.module,
						 .basenames = run->style.basenames };
	struct symbol_answer answer;

	if (!symbolize_find(run, &asked, &answer) || !is_code(run, &asked, &answer))
		return;
	count(run, &answer);
	if (run->json)
		symbolized_put(&run->writer, asked.address, &answer);
	else
		symbol_text_note(&run->out, &answer, &style);
}

static void put_plain(struct symbolize *run, const char *text, size_t size)
{
	if (!run->json)
		buffer_bytes(&run->out, text, size);
}

/* Text up to a NUL, with names inserted. */
static void put_text(struct symbolize *run, const char *text)
{
	struct text_address found[ADDRESSES_MOST];
	size_t found_count, done;

	do {
		found_count = address_text_find(text, found, ADDRESSES_MOST);
		done = 0;
		for (size_t i = 0; i < found_count && i < ADDRESSES_MOST; i++) {
			const size_t end = found[i].at + found[i].size;

			put_plain(run, text + done, end - done);
			put_found(run, text, &found[i]);
			done = end;
		}
		text += done;
	} while (found_count > ADDRESSES_MOST);
	put_plain(run, text, strlen(text));
	arena_clear(&run->arena);
}

/* A word of a text that is an address beyond doubt: "added" is a word. */
static bool is_address(struct symbolize *run, const char *word, struct address_word *parsed)
{
	if (!word || !address_word_read(word, parsed))
		return false;
	if (parsed->module_size)
		return !strncmp(word + parsed->module_size, "+0x", 3) &&
		       begins_with_file(run, word, parsed->module_size);
	return !strncmp(word, "0x", 2) || strpbrk(word, "0123456789");
}

/* The only word of a line, or NULL. */
static const char *only_word(struct symbolize *run, const struct input_line *line)
{
	static const char blanks[] = " \t\r";
	const char *word = line->text + strspn(line->text, blanks);
	const size_t size = strcspn(word, blanks);
	const char *rest = word + size + strspn(word + size, blanks);

	return rest == line->text + line->size ? arena_text(&run->arena, word, size) : NULL;
}

static void put_line(struct symbolize *run, const struct input_line *line)
{
	const char *word = line->whole || line->size < LINE_MOST ? only_word(run, line) : NULL;
	struct address_word parsed;

	if (is_address(run, word, &parsed) && put_word(run, word, &parsed))
		return;
	for (size_t at = 0; at <= line->size; at += strlen(line->text + at) + 1) {
		if (at)
			put_plain(run, "", 1); /* the NUL */
		put_text(run, line->text + at);
	}
	if (line->whole)
		put_plain(run, "\n", 1);
}

int symbolize_input(struct symbolize *run, int fd, struct pp_error *err)
{
	struct line_input in = { .fd = fd };
	struct input_line line;

	while (!ferror(stdout) && line_input_next(&in, &line, err)) {
		put_line(run, &line);
		if (!line_input_is_ready(&in) || run->out.size > LINE_MOST)
			symbolize_flush(run);
	}
	symbolize_flush(run);
	line_input_release(&in);
	return err->code ? -1 : 0;
}
