/* SPDX-License-Identifier: MIT */
/* Connects to an abstract socket of packets again and again, and asks to stop: flood NAME */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const char *name = argc > 1 ? argv[1] : "";
	const socklen_t size =
		(socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
	unsigned long count = 0;

	snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "%s", name);
	for (;;) {
		const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0);

		if (fd >= 0 && !connect(fd, (struct sockaddr *)&address, size)) {
			send(fd, "stop all", 8, MSG_NOSIGNAL);
			if (!(++count % 1000)) {
				printf("%lu\n", count);
				fflush(stdout);
			}
		}
		close(fd);
	}
}
