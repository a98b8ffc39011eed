/* SPDX-License-Identifier: MIT */
#include "export/flame_names.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/plumbing.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/markup.h"
#include "base/text.h"

#define FEWEST 3 /* characters of a label */

/* Whose code a frame is. */
enum { OWN, FRAMEWORK, NATIVE, LABEL };

static const struct {
	unsigned hue, saturation;
} tones[] = {
	[OWN] = { 110, 60 },
	[FRAMEWORK] = { 32, 60 },
	[NATIVE] = { 5, 60 },
	[LABEL] = { 220, 15 },
};

static unsigned tone_of(const struct export_frame *frame, const struct own_code *own)
{
	if (!frame->module)
		return LABEL;
	if (own_code_has(own, frame->module))
		return OWN;
	return !strcmp(frame->module, "?") || !strcmp(frame->module, "vmlinux") ||
			       strstr(frame->module, ".so")
		       ? NATIVE
		       : FRAMEWORK;
}

static unsigned shade_of(const char *text)
{
	unsigned shade = 0;

	for (; *text; text++)
		shade = shade * 31 + (unsigned char)*text;
	return shade % FLAME_SHADES;
}

void flame_colour_put(struct buffer *out, unsigned colour)
{
	const unsigned tone = colour / FLAME_SHADES % ARRAY_COUNT(tones);
	const unsigned shade = colour % FLAME_SHADES;

	buffer_printf(out, "hsl(%u,%u%%,%u%%)", tones[tone].hue + shade % 14,
		      tones[tone].saturation, 68 + shade / 14);
}

/* Where the last group in parentheses begins, if the text ends with it; else where it ends. */
static size_t start_of_arguments(const char *text)
{
	const size_t size = strlen(text);
	size_t open = 0;

	for (size_t i = size; i-- && text[size - 1] == ')';) {
		open += text[i] == ')';
		open -= text[i] == '(';
		if (!open)
			return i ? i : size;
	}
	return size;
}

static const char *unknown_name(const struct export_source *source)
{
	const char *name = "";

	for (size_t i = 0; i < source->part_count; i++) {
		const char *here = plumbing_unknown_name(&source->parts[i]->model);

		if (!i || strcmp(here, "[unknown]") == 0)
			name = here;
	}
	return name;
}

static struct flame_name name_of(const struct export_frame *frame, const char *unknown)
{
	struct flame_name name = { .module = frame->module ? frame->module : "",
				   .text = frame->name,
				   .space = frame->space };

	if (frame->module && !strcmp(frame->name, "?")) {
		const bool nothing = !strcmp(frame->module, "?");

		name.text = nothing ? unknown : frame->module;
		name.module = nothing ? "" : frame->module;
	}
	name.method = frame->module ? start_of_arguments(name.text) : strlen(name.text);
	if (name.space >= name.method)
		name.space = 0;
	return name;
}

struct flame_name *flame_names_of(const struct export_source *source)
{
	struct flame_name *names = xcalloc(source->frame_count + 1, sizeof(*names));
	const char *unknown = unknown_name(source);
	struct own_code own;

	own_code_init(&own);
	for (size_t i = 0; i < source->frame_count; i++) {
		const struct export_frame *frame = &source->frames[i];

		names[i] = name_of(frame, unknown);
		names[i].colour = tone_of(frame, &own) * FLAME_SHADES + shade_of(frame->full);
	}
	own_code_release(&own);
	return names;
}

static void put_without_middle(struct buffer *out, const char *text, size_t most)
{
	const size_t start = most / 2;

	markup_first(out, text, start);
	buffer_text(out, "\xE2\x80\xA6"); /* U+2026, three dots */
	markup_text(out, text_end(text, most - start - 1));
}

void flame_label_put(struct buffer *out, const struct flame_name *name, size_t most)
{
	const char *label = name->text + name->space;
	char *method;

	if (text_width(label) <= most) {
		markup_text(out, label);
		return;
	}
	if (most < FEWEST)
		return;
	method = xcalloc(1, name->method - name->space + 1);
	memcpy(method, label, name->method - name->space);
	if (text_width(method) <= most)
		markup_text(out, method);
	else
		put_without_middle(out, method, most);
	xfree(method);
}
