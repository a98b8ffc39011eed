/* SPDX-License-Identifier: MIT */
#include "unwind/unwind_module.h"

#include "base/alloc.h"

struct unwind_module *unwind_module_new(const char *name)
{
	struct unwind_module *module = xcalloc(1, sizeof(*module));

	module->references = 1;
	module->name = xstrdup(name);
	return module;
}

struct unwind_module *unwind_module_ref(struct unwind_module *module)
{
	module->references++;
	return module;
}

void unwind_module_unref(struct unwind_module *module)
{
	if (!module || --module->references)
		return;
	unwind_table_release(&module->table);
	xfree(module->segments);
	xfree(module->name);
	xfree(module);
}

bool unwind_module_address(const struct unwind_module *module, uint64_t offset, uint64_t *address)
{
	for (size_t i = 0; i < module->segment_count; i++) {
		const struct unwind_segment *segment = &module->segments[i];

		if (offset >= segment->offset && offset - segment->offset < segment->size) {
			*address = segment->address + (offset - segment->offset);
			return true;
		}
	}
	return false;
}

void unwind_module_add_segment(struct unwind_module *module, const struct unwind_segment *segment)
{
	module->segments = xrealloc(module->segments, module->segment_count + 1, sizeof(*segment));
	module->segments[module->segment_count++] = *segment;
}
