/* SPDX-License-Identifier: MIT */
/*
 * Where frames come from. A frame is known by its name, and its module by the code addresses of the
 * frame. Frames that were grouped away are not looked up.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "export/source.h"
#include "model/frame_text.h"

static enum export_origin origin_of(const struct model *model, const struct code_entry *entry)
{
	if (entry->method != MODEL_NONE && !model->methods[entry->method].symbol)
		return EXPORT_DOTNET;
	if (entry->module != MODEL_NONE && !strcmp(model->modules[entry->module].name, "vmlinux"))
		return EXPORT_KERNEL;
	return EXPORT_NATIVE;
}

/* The type is spelled Namespace.Outer+Inner`1[...]. */
size_t export_frame_space(const struct model *model, uint32_t frame)
{
	const uint32_t number = frame == MODEL_NONE ? MODEL_NONE : model->frames[frame].method;
	const char *type = number == MODEL_NONE ? "" : model->methods[number].type;
	size_t space = strcspn(type, "+`<[,");

	while (space && type[space - 1] != '.')
		space--;
	return space && !strncmp(model->frames[frame].name, type, space) ? space : 0;
}

const char *export_full_name(struct buffer *text, const struct model_frame *frame)
{
	buffer_rewind(text, 0);
	frame_put_full(text, frame->module, frame);
	buffer_u8(text, 0);
	return (const char *)text->bytes;
}

/* The source's frame for one of the model; NULL if it is not shown. */
static struct export_frame *find_frame(struct export_source *source, const struct export_part *part,
				       uint32_t number, struct buffer *text)
{
	const struct interned *known;
	const char *full;

	if (!part->has_tree)
		return &source->frames[part->frames[number]];
	full = export_full_name(text, &part->model.frames[number]);
	known = intern_find(&source->frames_by_name, full, strlen(full));
	return known ? &source->frames[(uintptr_t)known->value - 1] : NULL;
}

static void describe(struct export_source *source, const struct model *model,
		     struct export_frame *frame, const struct code_entry *entry)
{
	const struct model_module *module;

	frame->origin = origin_of(model, entry);
	if (entry->module == MODEL_NONE)
		return;
	module = &model->modules[entry->module];
	if (module->path && *module->path)
		frame->path = strings_intern(&source->strings, module->path, strlen(module->path));
	if (module->build_id && *module->build_id)
		frame->build_id = strings_intern(&source->strings, module->build_id,
						 strlen(module->build_id));
}

void export_describe_frames(struct export_source *source, struct export_part *part)
{
	const struct model *model = &part->model;
	bool *done = xcalloc(model->frame_count + 1, sizeof(*done));
	struct buffer text = { 0 };

	for (uint32_t i = 0; i < model->code.count; i++) {
		const struct code_entry *entry = &model->code.entries[i];

		const uint32_t inlined = code_inlined(&model->code, entry);

		for (uint32_t j = 0; j <= inlined; j++) {
			const uint32_t number = code_frame(&model->code, entry, j);
			struct export_frame *frame;

			if (done[number])
				continue;
			done[number] = true;
			frame = find_frame(source, part, number, &text);
			if (frame && frame->module)
				describe(source, model, frame, entry);
		}
	}
	buffer_release(&text);
	xfree(done);
}

int64_t export_period(const struct export_source *source)
{
	const struct export_thread *thread = source->thread_count ? &source->threads[0] : NULL;

	if (!thread || source->view->marks || thread->first_kind != SAMPLE_CPU)
		return 0;
	return source->parts[thread->part]->model.sampling_ns;
}
