/* SPDX-License-Identifier: MIT */
#include "base/temp_file.h"

#include <fcntl.h>
#include <stdlib.h>

#include "base/array.h"

/* /tmp may be a tmpfs, so /var/tmp comes first. */
int temp_file_open(void)
{
	const char *const directories[] = { getenv("TMPDIR"), "/var/tmp", "/tmp" };
	int fd = -1;

	for (size_t i = 0; i < ARRAY_COUNT(directories) && fd < 0; i++)
		if (directories[i])
			fd = open(directories[i], O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	return fd;
}
