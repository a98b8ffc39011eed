/* SPDX-License-Identifier: MIT */
/*
 * process_maps.h - what a running process has mapped, and how to get at the very file.
 *
 * Paths are those that the process sees, with a newline as \012, and as hostile as the process.
 */
#ifndef SYMBOLS_PROCESS_MAPS_H
#define SYMBOLS_PROCESS_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfpipe/error.h"
#include "symbols/build_id.h"

struct process_mapping {
	uint64_t start, end, file_offset;
	uint64_t file_start,
		file_end; /* the mapping that has the file: this one, unless `remapped` */
	uint64_t inode;
	uint32_t device_major, device_minor;
	const char *path; /* "" for anonymous memory; "[vdso]"; without " (deleted)" */
	bool executable;
	bool deleted;  /* or replaced: the path is another file now, or none */
	bool memory;   /* a memfd, /dev/zero, shared memory: no file anywhere */
	bool remapped; /* code of the file that was copied to anonymous memory, for huge pages */
};

struct process_maps {
	int64_t pid;
	int64_t task; /* a thread that has not ended: /proc/TASK is that of the process */
	struct process_mapping *list; /* by address */
	size_t count, capacity;
	char *text;
	size_t size; /* of the text */
};

/* Reads /proc/PID/maps. Large text that was remapped to anonymous huge pages stays part of its
 * file. */
int process_maps_read(struct process_maps *maps, int64_t pid, struct pp_error *err);
void process_maps_release(struct process_maps *maps);

/* The same from text as the kernel writes it, which is copied. */
void process_maps_parse(struct process_maps *maps, const char *text, size_t size);

/* NULL: nothing is mapped there. */
const struct process_mapping *process_maps_find(const struct process_maps *maps, uint64_t address);

/*
 * A descriptor of the file that is mapped: by /proc/PID/map_files where that is allowed, else below
 * /proc/PID/root, if device and inode are those of the mapping. -1 with an error.
 */
int process_mapping_open(const struct process_maps *maps, const struct process_mapping *mapping,
			 struct pp_error *err);

/* The file that has its path now, whichever that is: compare build ids. -1 with an error. */
int process_mapping_open_path(const struct process_maps *maps,
			      const struct process_mapping *mapping, struct pp_error *err);

/* The path is still that of the file. */
bool process_mapping_has_path(const struct process_maps *maps,
			      const struct process_mapping *mapping);

bool process_mapping_same_file(const struct process_mapping *a, const struct process_mapping *b);

/* Bytes of the process's memory; false if they cannot be read. */
bool process_maps_peek(const struct process_maps *maps, uint64_t address, void *to, size_t size);

/*
 * The build id in the memory of the process, of the file that is mapped there. False if it has none
 * or must not be read.
 */
bool process_mapping_build_id(const struct process_maps *maps,
			      const struct process_mapping *mapping,
			      char build_id[static BUILD_ID_SIZE]);

#endif
