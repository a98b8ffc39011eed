/* SPDX-License-Identifier: MIT */
/* Commands that change the process; the answer is a status code. */
#include "ipc/client.h"
#include "ipc/request.h"

static int begin(struct pp_client *client, struct exchange *x, struct pp_error *err)
{
	client_begin(client);
	return client_connect(client, x, err);
}

static int finish(struct pp_client *client, struct exchange *x, struct pp_error *err)
{
	const int result = client_command(client, x, err);

	exchange_close(x);
	return result;
}

static int run_bare(struct pp_client *client, enum command_code command, struct pp_error *err)
{
	struct exchange x;

	if (begin(client, &x, err))
		return -1;
	message_begin(&x.request, command);
	return finish(client, &x, err);
}

int pp_client_resume(struct pp_client *client, struct pp_error *err)
{
	return run_bare(client, COMMAND_RESUME, err);
}

int pp_client_disable_perf_map(struct pp_client *client, struct pp_error *err)
{
	return run_bare(client, COMMAND_DISABLE_PERF_MAP, err);
}

int pp_client_enable_perf_map(struct pp_client *client, enum pp_perf_map type, struct pp_error *err)
{
	struct exchange x;

	if (begin(client, &x, err))
		return -1;
	request_enable_perf_map(&x.request, type);
	return finish(client, &x, err);
}

int pp_client_set_variable(struct pp_client *client, const char *name, const char *value,
			   struct pp_error *err)
{
	struct exchange x;

	if (begin(client, &x, err))
		return -1;
	request_set_variable(&x.request, name, value);
	return finish(client, &x, err);
}

int pp_client_apply_startup_hook(struct pp_client *client, const char *assembly_path,
				 struct pp_error *err)
{
	struct exchange x;

	if (begin(client, &x, err))
		return -1;
	request_startup_hook(&x.request, assembly_path);
	return finish(client, &x, err);
}

int pp_client_set_startup_profiler(struct pp_client *client, const struct pp_profiler *profiler,
				   struct pp_error *err)
{
	struct exchange x;

	if (begin(client, &x, err))
		return -1;
	request_startup_profiler(&x.request, profiler);
	return finish(client, &x, err);
}

int pp_client_attach_profiler(struct pp_client *client, const struct pp_profiler_attach *attach,
			      struct pp_error *err)
{
	struct exchange x;

	if (begin(client, &x, err))
		return -1;
	request_attach_profiler(&x.request, attach);
	return finish(client, &x, err);
}

#define DUMP_NEWEST 3

static int try_dump(struct pp_client *client, int command, const struct pp_dump_options *options,
		    struct pp_error *err)
{
	struct exchange x;

	if (client_connect(client, &x, err))
		return -1;
	request_dump(&x.request, command, options);
	return finish(client, &x, err);
}

int pp_client_dump(struct pp_client *client, const struct pp_dump_options *options,
		   struct pp_error *err)
{
	/* the oldest command has one flag, and requests are not dropped silently */
	const int oldest = options->flags & ~(unsigned)PP_DUMP_LOG ? 2 : 1;
	struct pp_error last = { 0 };
	int result = -1;

	client_begin(client);
	for (int command = DUMP_NEWEST; command >= oldest; command--) {
		last = (struct pp_error){ 0 };
		result = try_dump(client, command, options, &last);
		if (!client_too_new(client))
			break;
	}
	return result ? error_set(err, last.code, "%s", last.text) : 0;
}
