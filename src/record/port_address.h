/* SPDX-License-Identifier: MIT */
/*
 * port_address.h - what --diagnostic-port takes: where, and who connects to whom.
 *
 *	ADDRESS[,connect|,listen]	listen unless it says connect
 *
 * An address is a path, or one of uds:PATH, uds://HOST/PATH and file:///PATH, whose
 * host means nothing. Named pipes are Windows'.
 */
#ifndef RECORD_PORT_ADDRESS_H
#define RECORD_PORT_ADDRESS_H

#include <stdbool.h>

#include "perfpipe/error.h"

struct port_address {
	bool connect; /* we connect to a runtime that listens there */
	char path[4096];
};

/* Relative paths become absolute, since those who connect may be elsewhere. */
int port_address_parse(struct port_address *address, const char *text, struct pp_error *err);

#endif
