/* SPDX-License-Identifier: MIT */
#include "record/manifest_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define SUFFIX ".manifest.json"
#define PIECE  ((size_t)256 * 1024)

char *manifest_path(const char *artifact)
{
	const size_t size = strlen(artifact) + sizeof(SUFFIX);
	char *path = xcalloc(1, size);

	snprintf(path, size, "%s" SUFFIX, artifact);
	return path;
}

int file_sum(const char *path, struct file_sum *sum, struct pp_error *err)
{
	struct sha256 adding = sha256_start();
	FILE *file = fopen(path, "rbe");
	char *bytes;
	size_t got;

	if (!file)
		return error_errno(err, "cannot open %s", path);
	bytes = xcalloc(1, PIECE);
	sum->size = 0;
	while ((got = fread(bytes, 1, PIECE, file)) > 0) {
		sha256_add(&adding, bytes, got);
		sum->size += got;
	}
	if (ferror(file))
		error_errno(err, "cannot read %s", path);
	free(bytes);
	fclose(file);
	sha256_text(&adding, sum->sha256);
	return err->code ? -1 : 0;
}
