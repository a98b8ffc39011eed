/* SPDX-License-Identifier: MIT */
/* Commands that ask the process about itself. */
#include <stdlib.h>

#include "base/alloc.h"
#include "ipc/client.h"
#include "ipc/environment.h"
#include "ipc/process_info.h"

/* The result, and the memory of its texts. */
struct kept_info {
	struct pp_process_info info; /* first, since the caller has its address */
	struct arena arena;
};

static int try_info(struct pp_client *client, int command, struct kept_info *kept,
		    struct pp_error *err)
{
	struct exchange x;
	struct cursor payload;
	int result;

	if (client_connect(client, &x, err))
		return -1;
	process_info_request(&x.request, command);
	result = client_ask(client, &x, err);
	if (result == 0) {
		payload = exchange_payload(&x);
		result = process_info_parse(&payload, command, &kept->arena, &kept->info);
		if (result) {
			error_set(err, PP_ERROR_FORMAT,
				  "the description of the process contradicts the protocol");
			client_fail(client, PP_FAILURE_MALFORMED);
		}
	}
	exchange_close(&x);
	return result;
}

struct pp_process_info *pp_client_process_info(struct pp_client *client, struct pp_error *err)
{
	struct kept_info *kept = xcalloc(1, sizeof(*kept));
	struct pp_error last = { 0 };
	int result = -1;

	client_begin(client);
	for (int command = PROCESS_INFO_NEWEST; command >= PROCESS_INFO_OLDEST; command--) {
		last = (struct pp_error){ 0 };
		result = try_info(client, command, kept, &last);
		if (!client_too_new(client))
			break;
	}
	if (result == 0)
		return &kept->info;
	error_set(err, last.code, "%s", last.text);
	pp_process_info_free(&kept->info);
	return NULL;
}

void pp_process_info_free(struct pp_process_info *info)
{
	struct kept_info *kept = (struct kept_info *)info;

	if (kept)
		arena_release(&kept->arena);
	free(kept);
}

struct kept_environment {
	struct pp_environment environment; /* first, as above */
	struct arena arena;
};

static int ask_environment(struct pp_client *client, struct exchange *x, struct buffer *block,
			   struct pp_error *err)
{
	struct cursor payload;
	uint32_t size;

	message_begin(&x->request, COMMAND_ENVIRONMENT);
	if (client_ask(client, x, err))
		return -1;
	payload = exchange_payload(x);
	if (environment_parse_size(&payload, &size, err))
		return client_fail(client, PP_FAILURE_MALFORMED);
	return client_read_more(client, x, block, size, err);
}

static int read_environment(struct pp_client *client, struct kept_environment *kept,
			    struct pp_error *err)
{
	struct buffer block = { 0 };
	struct cursor c;
	struct exchange x;
	int result;

	client_begin(client);
	if (client_connect(client, &x, err))
		return -1;
	result = ask_environment(client, &x, &block, err);
	c = cursor_over(block.bytes, block.size);
	if (result == 0 && environment_parse(&c, &kept->arena, &kept->environment, err))
		result = client_fail(client, PP_FAILURE_MALFORMED);
	exchange_close(&x);
	buffer_release(&block);
	return result;
}

struct pp_environment *pp_client_environment(struct pp_client *client, struct pp_error *err)
{
	struct kept_environment *kept = xcalloc(1, sizeof(*kept));

	if (read_environment(client, kept, err) == 0)
		return &kept->environment;
	pp_environment_free(&kept->environment);
	return NULL;
}

void pp_environment_free(struct pp_environment *environment)
{
	struct kept_environment *kept = (struct kept_environment *)environment;

	if (kept)
		arena_release(&kept->arena);
	free(kept);
}
