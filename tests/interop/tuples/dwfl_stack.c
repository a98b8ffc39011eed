/* SPDX-License-Identifier: MIT */
#include "tuples/dwfl_stack.h"

#include "base/alloc.h"

#ifdef HAVE_ELFUTILS
#include <elf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

struct dwfl_stack {
	const struct tuple_file *file;
	Dwfl *dwfl;
	const struct tuple_item *item; /* that is being unwound */
	struct captured_stack captured;
	struct unwind_registers registers;
	struct dwfl_room room;
	size_t count;
	bool missed_below;
};

/* Files have been found; separate debug files do not count, since ours has none either. */
static int find_no_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			     const char *file, const char *link, GElf_Word crc, char **found)
{
	(void)module, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc;
	(void)found;
	return -1;
}

static int find_no_elf(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
		       char **file, Elf **elf)
{
	(void)module, (void)data, (void)name, (void)base, (void)file, (void)elf;
	return -1;
}

static pid_t next_thread(Dwfl *dwfl, void *dwfl_arg, void **thread_arg)
{
	(void)dwfl;
	if (*thread_arg)
		return 0;
	*thread_arg = dwfl_arg;
	return 1;
}

static bool get_thread(Dwfl *dwfl, pid_t tid, void *dwfl_arg, void **thread_arg)
{
	(void)dwfl, (void)tid;
	*thread_arg = dwfl_arg;
	return true;
}

static bool memory_read(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *result, void *dwfl_arg)
{
	struct dwfl_stack *stack = dwfl_arg;
	uint64_t value;

	(void)dwfl;
	if (!stack_read(&stack->captured, address, &value)) {
		stack->missed_below |= address < stack->captured.start;
		return false;
	}
	*result = value;
	return true;
}

static bool set_initial_registers(Dwfl_Thread *thread, void *thread_arg)
{
	const struct dwfl_stack *stack = thread_arg;
	const bool is_arm = stack->file->elf_machine == EM_AARCH64;
	Dwarf_Word registers[UNWIND_REGISTERS];

	for (unsigned i = 0; i < stack->file->register_count; i++)
		registers[i] = stack->registers.value[i];
	if (!is_arm) /* the program counter is the return address */
		return dwfl_thread_state_registers(thread, 0, stack->file->register_count,
						   registers);
	dwfl_thread_state_register_pc(thread, registers[AARCH64_PC]);
	return dwfl_thread_state_registers(thread, 0, AARCH64_PC, registers);
}

static int report_vdso(const struct tuple_file *file)
{
	const int fd = memfd_create("vdso", MFD_CLOEXEC);

	if (fd >= 0 && write(fd, file->vdso, file->vdso_size) == (ssize_t)file->vdso_size)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static void report(struct dwfl_stack *stack, const struct code_mapping *mapping)
{
	const char *path = mapping->module->name;
	const bool is_vdso = !strcmp(path, "[vdso]");
	const int fd = is_vdso ? report_vdso(stack->file) : -1;

	if (mapping->module->table.machine)
		dwfl_report_elf(stack->dwfl, path, path, fd, mapping->start - mapping->address,
				true);
}

static bool attach(struct dwfl_stack *stack)
{
	static const Dwfl_Thread_Callbacks callbacks = {
		.next_thread = next_thread,
		.get_thread = get_thread,
		.memory_read = memory_read,
		.set_initial_registers = set_initial_registers,
	};

	return dwfl_attach_state(stack->dwfl, NULL, 1, &callbacks, stack);
}

struct dwfl_stack *dwfl_stack_new(const struct tuple_file *file, const struct address_space *space)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = find_no_elf,
		.find_debuginfo = find_no_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	struct dwfl_stack *stack = xcalloc(1, sizeof(*stack));

	stack->file = file;
	stack->dwfl = dwfl_begin(&callbacks);
	if (!stack->dwfl) {
		xfree(stack);
		return NULL;
	}
	dwfl_report_begin(stack->dwfl);
	for (size_t i = 0; i < space->count; i++)
		if (!i || space->mappings[i].module != space->mappings[i - 1].module)
			report(stack, &space->mappings[i]);
	dwfl_report_end(stack->dwfl, NULL, NULL);
	if (!attach(stack)) {
		dwfl_stack_free(stack);
		return NULL;
	}
	return stack;
}

void dwfl_stack_free(struct dwfl_stack *stack)
{
	if (stack)
		dwfl_end(stack->dwfl);
	xfree(stack);
}

static int take_frame(Dwfl_Frame *frame, void *arg)
{
	struct dwfl_stack *stack = arg;
	Dwarf_Addr pc;

	if (!dwfl_frame_pc(frame, &pc, NULL))
		return DWARF_CB_ABORT;
	stack->room.ips[stack->count++] = pc;
	return stack->count < stack->room.most ? DWARF_CB_OK : DWARF_CB_ABORT;
}

size_t dwfl_stack_unwind(struct dwfl_stack *stack, const struct tuple_item *item,
			 const struct dwfl_room *room, struct dwfl_end *end)
{
	tuple_item_state(stack->file, item, &stack->registers, &stack->captured);
	stack->room = *room;
	stack->count = 0;
	stack->missed_below = false;
	end->why = dwfl_getthread_frames(stack->dwfl, 1, take_frame, stack) < 0 ? dwfl_errmsg(-1)
										: NULL;
	end->missed_below = stack->missed_below;
	return stack->count;
}

const char *dwfl_stack_function(struct dwfl_stack *stack, uint64_t address)
{
	Dwfl_Module *module = dwfl_addrmodule(stack->dwfl, address);
	const char *name = module ? dwfl_module_addrname(module, address) : NULL;

	return name ? name : "?";
}

#else

struct dwfl_stack *dwfl_stack_new(const struct tuple_file *file, const struct address_space *space)
{
	(void)file, (void)space;
	return NULL;
}

void dwfl_stack_free(struct dwfl_stack *stack)
{
	(void)stack;
}

size_t dwfl_stack_unwind(struct dwfl_stack *stack, const struct tuple_item *item,
			 const struct dwfl_room *room, struct dwfl_end *end)
{
	(void)stack, (void)item, (void)room;
	*end = (struct dwfl_end){ .why = "this build has no elfutils" };
	return 0;
}

const char *dwfl_stack_function(struct dwfl_stack *stack, uint64_t address)
{
	(void)stack, (void)address;
	return "?";
}

#endif
