/* SPDX-License-Identifier: MIT */
#include "places.h"

#include <stdio.h>
#include <stdlib.h>

const char *place_of(const char *variable, const char *otherwise, const char *name)
{
	static char path[4096];
	const char *folder = getenv(variable);
	const char *source = getenv("SOURCE");

	if (folder)
		snprintf(path, sizeof(path), "%s/%s", folder, name);
	else
		snprintf(path, sizeof(path), "%s/%s/%s", source ? source : ".", otherwise, name);
	return path;
}

const char *place_of_data(const char *name)
{
	return place_of("DATA", "tests/data", name);
}
