/* SPDX-License-Identifier: MIT */
/*
 * Somebody who listens where another program is expected.
 *
 *	listener PATH [ANSWER...]	a stream socket
 *	listener @NAME [ANSWER...]	an abstract socket of packets
 *
 * Prints "ready", and "got SIZE" for everything received. Sends the answers to each that connects,
 * and never closes a connection.
 */
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define MOST 1000

static int listen_at(const char *place)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const int fd = socket(AF_UNIX, *place == '@' ? SOCK_SEQPACKET : SOCK_STREAM, 0);
	const size_t length = strlen(place);

	if (length >= sizeof(address.sun_path))
		return -1;
	memcpy(address.sun_path, place, length);
	if (*place == '@')
		*address.sun_path = 0;
	if (fd < 0 || bind(fd, (struct sockaddr *)&address,
			   (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length)))
		return -1;
	return listen(fd, 8) ? -1 : fd;
}

static void greet(int fd, char **answers)
{
	for (; fd >= 0 && *answers; answers++)
		send(fd, *answers, strlen(*answers), MSG_NOSIGNAL);
}

static void hear(struct pollfd *from)
{
	char bytes[4096];
	const ssize_t got = recv(from->fd, bytes, sizeof(bytes), MSG_DONTWAIT);

	if (got > 0)
		printf("got %zd\n", got);
	else
		from->fd = -1;
}

int main(int argc, char **argv)
{
	static struct pollfd fds[MOST];
	nfds_t count = 1;

	fds[0] = (struct pollfd){ argc > 1 ? listen_at(argv[1]) : -1, POLLIN, 0 };
	if (fds[0].fd < 0) {
		perror("cannot listen");
		return 1;
	}
	setlinebuf(stdout);
	puts("ready");
	while (poll(fds, count, -1) >= 0) {
		for (nfds_t i = 1; i < count; i++)
			if (fds[i].revents)
				hear(&fds[i]);
		if (fds[0].revents && count < MOST) {
			fds[count] = (struct pollfd){ accept(fds[0].fd, NULL, NULL), POLLIN, 0 };
			greet(fds[count++].fd, argv + 2);
		}
	}
	return 1;
}
