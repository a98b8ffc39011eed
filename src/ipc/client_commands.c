/* SPDX-License-Identifier: MIT */
/* Commands that change the process; the answer is a status code. */
#include "ipc/client.h"

#define GUID_SIZE 16u

static int begin(struct pp_client *client, struct exchange *x, enum command_code command,
		 struct pp_error *err)
{
	client_begin(client);
	if (client_connect(client, x, err))
		return -1;
	message_begin(&x->request, command);
	return 0;
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

	return begin(client, &x, command, err) ? -1 : finish(client, &x, err);
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

	if (begin(client, &x, COMMAND_ENABLE_PERF_MAP, err))
		return -1;
	buffer_u32(&x.request, (uint32_t)type);
	return finish(client, &x, err);
}

int pp_client_set_variable(struct pp_client *client, const char *name, const char *value,
			   struct pp_error *err)
{
	struct exchange x;

	if (begin(client, &x, COMMAND_SET_VARIABLE, err))
		return -1;
	message_put_text(&x.request, name);
	message_put_text(&x.request, value);
	return finish(client, &x, err);
}

int pp_client_apply_startup_hook(struct pp_client *client, const char *assembly_path,
				 struct pp_error *err)
{
	struct exchange x;

	if (begin(client, &x, COMMAND_STARTUP_HOOK, err))
		return -1;
	message_put_text(&x.request, assembly_path);
	return finish(client, &x, err);
}

int pp_client_set_startup_profiler(struct pp_client *client, const struct pp_profiler *profiler,
				   struct pp_error *err)
{
	struct exchange x;

	if (begin(client, &x, COMMAND_STARTUP_PROFILER, err))
		return -1;
	buffer_bytes(&x.request, profiler->guid, GUID_SIZE);
	message_put_text(&x.request, profiler->path);
	return finish(client, &x, err);
}

int pp_client_attach_profiler(struct pp_client *client, const struct pp_profiler_attach *attach,
			      struct pp_error *err)
{
	struct exchange x;

	if (begin(client, &x, COMMAND_ATTACH_PROFILER, err))
		return -1;
	buffer_u32(&x.request, attach->seconds);
	buffer_bytes(&x.request, attach->profiler.guid, GUID_SIZE);
	message_put_text(&x.request, attach->profiler.path);
	buffer_u32(&x.request, (uint32_t)attach->client_data_size);
	buffer_bytes(&x.request, attach->client_data, attach->client_data_size);
	return finish(client, &x, err);
}

static int try_dump(struct pp_client *client, enum command_code command,
		    const struct pp_dump_options *options, struct pp_error *err)
{
	const bool oldest = command == COMMAND_DUMP;
	struct exchange x;

	if (client_connect(client, &x, err))
		return -1;
	message_begin(&x.request, command);
	message_put_text(&x.request, options->path);
	buffer_u32(&x.request, (uint32_t)options->type);
	buffer_u32(&x.request, oldest ? options->flags & PP_DUMP_LOG : options->flags);
	return finish(client, &x, err);
}

int pp_client_dump(struct pp_client *client, const struct pp_dump_options *options,
		   struct pp_error *err)
{
	static const enum command_code commands[] = { COMMAND_DUMP3, COMMAND_DUMP2, COMMAND_DUMP };
	/* the oldest command has one flag, and requests are not dropped silently */
	const size_t count = options->flags & ~(unsigned)PP_DUMP_LOG ? 2 : 3;
	struct pp_error last = { 0 };
	int result = -1;

	client_begin(client);
	for (size_t i = 0; i < count; i++) {
		last = (struct pp_error){ 0 };
		result = try_dump(client, commands[i], options, &last);
		if (!client_too_new(client))
			break;
	}
	return result ? error_set(err, last.code, "%s", last.text) : 0;
}
