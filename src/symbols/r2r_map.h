/* SPDX-License-Identifier: MIT */
/*
 * r2r_map.h - NAME.ni.r2rmap: the functions of a ReadyToRun image, as crossgen2 writes them.
 *
 *	00001B70 5E instance void [app] Program::Main(string[])
 *
 * Like a perf map, but by RVA; what identifies the image has RVAs at the end of the range.
 */
#ifndef SYMBOLS_R2R_MAP_H
#define SYMBOLS_R2R_MAP_H

#include "symbols/map_totals.h"
#include "symbols/symbol_table.h"

struct r2r_map_header {
	uint8_t signature[16]; /* of the image's debug directory, where it has the same bytes */
	bool has_signature;
	uint32_t version; /* of the format; 0: not there, as are the next */
	uint32_t os;	  /* 1 Windows, 2 Linux, 3 macOS, 4 FreeBSD, 5 NetBSD, 6 SunOS */
	uint32_t machine; /* 1 ARM, 2 ARM64, 3 x64, 4 x86, 5 RISC-V, 6 LoongArch */
	uint32_t abi;	  /* 1 default, 2 armel */
};

/* Reads the descriptor from where it is, and leaves it open. */
int r2r_map_read(int fd, struct r2r_map_header *header, struct symbol_list *list,
		 struct map_totals *totals, struct pp_error *err);

#endif
