/* SPDX-License-Identifier: MIT */
/*
 * zip_directory.h - the directory at the end of a zip archive.
 *
 *	struct zip_names traces = { 0 };
 *
 *	zip_directory_traces(raw, &traces);
 */
#ifndef INPUT_ZIP_DIRECTORY_H
#define INPUT_ZIP_DIRECTORY_H

#include "input/raw_file.h"
#include "input/zip_names.h"

/*
 * Adds the files that are traces by their names. None of a pipe, and none if the directory cannot
 * be read, which is no loss: the archive is read without it.
 */
void zip_directory_traces(const struct raw_file *raw, struct zip_names *traces);

#endif
