/* SPDX-License-Identifier: MIT */
#include "base/temporary.h"

#include <fcntl.h>
#include <stdlib.h>

/* /tmp may be memory, and /var/tmp is not. */
int temporary_file(void)
{
	const char *const folders[] = { getenv("TMPDIR"), "/var/tmp", "/tmp" };
	int fd = -1;

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]) && fd < 0; i++)
		if (folders[i])
			fd = open(folders[i], O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	return fd;
}
