/* SPDX-License-Identifier: MIT */
#include "fill/fill_native.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/alloc.h"
#include "base/process_key.h"
#include "base/time.h"
#include "fill/fill_rows.h"
#include "symbols/symbol_cache.h"

#define KERNEL UINT64_C(0xFFFF800000000000) /* its addresses are above this */

/* Who may know the addresses of a module. */
enum native_source {
	NATIVE_UNDECIDED,
	NATIVE_NOBODY,	/* not a file: "[vdso]", "//anon" */
	NATIVE_CHANGED, /* there is such a file, but not the one that ran */
	NATIVE_FILE,
	NATIVE_KERNEL,
	NATIVE_OTHER_KERNEL,
};

struct native_module {
	enum native_source source;
	struct code_file file;
	struct fill_module_symbols known;
};

static struct symbols *open_symbols(const struct fill_symbols *options)
{
	char *cache = options->no_cache ? NULL : symbol_cache_folder();
	struct symbols *symbols = symbols_new(&(const struct symbols_options){
		.lines = true, /* for inlined functions, too */
		.no_network = options->no_network,
		.cache = cache,
		.folders = options->folders,
		.folder_count = options->folder_count,
	});

	xfree(cache);
	return symbols;
}

static bool ask(struct fill_native *native, const struct code_address *at)
{
	if (!native->symbols)
		native->symbols = open_symbols(&native->options);
	return symbols_find(native->symbols, at, &native->answer);
}

/* A call goes from code of a process to other code of it: into the kernel leads an interruption. */
static bool is_call(const struct code_entry *caller, const struct code_entry *callee)
{
	return caller->address >= KERNEL || callee->address < KERNEL;
}

/*
 * Of every frame but the innermost the address is the one to return to, after the call: that can be
 * another line, or another function if the called one never returns. Few such addresses are also
 * seen as an innermost one, and the call before them is nearly always of the same function.
 */
static void find_returns(struct fill_native *native, const struct model *model)
{
	const struct stack_tree *stacks = &model->stacks;
	const struct code_entry *entries = model->code.entries;

	native->entry_count = model->code.count;
	native->returns = xcalloc((size_t)model->code.count + 1, sizeof(*native->returns));
	for (uint32_t i = 1; i < stacks->count; i++) {
		const uint32_t caller = stacks->nodes[stacks->nodes[i].parent].frame;

		if (stacks->nodes[i].parent &&
		    is_call(&entries[caller], &entries[stacks->nodes[i].frame]))
			native->returns[caller] = true;
	}
}

/* Where the code is that the address is about. */
static uint64_t code_at(struct fill_native *native, const struct address_naming *naming)
{
	const struct code *code = &naming->model->code;

	if (!native->returns)
		find_returns(native, naming->model);
	return naming->entry->address - native->returns[naming->entry - code->entries];
}

static bool is_kernel_file(const struct model_module *module)
{
	return !strncmp(module->name, "vmlinux", strlen("vmlinux")) ||
	       !strncmp(module->name, "[kernel", strlen("[kernel"));
}

static bool is_of_this_boot(const struct fill_native *native)
{
	struct timespec up;

	if (clock_gettime(CLOCK_BOOTTIME, &up))
		return false;
	return native->started_unix_ns >
	       time_unix_ns() - ((int64_t)up.tv_sec * 1000000000 + up.tv_nsec);
}

static bool ask_kernel(struct fill_native *native, uint64_t address)
{
	return ask(native,
		   &(const struct code_address){ .space = CODE_OF_KERNEL, .address = address });
}

/* The first function of our kernel is where that of the trace is, which is random by boot. */
static bool starts_like_ours(struct fill_native *native, const struct model_module *module)
{
	const struct symbol_answer *answer = &native->answer;

	if (ask_kernel(native, module->start - 1) || !ask_kernel(native, module->start) ||
	    answer->function_start != module->start)
		return false;
	return !module->build_id || !answer->module->build_id ||
	       !strcmp(module->build_id, answer->module->build_id);
}

static bool kernel_is_ours(struct fill_native *native, const struct model *model)
{
	if (native->kernel_checked)
		return native->kernel_is_ours;
	native->kernel_checked = true;
	for (size_t i = 0; is_of_this_boot(native) && i < model->module_count; i++)
		if (model->modules[i].mapped && model->modules[i].start >= KERNEL &&
		    is_kernel_file(&model->modules[i]))
			native->kernel_is_ours |= starts_like_ours(native, &model->modules[i]);
	return native->kernel_is_ours;
}

/* Without a build id: a file that was there before the recording, and is as it was then. */
static enum native_source check_unidentified(const struct fill_native *native, const char *path)
{
	struct stat status;

	if (stat(path, &status) || !S_ISREG(status.st_mode))
		return NATIVE_FILE; /* the symbols say what is wrong */
	return status.st_mtim.tv_sec < native->started_unix_ns / 1000000000 ? NATIVE_FILE
									    : NATIVE_CHANGED;
}

/* Not "[vdso]", "memfd:" or "//anon". */
static bool is_file_path(const char *path)
{
	return path[0] == '/' && path[1] != '/';
}

static void decide(struct fill_native *native, const struct model *model,
		   const struct model_module *module, struct native_module *decided)
{
	decided->source = NATIVE_NOBODY;
	decided->file = (struct code_file){ .path = module->path, .build_id = module->build_id };
	if (module->start >= KERNEL || is_kernel_file(module)) {
		decided->source =
			kernel_is_ours(native, model) ? NATIVE_KERNEL : NATIVE_OTHER_KERNEL;
	} else if (is_file_path(module->path) && module->build_id) {
		decided->source = NATIVE_FILE;
		decided->file.pid = process_key_id(model->processes[module->process].id);
	} else if (is_file_path(module->path)) {
		decided->source = check_unidentified(native, module->path);
	}
}

static struct native_module *module_of(struct fill_native *native, const struct model *model,
				       uint32_t number)
{
	struct native_module *decided;

	if (!native->modules) {
		native->module_count = model->module_count;
		native->modules = xcalloc(model->module_count, sizeof(*native->modules));
	}
	decided = &native->modules[number];
	if (decided->source == NATIVE_UNDECIDED)
		decide(native, model, &model->modules[number], decided);
	return decided;
}

static bool find_in_file(struct fill_native *native, struct native_module *in, uint64_t offset)
{
	const struct symbol_module **module = &in->known.module;
	const bool found =
		ask(native, &(const struct code_address){
				    .space = CODE_OF_FILE, .address = offset, .file = &in->file });

	*module = native->answer.module;
	if (in->file.build_id || !*module || !(*module)->build_id)
		return found;
	in->source = NATIVE_CHANGED; /* the trace would have its build id */
	*module = NULL;
	return false;
}

static bool find(struct fill_native *native, const struct address_naming *naming,
		 struct native_module *in)
{
	const struct model_module *module = &naming->model->modules[naming->entry->module];
	const uint64_t address = code_at(native, naming);

	if (in->source == NATIVE_FILE)
		return find_in_file(native, in, address - module->start + module->file_offset);
	return in->source == NATIVE_KERNEL &&
	       ask(native,
		   &(const struct code_address){ .space = CODE_OF_KERNEL, .address = address });
}

static void add_frames(struct fill *fill, struct address_naming *naming)
{
	const struct symbol_answer *answer = &fill->native.answer;

	for (size_t i = 0; i < answer->count; i++) {
		const struct symbol_frame *from = &answer->frames[i];
		const struct model_frame frame = {
			.name = model_text(naming->model, from->function),
			.class_text = fill_symbol_class(fill, from->function),
			.file = from->file ? model_text(naming->model, from->file) : NULL,
			.line = from->file ? from->line : 0,
		};

		naming_add(naming, &frame);
	}
}

/* "no symbols"; NULL: it has names, only not for this address, or nobody is to know any. */
static const char *reason(const struct native_module *in)
{
	if (in->source == NATIVE_CHANGED)
		return symbols_state_text(SYMBOLS_OTHER_BUILD);
	return in->source == NATIVE_FILE && in->known.module
		       ? symbols_state_text(in->known.module->state)
		       : NULL;
}

/* Sums are of all code of such a module: the nearest exported function would be a wrong name. */
static void add_reason(struct address_naming *naming, const char *text)
{
	char name[64];

	snprintf(name, sizeof(name), "[%s]", text);
	naming_add(naming, &(const struct model_frame){ .name = model_text(naming->model, name),
							.unresolved = true,
							.of_module = true });
}

void fill_name_native(void *self, struct address_naming *naming)
{
	struct fill *fill = self;
	struct fill_native *native = &fill->native;
	const uint32_t number = naming->entry->module;
	struct native_module *in;

	if (number == MODEL_NONE || !naming->model->modules[number].mapped)
		return;
	in = module_of(native, naming->model, number);
	if (find(native, naming, in))
		add_frames(fill, naming);
	else if (reason(in) && naming->model->offsets)
		add_reason(naming, reason(in));
}

struct fill_module_symbols fill_module_symbols(const struct fill *fill, uint32_t module)
{
	const struct fill_native *native = &fill->native;
	struct fill_module_symbols none = { 0 };

	if (module >= native->module_count)
		return none;
	none = native->modules[module].known;
	none.changed = native->modules[module].source == NATIVE_CHANGED;
	none.kernel = native->modules[module].source == NATIVE_KERNEL;
	none.other_kernel = native->modules[module].source == NATIVE_OTHER_KERNEL;
	return none;
}

void fill_native_release(struct fill_native *native)
{
	symbols_free(native->symbols);
	xfree(native->modules);
	xfree(native->returns);
}
