/* SPDX-License-Identifier: MIT */
/*
 * unwind_dotnet SAMPLES FREQUENCY STACK FOLDER COMMAND... - runs a .NET program, unwinds samples of
 * it as they come, and judges them by what else is known:
 *
 * - the perf map that the runtime writes in FOLDER names every method and stub,
 * - the instruction before every return address is a call,
 * - a chain of frame pointers has nobody that we do not have.
 *
 * Prints "key value" lines. Ends with the program, or after so many samples: then it kills it.
 * 77: there are no rights to perf events. DETAILS=1 also prints stacks that have no start.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/intern.h"
#include "base/map.h"
#include "perf/perf_registers.h"
#include "perf/perf_sampler.h"
#include "unwind/clr_method.h"
#include "unwind/clr_stub.h"
#include "unwind/elf_frames.h"
#include "unwind/pe_frames.h"
#include "unwind/unwind.h"
#include "unwind/x86_instruction.h"

#define FRAMES_MOST  1024
#define CODE_MOST    (1u << 20)
#define CALL_LONGEST 8
#define KILL_WAIT_MS 100

/* A line of the perf map. */
struct named_code {
	uint64_t start, size;
	bool is_stub;
	char *name;
};

/* An address that was in a stack. */
struct seen_address {
	uint64_t address;
	unsigned count;
	bool is_exact, is_jitted;
	bool was_read, follows_call;
	enum clr_stub_kind stub;
};

struct tally {
	char *name;
	unsigned count;
};

struct tallies {
	struct tally *list;
	size_t count, capacity;
};

/* A sample waits until the mappings that were made before it have been read from other rings. */
struct waiting_sample {
	struct unwind_registers registers;
	struct captured_stack stack;
};

struct dotnet_watch {
	struct waiting_sample *waiting;
	size_t waiting_count, waiting_capacity;
	pid_t pid;
	int memory; /* /proc/PID/mem */
	FILE *map;
	char *line;
	size_t line_capacity;
	struct address_space space;
	struct map modules; /* by the hash of paths */
	struct unwind_module *jitted;
	struct named_code *names;
	size_t name_count, name_capacity;
	struct map seen, seen_exact;
	struct arena arena;
	uint32_t stack_size;
	unsigned samples, wanted, reached, late_methods;
	unsigned long frames, by[5];
	unsigned managed_samples, chain_lacks, chain_differs, not_whole;
	unsigned long chain_missing, managed_frames;
	struct tallies ends;
	bool with_details;
};

static void tally_add(struct tallies *tallies, const char *name)
{
	for (size_t i = 0; i < tallies->count; i++)
		if (!strcmp(tallies->list[i].name, name)) {
			tallies->list[i].count++;
			return;
		}
	tallies->list =
		xgrow(tallies->list, tallies->count, &tallies->capacity, sizeof(*tallies->list));
	tallies->list[tallies->count++] = (struct tally){ xstrdup(name), 1 };
}

static void tally_print(const struct tallies *tallies, const char *key)
{
	for (size_t i = 0; i < tallies->count; i++)
		printf("%s %u %s\n", key, tallies->list[i].count, tallies->list[i].name);
}

static size_t read_memory(const struct dotnet_watch *watch, uint64_t address, void *to, size_t size)
{
	const ssize_t got = pread(watch->memory, to, size, (off_t)address);

	return got > 0 ? (size_t)got : 0;
}

/* Modules. */

static void read_frames(struct unwind_module *module, const void *bytes, size_t size)
{
	struct pp_error err = { 0 };
	const bool is_elf = size > 4 && !memcmp(bytes, "\177ELF", 4);

	if (is_elf ? elf_frames_read(bytes, size, module, &err)
		   : pe_frames_read(bytes, size, module, &err))
		fprintf(stderr, "%s\n", err.text);
}

static struct unwind_module *module_of_file(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct unwind_module *module = unwind_module_new(slash ? slash + 1 : path);
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	void *bytes;

	if (fd < 0 || fstat(fd, &status) || !status.st_size) {
		if (fd >= 0)
			close(fd);
		return module;
	}
	bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (bytes != MAP_FAILED) {
		read_frames(module, bytes, (size_t)status.st_size);
		munmap(bytes, (size_t)status.st_size);
	}
	return module;
}

static struct unwind_module *module_of_memory(const struct dotnet_watch *watch,
					      const struct perf_mapping *mapping)
{
	struct unwind_module *module = unwind_module_new(mapping->path);
	const size_t most = mapping->size < CODE_MOST ? (size_t)mapping->size : CODE_MOST;
	uint8_t *bytes = xcalloc(most, 1);

	read_frames(module, bytes, read_memory(watch, mapping->start, bytes, most));
	xfree(bytes);
	return module;
}

static struct unwind_module *module_for(struct dotnet_watch *watch,
					const struct perf_mapping *mapping)
{
	const uint64_t key = hash_bytes(mapping->path, strlen(mapping->path));
	struct unwind_module *module = map_find(&watch->modules, key);

	if (!strncmp(mapping->path, "//anon", 6) || !strncmp(mapping->path, "/memfd:", 7))
		return watch->jitted;
	if (module)
		return module;
	module = *mapping->path == '/' ? module_of_file(mapping->path)
				       : module_of_memory(watch, mapping);
	map_put(&watch->modules, key, module);
	return module;
}

static void add_mapping(struct dotnet_watch *watch, const struct perf_mapping *mapping)
{
	struct unwind_module *module;
	uint64_t address = 0;

	if (!(mapping->protection & PROT_EXEC))
		return;
	module = module_for(watch, mapping);
	if (module != watch->jitted && *mapping->path == '/' &&
	    !unwind_module_address(module, mapping->offset, &address))
		return;
	address_space_map(&watch->space, mapping->start, mapping->start + mapping->size, module,
			  address);
}

/* Methods: lines of the perf map, as they are written. */

static void add_name(struct dotnet_watch *watch, const char *line)
{
	struct named_code code = { 0 };
	int at = 0;
	uint8_t *bytes;

	if (sscanf(line, "%" SCNx64 " %" SCNx64 " %n", &code.start, &code.size, &at) < 2 || !at ||
	    code.size > CODE_MOST)
		return;
	code.is_stub = !strncmp(line + at, "stub ", 5);
	code.name = arena_text(&watch->arena, line + at, strlen(line + at));
	watch->names = xgrow(watch->names, watch->name_count, &watch->name_capacity,
			     sizeof(*watch->names));
	watch->names[watch->name_count++] = code;
	if (code.is_stub)
		return;
	bytes = xcalloc((size_t)code.size + 1, 1);
	if (read_memory(watch, code.start, bytes, (size_t)code.size) == code.size)
		clr_method_add(&watch->space.methods, code.start, bytes, (size_t)code.size);
	else
		watch->late_methods++;
	xfree(bytes);
}

/* Only whole lines. */
static void follow_map(struct dotnet_watch *watch)
{
	long start = watch->map ? ftell(watch->map) : 0;
	ssize_t length;

	if (!watch->map)
		return;
	while ((length = getline(&watch->line, &watch->line_capacity, watch->map)) > 0) {
		if (watch->line[length - 1] != '\n')
			break;
		watch->line[length - 1] = '\0';
		add_name(watch, watch->line);
		start += length;
	}
	clearerr(watch->map);
	fseek(watch->map, start, SEEK_SET);
}

/* Addresses. */

static const struct seen_address *note_address(struct dotnet_watch *watch,
					       const struct unwound_frame *frame)
{
	struct map *map = frame->exact ? &watch->seen_exact : &watch->seen;
	struct seen_address *seen = map_find(map, frame->ip);
	const uint64_t inside = frame->exact ? frame->ip : frame->ip - 1;
	const struct code_mapping *mapping;
	const struct unwind_rule *rule = address_space_rule(&watch->space, inside, &mapping);
	uint8_t bytes[CLR_STUB_BEFORE + CLR_STUB_AFTER];
	size_t size;

	if (!seen) {
		seen = arena_new(&watch->arena, struct seen_address);
		map_put(map, frame->ip, seen);
		seen->address = frame->ip;
		seen->is_exact = frame->exact;
		size = read_memory(watch, frame->ip - CALL_LONGEST, bytes, CALL_LONGEST);
		seen->was_read = size == CALL_LONGEST;
		/* where a handler of a signal returns to is called by nobody */
		seen->follows_call = seen->was_read && (rule->flags & UNWIND_SIGNAL_FRAME ||
							x86_follows_call(bytes, CALL_LONGEST));
		size = read_memory(watch, frame->ip - CLR_STUB_BEFORE, bytes, sizeof(bytes));
		seen->stub = clr_stub_find(bytes, size, CLR_STUB_BEFORE);
	}
	seen->is_jitted = mapping && mapping->module == watch->jitted;
	seen->count++;
	return seen;
}

static bool is_managed(const struct dotnet_watch *watch, const struct unwound_frame *frame)
{
	const struct code_mapping *mapping =
		address_space_find(&watch->space, frame->exact ? frame->ip : frame->ip - 1);

	return mapping && mapping->module->is_managed;
}

static const char *name_of(const struct dotnet_watch *watch, uint64_t address)
{
	const char *found = NULL;

	for (size_t i = 0; i < watch->name_count; i++)
		if (address >= watch->names[i].start &&
		    address - watch->names[i].start < watch->names[i].size &&
		    (!found || !watch->names[i].is_stub))
			found = watch->names[i].name;
	return found;
}

static void print_stack(const struct dotnet_watch *watch, const struct unwound_frame *frames,
			size_t count)
{
	static const char *const by[] = { "sample", "rule", "frame pointer", "leaf", "guess" };

	for (size_t i = 0; i < count; i++) {
		const uint64_t inside = frames[i].exact ? frames[i].ip : frames[i].ip - 1;
		const struct code_mapping *mapping = address_space_find(&watch->space, inside);
		const char *name = name_of(watch, inside);

		fprintf(stderr, "  %" PRIx64 " %s %s+0x%" PRIx64 " %s\n", frames[i].ip,
			by[frames[i].by], mapping ? mapping->module->name : "?",
			mapping ? mapping->address + (inside - mapping->start) : 0,
			name ? name : "");
	}
}

/* The chain has a managed caller that we do not have. */
static void note_difference(struct dotnet_watch *watch, uint64_t address,
			    const struct unwound_frame *frames, size_t at)
{
	const struct unwound_frame other = { .ip = address };
	const char *callee = name_of(watch, frames[at - 1].ip - !frames[at - 1].exact);

	/* a body that replaces another (OSR) is in its frame, which the chain shows as a caller */
	if (!is_managed(watch, &other) || (callee && strstr(callee, "OSR]")))
		return;
	watch->chain_differs++;
	if (!watch->with_details)
		return;
	fprintf(stderr, "only in the chain\n");
	print_stack(watch, &other, 1);
	fprintf(stderr, "ours\n");
	print_stack(watch, frames, at + 1);
}

/* How many of our managed callers a chain of frame pointers does not have, up to its end. */
static void compare_with_chain(struct dotnet_watch *watch, const struct waiting_sample *sample,
			       const struct unwound_frame *frames, size_t count)
{
	const struct captured_stack *stack = &sample->stack;
	uint64_t fp = sample->registers.value[X86_64_RBP], address, next;
	unsigned missing = 0;
	size_t at = 1;

	while (stack_read(stack, fp, &next) && stack_read(stack, fp + 8, &address) && address) {
		size_t found = at;

		while (found < count && frames[found].ip != address)
			found++;
		if (found == count) {
			note_difference(watch, address, frames, at);
			break;
		}
		for (; at < found; at++)
			missing += is_managed(watch, &frames[at]);
		at = found + 1;
		if (next <= fp)
			break;
		fp = next;
	}
	watch->managed_samples++;
	watch->chain_lacks += missing > 0;
	watch->chain_missing += missing;
}

static void note_end(struct dotnet_watch *watch, const struct unwind_end *end,
		     const struct unwound_frame *frames, size_t count)
{
	char text[256];

	snprintf(text, sizeof(text), "%s in %s", unwind_reason_text(end->reason),
		 end->module ? end->module->name : "no module");
	tally_add(&watch->ends, text);
	watch->reached += end->reason == UNWIND_END_START;
	if (end->reason == UNWIND_END_START || !watch->with_details)
		return;
	fprintf(stderr, "%s\n", text);
	print_stack(watch, frames, count);
}

static void queue_sample(struct dotnet_watch *watch, const struct perf_sample *sample)
{
	const struct perf_machine *machine = perf_machine_here();
	struct waiting_sample *waiting;
	uint8_t *stack;

	if (sample->register_count != machine->count)
		return;
	watch->waiting = xgrow(watch->waiting, watch->waiting_count, &watch->waiting_capacity,
			       sizeof(*watch->waiting));
	waiting = &watch->waiting[watch->waiting_count++];
	waiting->registers.known = 0;
	for (unsigned i = 0; i < machine->count; i++)
		register_set(&waiting->registers, machine->dwarf[i],
			     perf_sample_register(sample, i));
	stack = xcalloc(sample->stack_size + 1, 1);
	if (sample->stack_size)
		memcpy(stack, sample->stack, sample->stack_size);
	waiting->stack = (struct captured_stack){ waiting->registers.value[X86_64_RSP], stack,
						  sample->stack_size };
}

static bool is_doubtful(const struct unwound_frame *frame, const struct seen_address *seen)
{
	return frame->by == UNWOUND_FRAME_POINTER || frame->by == UNWOUND_GUESS ||
	       (!frame->exact && seen->was_read && !seen->follows_call);
}

/* Code of the runtime that is in no method. */
static void add_stub(struct dotnet_watch *watch, uint64_t ip)
{
	const struct code_mapping *mapping;
	const struct unwind_rule *rule = address_space_rule(&watch->space, ip, &mapping);
	uint8_t bytes[CLR_STUB_BEFORE + CLR_STUB_AFTER];
	uint64_t start;

	if (rule->kind != UNWIND_NO_RULE || !mapping || mapping->module != watch->jitted)
		return;
	start = ip - mapping->start < CLR_STUB_BEFORE ? mapping->start : ip - CLR_STUB_BEFORE;
	clr_stub_add(&watch->space.methods, start, bytes,
		     read_memory(watch, start, bytes, sizeof(bytes)), (size_t)(ip - start));
}

static void take_sample(struct dotnet_watch *watch, const struct waiting_sample *sample)
{
	static struct unwound_frame frames[FRAMES_MOST];
	struct unwind_end end;
	size_t count;

	add_stub(watch, sample->registers.value[X86_64_RIP]);
	count = unwind_stack(&watch->space, &sample->registers, &sample->stack,
			     &(struct unwound){ frames, FRAMES_MOST }, &end);
	watch->samples++;
	watch->frames += count;
	for (size_t i = 0; i < count; i++) {
		const struct seen_address *seen = note_address(watch, &frames[i]);

		watch->by[frames[i].by]++;
		watch->managed_frames += is_managed(watch, &frames[i]);
		if (watch->with_details && is_doubtful(&frames[i], seen)) {
			fprintf(stderr, "doubtful\n");
			print_stack(watch, frames, i + 1);
		}
	}
	if (is_managed(watch, &frames[0]))
		compare_with_chain(watch, sample, frames, count);
	note_end(watch, &end, frames, count);
	if (end.reason == UNWIND_END_CAPTURED && sample->stack.size < watch->stack_size)
		watch->not_whole++;
}

static void take_samples(struct dotnet_watch *watch)
{
	follow_map(watch); /* a line is written before its code runs, and so before these */
	for (size_t i = 0; i < watch->waiting_count; i++) {
		if (watch->samples < watch->wanted)
			take_sample(watch, &watch->waiting[i]);
		xfree((void *)watch->waiting[i].stack.bytes);
	}
	watch->waiting_count = 0;
}

/* The process. */

static pid_t start(char **command, int *go)
{
	int ends[2];
	pid_t pid;
	char byte;

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	pid = fork();
	if (!pid) {
		close(ends[1]);
		if (read(ends[0], &byte, 1) == 1)
			execvp(command[0], command);
		_exit(127);
	}
	close(ends[0]);
	*go = ends[1];
	return pid;
}

static void take_record(struct dotnet_watch *watch, const struct perf_record *record)
{
	if (record->pid != (uint32_t)watch->pid)
		return;
	if (record->type == PERF_RECORD_MMAP2 || record->type == PERF_RECORD_MMAP)
		add_mapping(watch, &record->mapping);
	else if (record->type == PERF_RECORD_SAMPLE)
		queue_sample(watch, &record->sample);
}

static void open_map(struct dotnet_watch *watch, const char *folder)
{
	char path[4096];

	if (watch->map)
		return;
	snprintf(path, sizeof(path), "%s/perf-%d.map", folder, (int)watch->pid);
	watch->map = fopen(path, "re");
}

static int drain(struct dotnet_watch *watch, struct perf_sampler *sampler)
{
	struct pp_error err = { 0 };
	struct perf_record record;
	int got;

	while ((got = perf_sampler_next(sampler, &record, &err)) > 0)
		take_record(watch, &record);
	if (got < 0)
		fprintf(stderr, "%s\n", err.text);
	return got;
}

/* The program stands still meanwhile: however slow we are, it does not outrun us, nor lose its
 * memory. */
static int watch_all(struct dotnet_watch *watch, struct perf_sampler *sampler, const char *folder)
{
	while (perf_sampler_wait(sampler, KILL_WAIT_MS) && watch->samples < watch->wanted) {
		kill(watch->pid, SIGSTOP);
		if (drain(watch, sampler) || drain(watch, sampler))
			return -1;
		open_map(watch, folder);
		take_samples(watch);
		kill(watch->pid, SIGCONT);
	}
	return 0;
}

/* Judging. */

static void print_unnamed(const struct dotnet_watch *watch, const struct map *map,
			  const char *which)
{
	unsigned named = 0, unnamed = 0, calls = 0, no_calls = 0, unread = 0;

	for (size_t i = 0; i < map->capacity; i++) {
		const struct seen_address *seen = map->slots[i].value;
		const char *name;

		if (!seen)
			continue;
		name = seen->is_jitted ? name_of(watch, seen->address - !seen->is_exact) : NULL;
		if (seen->is_jitted && !name && watch->with_details)
			fprintf(stderr, "no name: %" PRIx64 " %u times, %s\n", seen->address,
				seen->count, clr_stub_label(seen->stub));
		named += seen->is_jitted && name ? seen->count : 0;
		unnamed += seen->is_jitted && !name ? seen->count : 0;
		if (seen->is_exact)
			continue;
		unread += seen->was_read ? 0 : seen->count;
		calls += seen->follows_call ? seen->count : 0;
		no_calls += seen->was_read && !seen->follows_call ? seen->count : 0;
	}
	printf("%s_named %u\n%s_unnamed %u\n", which, named, which, unnamed);
	if (map == &watch->seen)
		printf("after_call %u\nafter_no_call %u\nnot_read %u\n", calls, no_calls, unread);
}

/* Stubs by our kind and by the name that the perf map has for them. */
static void print_stubs(const struct dotnet_watch *watch)
{
	struct tallies kinds = { 0 };

	for (size_t i = 0; i < watch->seen_exact.capacity; i++) {
		const struct seen_address *seen = watch->seen_exact.slots[i].value;
		const char *name = seen && seen->is_jitted ? name_of(watch, seen->address) : NULL;
		char text[256];

		if (!seen || !seen->is_jitted || !seen->was_read ||
		    (name && strncmp(name, "stub ", 5) != 0))
			continue;
		snprintf(text, sizeof(text), "%s: %s", clr_stub_label(seen->stub),
			 name ? name : "no name");
		for (unsigned n = 0; n < seen->count; n++)
			tally_add(&kinds, text);
	}
	tally_print(&kinds, "stub");
	for (size_t i = 0; i < kinds.count; i++)
		xfree(kinds.list[i].name);
	xfree(kinds.list);
}

static void print_results(const struct dotnet_watch *watch, uint64_t lost)
{
	printf("samples %u\nlost %" PRIu64 "\nreached %u\nframes %lu\n", watch->samples, lost,
	       watch->reached, watch->frames);
	printf("managed_frames %lu\nby_rule %lu\nby_frame_pointer %lu\nby_leaf %lu\nby_guess %lu\n",
	       watch->managed_frames, watch->by[UNWOUND_RULE], watch->by[UNWOUND_FRAME_POINTER],
	       watch->by[UNWOUND_LEAF], watch->by[UNWOUND_GUESS]);
	printf("managed_samples %u\nchain_lacks %u\nchain_missing %lu\nchain_differs %u\n",
	       watch->managed_samples, watch->chain_lacks, watch->chain_missing,
	       watch->chain_differs);
	printf("names %zu\nlate_methods %u\nnot_whole %u\n", watch->name_count, watch->late_methods,
	       watch->not_whole);
	tally_print(&watch->ends, "end");
	print_unnamed(watch, &watch->seen, "caller");
	print_unnamed(watch, &watch->seen_exact, "leaf");
	print_stubs(watch);
}

static void release(struct dotnet_watch *watch)
{
	for (size_t i = 0; i < watch->modules.capacity; i++)
		unwind_module_unref(watch->modules.slots[i].value);
	unwind_module_unref(watch->jitted);
	address_space_release(&watch->space);
	map_release(&watch->modules);
	map_release(&watch->seen);
	map_release(&watch->seen_exact);
	for (size_t i = 0; i < watch->ends.count; i++)
		xfree(watch->ends.list[i].name);
	xfree(watch->ends.list);
	xfree(watch->waiting);
	xfree(watch->names);
	arena_release(&watch->arena);
	free(watch->line);
	if (watch->map)
		fclose(watch->map);
	if (watch->memory >= 0)
		close(watch->memory);
}

/* Begins once it may run; the memory of the program it becomes is opened by name for each run. */
static int run(struct dotnet_watch *watch, const struct perf_options *options, int go,
	       const char *folder)
{
	struct pp_error err = { 0 };
	struct perf_sampler *sampler = perf_sampler_open(options, geteuid() ? 64 : 4096, &err);
	char path[64];
	int result;

	if (!sampler) {
		printf("skipped: needs perf rights: %s\n", err.text);
		kill(watch->pid, SIGKILL);
		return 77;
	}
	if (write(go, "", 1) != 1)
		return 1;
	snprintf(path, sizeof(path), "/proc/%d/mem", (int)watch->pid);
	perf_sampler_wait(sampler, -1); /* for the mappings of the exec() */
	watch->memory = open(path, O_RDONLY | O_CLOEXEC);
	result = watch_all(watch, sampler, folder);
	kill(watch->pid, SIGKILL);
	print_results(watch, perf_sampler_lost(sampler));
	perf_sampler_close(sampler);
	return result ? 1 : 0;
}

int main(int argc, char **argv)
{
	struct dotnet_watch watch = { .memory = -1,
				      .space = { .machine = &unwind_x86_64 },
				      .with_details = getenv("DETAILS") };
	struct perf_options options = { .enable_on_exec = true };
	int go = -1, status, result;

	if (argc < 6) {
		fprintf(stderr, "usage: unwind_dotnet SAMPLES FREQUENCY STACK FOLDER COMMAND...\n");
		return 2;
	}
	if (perf_machine_here() != &perf_x86_64) {
		printf("skipped: needs x86-64\n");
		return 77;
	}
	watch.wanted = (unsigned)strtoul(argv[1], NULL, 10);
	options.frequency = (uint32_t)strtoul(argv[2], NULL, 10);
	options.stack_size = watch.stack_size = (uint32_t)strtoul(argv[3], NULL, 10);
	watch.jitted = unwind_module_new("[jitted]");
	watch.jitted->is_managed = true;
	watch.pid = options.pid = start(argv + 5, &go);
	result = watch.pid < 0 ? 1 : run(&watch, &options, go, argv[4]);
	if (watch.pid > 0)
		waitpid(watch.pid, &status, 0);
	close(go);
	release(&watch);
	return result;
}
