/* SPDX-License-Identifier: MIT */
/*
 * .NET writes the address of a socket as its family, its size, and the bytes after the family: a
 * big-endian port, then four bytes of IPv4, or four of a flow label and sixteen of IPv6.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/requests_table.h"
#include "base/decimal.h"

#define MOST 26 /* bytes of an IPv6 address, without the family */

static size_t read_bytes(const char *at, uint8_t bytes[static MOST])
{
	size_t count = 0;

	while (count < MOST) {
		char *end;
		const long number = strtol(at, &end, 10);

		if (end == at || number < 0 || number > UINT8_MAX)
			return 0;
		bytes[count++] = (uint8_t)number;
		if (*end != ',')
			break;
		at = end + 1;
	}
	return count;
}

/* An IPv4 address that is mapped into IPv6 is shown as IPv4. */
static const char *host_text(const uint8_t *bytes, bool six, char text[static INET6_ADDRSTRLEN])
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

	if (!six)
		return inet_ntop(AF_INET, bytes + 2, text, INET6_ADDRSTRLEN);
	if (!memcmp(bytes + 6, mapped, sizeof(mapped)))
		return inet_ntop(AF_INET, bytes + 6 + sizeof(mapped), text, INET6_ADDRSTRLEN);
	return inet_ntop(AF_INET6, bytes + 6, text, INET6_ADDRSTRLEN);
}

void socket_address_text(const char *text, struct buffer *out)
{
	const bool six = !strncmp(text, "InterNetworkV6:", strlen("InterNetworkV6:"));
	const bool four = !strncmp(text, "InterNetwork:", strlen("InterNetwork:"));
	const char *brace = strchr(text, '{');
	char host[INET6_ADDRSTRLEN] = "";
	uint8_t bytes[MOST] = { 0 };

	if ((!six && !four) || !brace || read_bytes(brace + 1, bytes) < (six ? 22 : 6) ||
	    !host_text(bytes, six, host)) {
		buffer_text(out, text);
		return;
	}
	if (strchr(host, ':'))
		buffer_u8(out, '[');
	buffer_text(out, host);
	if (strchr(host, ':'))
		buffer_u8(out, ']');
	buffer_u8(out, ':');
	buffer_decimal(out, (uint64_t)bytes[0] << 8 | bytes[1]);
}
