/* SPDX-License-Identifier: MIT */
/*
 * bench_unwind frames FILE: unwinds the samples of unwind_tuples, several times from warm tables,
 * and prints the least CPU time per frame. bench_unwind peer FILE: the same by libdw, once it has
 * read all. bench_unwind fresh FILE: by libdw, which begins anew for each sample. bench_unwind
 * build ELF: makes the table of a file. bench_unwind size ELF...: the size of the tables of files,
 * as a share of their code. All print JSON.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tuples/comparison.h"

#define PASSES 7

#define FRESH 200 /* samples: each takes milliseconds */

/* 0: there are no frames, or no libdw. */
static size_t measure(const char *what, const struct tuple_file *file, int64_t *ns)
{
	const bool is_peer = !strcmp(what, "peer"), is_fresh = !strcmp(what, "fresh");
	struct comparison c = { .peer_most = is_peer ? SIZE_MAX : 0,
				.fresh_most = is_fresh ? FRESH : 0,
				.passes = is_fresh ? 1 : PASSES };

	comparison_run(&c, file);
	comparison_release(&c);
	*ns = is_peer ? c.peer_ns : is_fresh ? c.fresh_ns : c.ours_ns;
	return is_peer ? c.peer_frames : is_fresh ? c.fresh_frames : c.ours_frames;
}

static int frames(const char *what, const struct tuple_file *file)
{
	int64_t ns;
	const size_t count = measure(what, file, &ns);

	if (count)
		printf("{\"best_seconds\":%.12f,\"frames\":%zu}\n",
		       (double)ns / 1e9 / (double)count, count);
	return count ? 0 : 1;
}

static int build(const char *path)
{
	const struct tuple_file none = { 0 };
	int64_t best_ns = 0;

	for (int i = 0; i < PASSES; i++) {
		struct tuple_spaces spaces = { .file = &none };
		const struct tuple_module *module = tuple_module_of(&spaces, path);

		if (!module->is_elf)
			return 1;
		best_ns = i && best_ns < module->build_ns ? best_ns : module->build_ns;
		tuple_spaces_release(&spaces);
	}
	printf("{\"best_seconds\":%.12f}\n", (double)best_ns / 1e9);
	return 0;
}

static int size(char **paths)
{
	const struct tuple_file none = { 0 };
	struct tuple_spaces spaces = { .file = &none };
	size_t tables = 0, text = 0;

	for (; *paths; paths++) {
		const struct tuple_module *module = tuple_module_of(&spaces, *paths);

		tables += unwind_table_size(&module->module->table);
		text += module->text_size;
	}
	tuple_spaces_release(&spaces);
	printf("{\"table_bytes\":%zu,\"text_bytes\":%zu,\"percent\":%.2f}\n", tables, text,
	       100.0 * (double)tables / (double)(text ? text : 1));
	return text ? 0 : 1;
}

int main(int argc, char **argv)
{
	struct pp_error err = { 0 };
	struct tuple_file *file;
	int failed;

	if (argc < 3)
		return 2;
	if (!strcmp(argv[1], "build"))
		return build(argv[2]);
	if (!strcmp(argv[1], "size"))
		return size(argv + 2);
	file = tuple_file_open(argv[2], &err);
	if (!file) {
		fprintf(stderr, "bench_unwind: %s\n", err.text);
		return 2;
	}
	failed = frames(argv[1], file);
	tuple_file_close(file);
	return failed;
}
