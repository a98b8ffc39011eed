/* SPDX-License-Identifier: MIT */
/*
 * manifest_file.h - what writing and reading a manifest share.
 */
#ifndef RECORD_MANIFEST_FILE_H
#define RECORD_MANIFEST_FILE_H

#include <stdint.h>

#include "base/error.h"
#include "base/sha256.h"

/* To be freed. */
char *manifest_path(const char *artifact);

struct file_sum {
	uint64_t size;
	char sha256[SHA256_TEXT_SIZE];
};

int file_sum(const char *path, struct file_sum *sum, struct pp_error *err);

#endif
