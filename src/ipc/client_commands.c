/* SPDX-License-Identifier: MIT */
/* Commands that change the process; the answer is a status code. */
#include "base/options.h"
#include "ipc/client.h"

#define GUID_SIZE 16u

/* What follows the header of its request; NULL: nothing. */
typedef void put_function(struct buffer *request, const void *arguments);

struct plain_command {
	struct pp_client *client;
	enum command_code code;
	put_function *put;
	const void *arguments;
};

static int run(const struct plain_command *command, struct pp_error *err)
{
	struct exchange *x = client_connect(command->client, err);
	int result;

	if (!x)
		return -1;
	message_begin(&x->request, command->code);
	if (command->put)
		command->put(&x->request, command->arguments);
	result = client_command(command->client, x, err);
	exchange_free(x);
	return result;
}

static int run_guarded(void *context, struct pp_error *err)
{
	return run(context, err);
}

static int run_command(struct pp_client *client, enum command_code code, put_function *put,
		       const void *arguments, struct pp_error *err)
{
	struct plain_command command = { client, code, put, arguments };

	return client_run(client, run_guarded, &command, err);
}

int pp_client_resume(struct pp_client *client, struct pp_error *err)
{
	return run_command(client, COMMAND_RESUME, NULL, NULL, err);
}

int pp_client_disable_perf_map(struct pp_client *client, struct pp_error *err)
{
	return run_command(client, COMMAND_DISABLE_PERF_MAP, NULL, NULL, err);
}

static void put_perf_map(struct buffer *request, const void *arguments)
{
	const enum pp_perf_map *type = arguments;

	buffer_u32(request, (uint32_t)*type);
}

int pp_client_enable_perf_map(struct pp_client *client, enum pp_perf_map type, struct pp_error *err)
{
	return run_command(client, COMMAND_ENABLE_PERF_MAP, put_perf_map, &type, err);
}

/* Two texts. */
static void put_variable(struct buffer *request, const void *arguments)
{
	const char *const *name_and_value = arguments;

	message_put_text(request, name_and_value[0]);
	message_put_text(request, name_and_value[1]);
}

int pp_client_set_variable(struct pp_client *client, const char *name, const char *value,
			   struct pp_error *err)
{
	const char *const name_and_value[] = { name, value };

	return run_command(client, COMMAND_SET_VARIABLE, put_variable, name_and_value, err);
}

static void put_path(struct buffer *request, const void *arguments)
{
	message_put_text(request, arguments);
}

int pp_client_apply_startup_hook(struct pp_client *client, const char *assembly_path,
				 struct pp_error *err)
{
	return run_command(client, COMMAND_STARTUP_HOOK, put_path, assembly_path, err);
}

static int check_profiler(struct pp_client *client, const struct pp_profiler *profiler,
			  struct pp_error *err)
{
	if (profiler->guid)
		return 0;
	error_set(err, PP_ERROR_USAGE, "a profiler has no GUID");
	return client_fail(client, PP_FAILURE_REQUEST);
}

static void put_profiler(struct buffer *request, const void *arguments)
{
	const struct pp_profiler *profiler = arguments;

	buffer_bytes(request, profiler->guid, GUID_SIZE);
	message_put_text(request, profiler->path);
}

int pp_client_set_startup_profiler(struct pp_client *client, const struct pp_profiler *profiler,
				   struct pp_error *err)
{
	client_begin(client);
	if (check_profiler(client, profiler, err))
		return -1;
	return run_command(client, COMMAND_STARTUP_PROFILER, put_profiler, profiler, err);
}

static void put_attach(struct buffer *request, const void *arguments)
{
	const struct pp_profiler_attach *attach = arguments;

	buffer_u32(request, attach->seconds);
	put_profiler(request, &attach->profiler);
	buffer_u32(request, (uint32_t)attach->client_data_size);
	buffer_bytes(request, attach->client_data, attach->client_data_size);
}

int pp_client_attach_profiler(struct pp_client *client, const struct pp_profiler_attach *attach,
			      struct pp_error *err)
{
	struct pp_profiler_attach known;

	client_begin(client);
	if (OPTIONS_READ(&known, attach, err))
		return client_fail(client, PP_FAILURE_REQUEST);
	if (check_profiler(client, &known.profiler, err))
		return -1;
	return run_command(client, COMMAND_ATTACH_PROFILER, put_attach, &known, err);
}

static void put_dump(struct buffer *request, const void *arguments)
{
	const struct pp_dump_options *options = arguments;

	message_put_text(request, options->path);
	buffer_u32(request, (uint32_t)options->type);
	buffer_u32(request, options->flags);
}

/* The oldest command has one flag, and requests are not dropped silently. */
static int dump(void *context, struct pp_error *err)
{
	static const enum command_code codes[] = { COMMAND_DUMP3, COMMAND_DUMP2, COMMAND_DUMP };
	struct plain_command *command = context;
	const struct pp_dump_options *options = command->arguments;
	const size_t count = options->flags & ~(unsigned)PP_DUMP_LOG ? 2 : 3;
	struct pp_error last = { 0 };
	int result = -1;

	for (size_t i = 0; i < count; i++) {
		last = (struct pp_error){ 0 };
		command->code = codes[i];
		result = run(command, &last);
		if (!client_too_new(command->client))
			break;
	}
	return result ? error_set(err, last.code, "%s", last.text) : 0;
}

int pp_client_dump(struct pp_client *client, const struct pp_dump_options *options,
		   struct pp_error *err)
{
	struct pp_dump_options known;
	struct plain_command command = { .client = client, .put = put_dump, .arguments = &known };

	client_begin(client);
	if (OPTIONS_READ(&known, options, err))
		return client_fail(client, PP_FAILURE_REQUEST);
	return client_run(client, dump, &command, err);
}
