/* SPDX-License-Identifier: MIT */
/*
 * port.h - a place where .NET processes connect to us.
 *
 * A process that starts with DOTNET_DiagnosticPorts=PATH in its environment
 * connects to the port, waits there before its first managed instruction, and
 * goes on once it is resumed; with "PATH,nosuspend" it does not wait. It keeps
 * one connection ready at any time and makes a new one for each command.
 *
 *	struct pp_port *port = pp_port_listen("/tmp/app.sock", &err);
 *
 *	while (poll(&(struct pollfd){ pp_port_fd(port), POLLIN, 0 }, 1, -1) > 0) {
 *		struct pp_runtime *runtime;
 *
 *		pp_port_serve(port);
 *		while ((runtime = pp_port_next(port))) {
 *			struct pp_client *client = pp_runtime_client(runtime);
 *
 *			pp_client_resume(client, &err);
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
 * Makes the socket, for this user alone. One that nobody listens at any more is
 * replaced; one in use, or a file of another kind, is an error.
 */
PP_API struct pp_port *pp_port_listen(const char *path, struct pp_error *err);
PP_API void pp_port_close(struct pp_port *port); /* removes the socket; takes NULL */

/* Removes the socket, so that nobody new can come; who is there stays. Takes NULL. */
PP_API void pp_port_hide(struct pp_port *port);

/* To poll for reading: pp_port_serve() then has something to do. */
PP_API int pp_port_fd(const struct pp_port *port);

/* Takes in who has come and sees who has gone; does not wait. */
PP_API void pp_port_serve(struct pp_port *port);

/* A runtime that has come and was not handed out yet, or NULL. Lives as long as the port. */
PP_API struct pp_runtime *pp_port_next(struct pp_port *port);

/* A GUID of 16 bytes, made anew by each runtime. */
PP_API const uint8_t *pp_runtime_cookie(const struct pp_runtime *runtime);

/* As we see it, so that /proc has it; 0 if it is out of our sight, in another pid namespace. */
PP_API int pp_runtime_process_id(const struct pp_runtime *runtime);

/* As it sees itself. */
PP_API uint64_t pp_runtime_own_process_id(const struct pp_runtime *runtime);

/* A client for it, to be freed before the port is closed. */
PP_API struct pp_client *pp_runtime_client(struct pp_runtime *runtime);

/* It keeps a connection ready; false from when it ends, and for a moment in each command. */
PP_API bool pp_runtime_is_ready(const struct pp_runtime *runtime);

#ifdef __cplusplus
}
#endif

#endif
