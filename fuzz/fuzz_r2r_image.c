/* SPDX-License-Identifier: MIT */
/* The input is a PE file: the name of its map leads nowhere else, and offsets into its sections. */
#include <string.h>

#include "input_file.h"
#include "symbols/r2r_image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct r2r_image image;
	struct pp_error err = { 0 };
	uint64_t rva;

	if (r2r_image_read(input_file(data, size), &image, &err)) {
		check(err.text[0] && !image.map_name && !image.sections);
		return 0;
	}
	check(*image.map_name && !strpbrk(image.map_name, "/\\"));
	for (uint64_t offset = 0; offset < size; offset += 8)
		if (r2r_image_rva(&image, offset, &rva))
			check(rva < UINT64_C(2) << 32);
	r2r_image_release(&image);
	return 0;
}
