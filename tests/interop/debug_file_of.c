/* SPDX-License-Identifier: MIT */
/*
 * Prints the path of the debug file of a binary, or "none".
 *
 *	debug_file_of [-l] [-a] [-n] [-s] [-r ROOT] [-f FOLDER] [-b ID] PATH
 *
 * With -l it is one with lines, with -a the one that it shares with others, with -b the binary
 * itself; -n does not ask debuginfod. -s prints how many seconds it took, too.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/time.h"
#include "symbols/debug_files.h"

struct asked {
	struct debug_search search;
	const char *folder, *build_id;
	bool lines, alt, seconds;
};

static bool read_options(struct asked *asked, int argc, char **argv)
{
	for (int option; (option = getopt(argc, argv, "lansr:f:b:")) != -1;)
		switch (option) {
		case 'l':
			asked->lines = true;
			break;
		case 'a':
			asked->alt = true;
			break;
		case 'n':
			asked->search.no_network = true;
			break;
		case 's':
			asked->seconds = true;
			break;
		case 'r':
			asked->search.root = optarg;
			break;
		case 'f':
			asked->folder = optarg;
			break;
		case 'b':
			asked->build_id = optarg;
			break;
		default:
			return false;
		}
	asked->search.path = argv[optind];
	asked->search.folders = &asked->folder;
	asked->search.folder_count = asked->folder ? 1 : 0;
	return asked->search.path;
}

static struct elf_file *open_binary(const struct asked *asked)
{
	char path[4096];
	struct pp_error err = { 0 };
	struct elf_file *file;

	snprintf(path, sizeof(path), "%s%s", asked->search.root, asked->search.path);
	file = elf_file_open(open(path, O_RDONLY | O_CLOEXEC), path, &err);
	if (!file)
		fprintf(stderr, "debug_file_of: %s\n", err.text);
	return file;
}

static struct elf_file *find(const struct asked *asked, const struct elf_file *binary)
{
	struct elf_file *debug = debug_files_find(&asked->search, binary, asked->lines);
	struct elf_file *alt;

	if (!asked->alt)
		return debug;
	alt = debug_files_find_alt(&asked->search, debug ? debug : binary);
	elf_file_close(debug);
	return alt;
}

int main(int argc, char **argv)
{
	struct asked asked = { .search.root = "" };
	struct elf_file *binary = NULL, *found;
	int64_t begun_ns;

	if (!read_options(&asked, argc, argv)) {
		fprintf(stderr,
			"usage: debug_file_of [-lans] [-r ROOT] [-f FOLDER] [-b ID] PATH\n");
		return 2;
	}
	if (!asked.build_id && !(binary = open_binary(&asked)))
		return 1;
	begun_ns = time_monotonic_ns();
	found = asked.build_id ? debug_files_find_binary(&asked.search, asked.build_id)
			       : find(&asked, binary);
	printf("%s\n", found ? elf_file_name(found) : "none");
	if (asked.seconds)
		printf("%" PRId64 "\n", (time_monotonic_ns() - begun_ns) / 1000000000);
	elf_file_close(found);
	elf_file_close(binary);
	return 0;
}
