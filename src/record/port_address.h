/* SPDX-License-Identifier: MIT */
/*
 * port_address.h - the address of a diagnostic port, and who connects to whom.
 *
 *	ADDRESS[,connect|,listen]	listen is the default
 *
 * An address is a path, or one of uds:PATH, uds://HOST/PATH and file:///PATH, where the host is
 * ignored. Named pipes exist on Windows only.
 */
#ifndef RECORD_PORT_ADDRESS_H
#define RECORD_PORT_ADDRESS_H

#include <stdbool.h>

#include "perfpipe/error.h"

struct port_address {
	bool connect; /* we connect to a runtime that listens there */
	char path[4096];
};

/* Relative paths become absolute, since who connects may be in another directory. */
int port_address_parse(struct port_address *address, const char *text, struct pp_error *err);

#endif
