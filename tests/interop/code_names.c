/* SPDX-License-Identifier: MIT */
/*
 * What the readers of code maps find in real files:
 *
 *	code_names perf-map FILE	counts; and how many lines have another name than they
 *should code_names jitdump FILE		counts; then the name of each address of standard
 *input code_names kernel		"hidden" or "visible"; then the same
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "symbols/jitdump.h"
#include "symbols/kernel_symbols.h"
#include "symbols/perf_map.h"
#include "symbols/r2r_image.h"

static int fail(const struct pp_error *err)
{
	fprintf(stderr, "%s\n", err->text);
	return 1;
}

/* Independent of the reader: all lines, one after the other. */
struct line {
	uint64_t start, size;
	char *name;
};

static struct line *lines;
static size_t line_count;

static void read_lines(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t room = 0;
	int name;

	while (file && getline(&text, &room, file) > 0) {
		struct line line;

		text[strcspn(text, "\n")] = '\0';
		if (sscanf(text, "%" SCNx64 " %" SCNx64 " %n", &line.start, &line.size, &name) != 2)
			continue;
		line.name = strdup(text + name);
		lines = realloc(lines, (line_count + 1) * sizeof(line));
		lines[line_count++] = line;
	}
	free(text);
	if (file)
		fclose(file);
}

static const char *last_name_at(uint64_t address)
{
	for (size_t i = line_count; i-- > 0;)
		if (address - lines[i].start < lines[i].size)
			return lines[i].name;
	return "";
}

static size_t count_different(const struct symbol_table *table)
{
	size_t different = 0;
	struct symbol found;

	for (size_t i = 0; i < line_count; i++) {
		const uint64_t places[] = { lines[i].start, lines[i].start + lines[i].size / 2,
					    lines[i].start + lines[i].size - 1 };

		for (size_t place = 0; place < ARRAY_COUNT(places); place++)
			different += !symbol_table_find(table, places[place], &found) ||
				     strcmp(found.name, last_name_at(places[place])) != 0;
	}
	return different;
}

static int check_perf_map(const char *path)
{
	const int fd = open(path, O_RDONLY);
	struct symbol_list list = { 0 };
	struct symbol_table table;
	struct map_totals totals;
	struct pp_error err = { 0 };

	if (perf_map_read(fd, &list, &totals, &err))
		return fail(&err);
	table = symbol_list_seal(&list);
	read_lines(path);
	printf("%" PRIu64 " functions, %" PRIu64 " skipped, %zu lines, %zu different\n",
	       totals.functions, totals.skipped, line_count, count_different(&table));
	for (size_t i = 0; i < line_count; i++)
		free(lines[i].name);
	free(lines);
	symbol_table_release(&table);
	close(fd);
	return 0;
}

static bool next_address(uint64_t *address)
{
	char line[64];

	if (!fgets(line, sizeof(line), stdin))
		return false;
	*address = strtoull(line, NULL, 16);
	return true;
}

static int name_jitted(const char *path)
{
	const int fd = open(path, O_RDONLY);
	struct map_totals totals;
	struct pp_error err = { 0 };
	struct jitdump *dump = jitdump_read(fd, &totals, &err);
	struct jit_code code;
	uint64_t address;

	if (!dump)
		return fail(&err);
	printf("%" PRIu64 " functions, %" PRIu64 " skipped\n", totals.functions, totals.skipped);
	while (next_address(&address))
		puts(jitdump_find(dump, address, INT64_MAX, &code) ? code.name : "-");
	jitdump_free(dump);
	close(fd);
	return 0;
}

static int name_kernel(void)
{
	const int fd = open("/proc/kallsyms", O_RDONLY);
	struct kernel_symbols symbols;
	struct pp_error err = { 0 };
	struct symbol found;
	uint64_t address;

	if (kernel_symbols_read(fd, &symbols, &err))
		return fail(&err);
	puts(symbols.hidden ? "hidden" : "visible");
	while (next_address(&address))
		puts(symbol_table_find(&symbols.table, address, &found) ? found.name : "-");
	kernel_symbols_release(&symbols);
	close(fd);
	return 0;
}

static int name_map(const char *path)
{
	const int fd = open(path, O_RDONLY);
	struct r2r_image image;
	struct pp_error err = { 0 };

	if (r2r_image_read(fd, &image, &err))
		return fail(&err);
	printf("%s, version %" PRIu32 "\n", image.map_name, image.version);
	for (size_t i = 0; i < sizeof(image.signature); i++)
		printf("%02X", image.signature[i]);
	puts("");
	r2r_image_release(&image);
	close(fd);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "perf-map"))
		return check_perf_map(argv[2]);
	if (argc == 3 && !strcmp(argv[1], "jitdump"))
		return name_jitted(argv[2]);
	if (argc == 2 && !strcmp(argv[1], "kernel"))
		return name_kernel();
	if (argc == 3 && !strcmp(argv[1], "r2r-image"))
		return name_map(argv[2]);
	fputs("usage: code_names perf-map FILE | jitdump FILE | kernel | r2r-image FILE\n", stderr);
	return 2;
}
