/* SPDX-License-Identifier: MIT */
#include "report/symbol_text.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"

void symbol_answer_fold(struct symbol_answer *answer)
{
	const struct symbol_frame innermost = answer->frames[0];

	if (answer->count < 2)
		return;
	answer->frames[0] = (struct symbol_frame){
		.function = answer->frames[answer->count - 1].function,
		.file = innermost.file,
		.line = innermost.line,
		.column = innermost.column,
	};
	answer->count = 1;
}

const char *symbol_answer_problem(const struct symbol_answer *answer)
{
	const char *text = answer->module ? symbols_state_text(answer->module->state) : NULL;

	if (answer->count)
		return NULL;
	if (!answer->module)
		return "no code at this address";
	return text ? text : "no function at this address";
}

static void put_safe(struct buffer *out, const char *text)
{
	struct arena arena = { 0 };

	buffer_text(out, text_safe(&arena, text));
	arena_release(&arena);
}

static void put_line(struct buffer *out, const struct symbol_frame *frame, bool basename)
{
	const char *slash = basename ? strrchr(frame->file, '/') : NULL;

	buffer_text(out, " at ");
	put_safe(out, slash ? slash + 1 : frame->file);
	if (frame->line)
		buffer_printf(out, ":%" PRIu32, frame->line);
	else
		buffer_text(out, ":?");
}

/* Where in the function it is: by line, or else, which inlined ones do not have, by bytes. */
static void put_frame(struct buffer *out, const struct symbol_answer *answer, size_t index,
		      const struct symbol_text_style *style)
{
	const struct symbol_frame *frame = &answer->frames[index];
	const bool starts = !frame->inlined && answer->function_start &&
			    answer->offset > answer->function_start;

	put_safe(out, frame->function);
	if (frame->file)
		put_line(out, frame, style->basenames);
	else if (starts)
		buffer_printf(out, "+0x%" PRIx64, answer->offset - answer->function_start);
}

static void put_module(struct buffer *out, const struct symbol_answer *answer,
		       const struct symbol_text_style *style)
{
	if (!style->module || !answer->module)
		return;
	buffer_text(out, " (");
	put_safe(out, answer->module->name);
	buffer_text(out, ")");
}

static void put_unknown(struct buffer *out, const struct symbol_answer *answer, bool module)
{
	buffer_text(out, "??");
	if (module && answer->module) {
		buffer_text(out, " ");
		put_safe(out, answer->module->name);
		buffer_printf(out, "+0x%" PRIx64, answer->offset);
	}
	buffer_printf(out, " [%s]", symbol_answer_problem(answer));
	/* where all functions are known, it is not part of the one before it */
	if (!answer->nearest || !answer->module || answer->module->state == SYMBOLS_WHOLE)
		return;
	buffer_text(out, " (~");
	put_safe(out, answer->nearest);
	buffer_printf(out, "+0x%" PRIx64 ")", answer->nearest_offset);
}

void symbol_text_lines(struct buffer *out, uint64_t address, const struct symbol_answer *answer,
		       const struct symbol_text_style *style)
{
	buffer_printf(out, "0x%" PRIx64 " ", address);
	if (!answer->count)
		put_unknown(out, answer, true);
	for (size_t i = 0; i < answer->count; i++) {
		buffer_text(out, i ? "\n  (inlined by) " : "");
		put_frame(out, answer, i, style);
		put_module(out, answer, style);
	}
	buffer_text(out, "\n");
}

void symbol_text_note(struct buffer *out, const struct symbol_answer *answer,
		      const struct symbol_text_style *style)
{
	buffer_text(out, " <");
	if (!answer->count)
		put_unknown(out, answer, style->module);
	for (size_t i = 0; i < answer->count; i++) {
		buffer_text(out, i ? ", inlined by " : "");
		put_frame(out, answer, i, style);
	}
	if (answer->count)
		put_module(out, answer, style);
	buffer_text(out, ">");
}
