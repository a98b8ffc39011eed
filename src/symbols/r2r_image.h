/* SPDX-License-Identifier: MIT */
/*
 * r2r_image.h - a .NET assembly with compiled code, a PE file: which R2R map belongs to it.
 *
 * The runtime maps its sections one by one, so that a mapping gives an offset in the file, of which
 * a map knows the RVA.
 *
 *	struct r2r_image image;
 *
 *	if (!r2r_image_read(fd, &image, &err) && r2r_image_has_map(&image, &header) &&
 *	    r2r_image_rva(&image, offset, &rva))
 *		symbol_table_find(&table, rva, &symbol);
 *	r2r_image_release(&image);
 */
#ifndef SYMBOLS_R2R_IMAGE_H
#define SYMBOLS_R2R_IMAGE_H

#include "symbols/r2r_map.h"

struct r2r_section {
	uint32_t offset, size, rva;
};

struct r2r_image {
	char *map_name; /* "System.Linq.ni.r2rmap", to be looked for beside the image */
	uint8_t signature[16];
	uint32_t version;
	struct r2r_section *sections;
	size_t section_count;
};

/* -1 with an error: it is not a PE file, or none that has a map. The descriptor stays open. */
int r2r_image_read(int fd, struct r2r_image *image, struct pp_error *err);
void r2r_image_release(struct r2r_image *image);

/* The map was made with the image. */
bool r2r_image_has_map(const struct r2r_image *image, const struct r2r_map_header *header);

/* False: the offset is in no section. */
bool r2r_image_rva(const struct r2r_image *image, uint64_t offset, uint64_t *rva);

#endif
