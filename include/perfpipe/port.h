/* SPDX-License-Identifier: MIT */
/*
 * port.h - a diagnostic port, to which .NET processes connect.
 *
 * A process that starts with DOTNET_DiagnosticPorts=PATH in its environment connects to the
 * port, waits there before its first managed instruction, and runs once it is resumed; with
 * "PATH,nosuspend" it does not wait. It keeps one connection open at all times and makes a new
 * one for each command.
 *
 *	struct pp_port *port = pp_port_listen("/tmp/app.sock", &err);
 *
 *	while (poll(&(struct pollfd){ pp_port_fd(port), POLLIN, 0 }, 1, -1) > 0) {
 *		struct pp_runtime *runtime;
 *
 *		pp_port_serve(port);
 *		while ((runtime = pp_port_next(port))) {
 *			struct pp_client *client = pp_runtime_client(runtime, &err);
 *
 *			if (client)
 *				pp_client_resume(client, &err);
 *			pp_client_free(client);
 *		}
 *	}
 *	pp_port_close(port);
 *
 * A port may be served by one thread while others use clients of its runtimes, one each.
 */
#ifndef PERFPIPE_PORT_H
#define PERFPIPE_PORT_H

#include "perfpipe/client.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pp_port;
struct pp_runtime;

/*
 * Creates the socket, for this user only. A stale socket is replaced; one in use, or another
 * kind of file, is an error.
 */
PP_API struct pp_port *pp_port_listen(const char *path, struct pp_error *err);
PP_API void pp_port_close(struct pp_port *port); /* removes the socket; accepts NULL */

/* Removes the socket, so that no new process can connect; connected ones stay. Accepts NULL. */
PP_API void pp_port_hide(struct pp_port *port);

/* To poll for reading; pp_port_serve() then has work to do. */
PP_API int pp_port_fd(const struct pp_port *port);

/*
 * Accepts new connections and notices closed ones; does not block. A connection for which there is
 * no memory is closed, and its runtime makes a new one.
 */
PP_API void pp_port_serve(struct pp_port *port);

/* A runtime that has connected and was not yet returned, or NULL. Lives as long as the port. */
PP_API struct pp_runtime *pp_port_next(struct pp_port *port);

/* A GUID of 16 bytes, new for each runtime. */
PP_API const uint8_t *pp_runtime_cookie(const struct pp_runtime *runtime);

/* In our pid namespace, as in /proc; 0 if it is not visible there. */
PP_API int pp_runtime_process_id(const struct pp_runtime *runtime);

/* In its own pid namespace. */
PP_API uint64_t pp_runtime_own_process_id(const struct pp_runtime *runtime);

/* A client for the runtime, to be freed before the port is closed; NULL if memory is gone. */
PP_API struct pp_client *pp_runtime_client(struct pp_runtime *runtime, struct pp_error *err);

/* Whether a connection is open; false once it has ended, and for a moment during each command. */
PP_API bool pp_runtime_is_ready(const struct pp_runtime *runtime);

#ifdef __cplusplus
}
#endif

#endif
