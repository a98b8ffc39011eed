/* SPDX-License-Identifier: MIT */
/*
 * Names as people know them: of methods and symbols in stacks, and of the files they come from.
 */
#include <string.h>
#include <strings.h>

#include "clr/method_name.h"
#include "fill/fill_rows.h"

/* Assemblies are called without their extension. */
static const char *stem(struct fill *fill, const char *path)
{
	size_t size = strlen(path);

	if (size > 4 &&
	    (!strcasecmp(path + size - 4, ".dll") || !strcasecmp(path + size - 4, ".exe")))
		size -= 4;
	return strings_intern(&fill->model->strings, path, size);
}

const char *fill_file_name(struct fill *fill, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *backslash = strrchr(path, '\\');
	const char *name = path;

	if (slash)
		name = slash + 1;
	if (backslash && backslash >= name)
		name = backslash + 1;
	return stem(fill, name);
}

void fill_name_module(struct fill *fill, struct model_module *module)
{
	module->name = fill_file_name(fill, module->path);
	module->shown_path = stem(fill, module->path);
}

/* By tier; see TIER_PRECOMPILED. */
static const char *const tier_names[] = {
	"Unknown",
	"MinOptJitted",
	"Optimized",
	"QuickJitted",
	"OptimizedTier1",
	"OptimizedTier1OSR",
	"QuickJittedInstrumented",
	"OptimizedTier1Instrumented",
	"ReadyToRun",
};

/* The size of the class in a symbol of C++, "ns::Class::method(int)"; 0: none. */
static size_t symbol_class_size(const char *symbol)
{
	const size_t bare = strcspn(symbol, "(<");

	for (size_t i = bare; i-- > 1;)
		if (symbol[i] == ':' && symbol[i - 1] == ':')
			return i - 1;
	return 0;
}

const char *fill_symbol_class(struct fill *fill, const char *symbol)
{
	const size_t size = symbol_class_size(symbol);

	return size ? strings_intern(&fill->model->strings, symbol, size) : NULL;
}

/* Returns the size of the class, which follows the tier. */
static size_t put_name(const struct fill *fill, const struct model_method *method,
		       struct buffer *text)
{
	const struct method_name name = { .type = method->type,
					  .name = method->name,
					  .signature = method->signature };

	if (!method->symbol)
		return fill->options.raw_names ? method_name_raw(text, &name)
					       : method_name_source(text, &name);
	buffer_text(text, method->name);
	return symbol_class_size(method->name);
}

static void put_tier(struct fill *fill, uint32_t method, struct buffer *text)
{
	buffer_text(text, "[");
	buffer_text(text, tier_names[fill_body(fill, method)->tier]);
	buffer_text(text, "]");
}

static void name_method(struct fill *fill, uint32_t number)
{
	struct model_method *method = &fill->model->methods[number];
	struct strings *strings = &fill->model->strings;
	struct buffer *text = &fill->text;
	size_t start;
	size_t size;

	buffer_rewind(text, 0);
	if (fill->options.tiers && !method->symbol)
		put_tier(fill, number, text);
	start = text->size;
	size = put_name(fill, method, text);
	method->text = strings_intern(strings, (const char *)text->bytes, text->size);
	if (size && !text->failed)
		method->class_text = strings_intern(strings, method->text + start, size);
}

const char *fill_method_text(struct fill *fill, uint32_t method)
{
	if (!fill->model->methods[method].text)
		name_method(fill, method);
	return fill->model->methods[method].text;
}

static const char *lower(struct fill *fill, const char *text)
{
	buffer_rewind(&fill->text, 0);
	for (; *text; text++)
		buffer_u8(&fill->text,
			  (uint8_t)(*text >= 'A' && *text <= 'Z' ? *text + 32 : *text));
	return strings_intern(&fill->model->strings, (const char *)fill->text.bytes,
			      fill->text.size);
}

static void add_method(struct fill *fill, struct address_naming *naming)
{
	const struct code_entry *entry = naming->entry;
	const struct model_module *module =
		entry->module == MODEL_NONE ? NULL : &fill->model->modules[entry->module];
	struct model_frame frame = { .name = fill_method_text(fill, entry->method),
				     .class_text = fill->model->methods[entry->method].class_text };

	if (module && fill_body(fill, entry->method)->spelling == SPELLED_LOWER) {
		frame.module = lower(fill, module->name);
		frame.path = lower(fill, module->shown_path);
	}
	naming_add(naming, &frame);
}

static bool is_symbol(const struct address_naming *naming)
{
	return naming->model->methods[naming->entry->method].symbol;
}

/* What the runtime compiled or loaded. */
static void name_runtime_code(void *self, struct address_naming *naming)
{
	if (naming->entry->method != MODEL_NONE && !is_symbol(naming))
		add_method(self, naming);
}

/* What the collector found in the files of symbols of the recorded machine. */
static void name_recorded_symbol(void *self, struct address_naming *naming)
{
	if (naming->entry->method != MODEL_NONE && is_symbol(naming))
		add_method(self, naming);
}

void fill_add_namers(struct fill *fill)
{
	model_add_namer(fill->model, (struct model_namer){ name_runtime_code, fill });
	model_add_namer(fill->model, (struct model_namer){ name_recorded_symbol, fill });
	if (fill->native.options.wanted)
		model_add_namer(fill->model, (struct model_namer){ fill_name_native, fill });
}
