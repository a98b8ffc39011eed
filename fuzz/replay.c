/* SPDX-License-Identifier: MIT */
/*
 * Passes each file of a directory to the fuzz target, as a heap copy of exactly its size, so
 * that a sanitizer sees a read past the end.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

static int replay(const char *path)
{
	FILE *file = fopen(path, "rb");
	struct stat info;
	uint8_t *data;
	size_t size;

	if (!file || fstat(fileno(file), &info) || !S_ISREG(info.st_mode)) {
		if (file)
			fclose(file);
		return 0;
	}
	size = (size_t)info.st_size;
	data = malloc(size ? size : 1);
	if (data && fread(data, 1, size, file) == size)
		LLVMFuzzerTestOneInput(data, size);
	free(data);
	fclose(file);
	return 1;
}

int main(int argc, char **argv)
{
	DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
	int count = 0;

	if (LLVMFuzzerInitialize)
		LLVMFuzzerInitialize(&argc, &argv);
	for (struct dirent *entry; folder && (entry = readdir(folder));) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/%s", argv[1], entry->d_name);
		count += replay(path);
	}
	if (folder)
		closedir(folder);
	fprintf(stderr, "%d files replayed\n", count);
	return count ? 0 : 1;
}
