/* SPDX-License-Identifier: MIT */
/* Commands that ask the process about itself. */
#include <stdlib.h>

#include "base/alloc.h"
#include "ipc/answers.h"
#include "ipc/client.h"

/* A result, with the memory of its texts. */
struct kept {
	union {
		struct pp_process_info info;
		struct pp_environment environment;
	}; /* first, since the caller has its address */
	struct arena arena;
};

struct inquiry {
	struct pp_client *client;
	struct kept *kept;
};

static void free_kept(void *result)
{
	struct kept *kept = result;

	if (kept)
		arena_release(&kept->arena);
	xfree(kept);
}

static int ask_info(struct pp_client *client, struct exchange *x, int command, struct kept *kept,
		    struct pp_error *err)
{
	struct cursor payload;

	process_info_request(&x->request, command);
	if (client_ask(client, x, err))
		return -1;
	payload = exchange_payload(x);
	if (!process_info_parse(&payload, command, &kept->arena, &kept->info))
		return 0;
	error_set(err, PP_ERROR_FORMAT, "the description of the process contradicts the protocol");
	return client_fail(client, PP_FAILURE_MALFORMED);
}

static int try_info(struct pp_client *client, int command, struct kept *kept, struct pp_error *err)
{
	struct exchange *x = client_connect(client, err);
	int result;

	if (!x)
		return -1;
	result = ask_info(client, x, command, kept, err);
	exchange_free(x);
	return result;
}

static int find_info(void *context, struct pp_error *err)
{
	struct inquiry *asked = context;
	struct pp_error last = { 0 };

	asked->kept = xcalloc(1, sizeof(*asked->kept));
	for (int command = PROCESS_INFO_NEWEST; command >= PROCESS_INFO_OLDEST; command--) {
		last = (struct pp_error){ 0 };
		if (!try_info(asked->client, command, asked->kept, &last))
			return 0;
		if (!client_too_new(asked->client))
			break;
	}
	return error_set(err, last.code, "%s", last.text);
}

struct pp_process_info *pp_client_process_info(struct pp_client *client, struct pp_error *err)
{
	struct inquiry asked = { .client = client };

	return client_run(client, find_info, &asked, err) ? NULL : &asked.kept->info;
}

void pp_process_info_free(struct pp_process_info *info)
{
	free_kept(info);
}

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

static int read_environment(struct inquiry *asked, struct exchange *x, struct pp_error *err)
{
	struct kept *kept = asked->kept;
	struct buffer block = { 0 };
	struct cursor c;
	int result = ask_environment(asked->client, x, &block, err);

	c = cursor_over(block.bytes, block.size);
	if (result == 0 && environment_parse(&c, &kept->arena, &kept->environment, err))
		result = client_fail(asked->client, PP_FAILURE_MALFORMED);
	buffer_release(&block);
	return result;
}

static int find_environment(void *context, struct pp_error *err)
{
	struct inquiry *asked = context;
	struct exchange *x = client_connect(asked->client, err);
	int result;

	if (!x)
		return -1;
	asked->kept = xcalloc(1, sizeof(*asked->kept));
	result = read_environment(asked, x, err);
	exchange_free(x);
	return result;
}

struct pp_environment *pp_client_environment(struct pp_client *client, struct pp_error *err)
{
	struct inquiry asked = { .client = client };

	return client_run(client, find_environment, &asked, err) ? NULL : &asked.kept->environment;
}

void pp_environment_free(struct pp_environment *environment)
{
	free_kept(environment);
}
