/* SPDX-License-Identifier: MIT */
#include "symbols/debuginfod.h"

#ifdef HAVE_DEBUGINFOD

#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/time.h"

#define NS_PER_S   INT64_C(1000000000)
#define SILENCE_NS (10 * NS_PER_S)  /* without progress, unless DEBUGINFOD_TIMEOUT is set */
#define WHOLE_NS   (300 * NS_PER_S) /* for one file */
#define PAUSE_NS   (300 * NS_PER_S) /* after a server did not answer */
#define PROGRESS   1024		    /* bytes */

typedef int debuginfod_find(debuginfod_client *client, const unsigned char *build_id, int size,
			    char **path);

static struct {
	debuginfod_client *(*begin)(void);
	void (*end)(debuginfod_client *client);
	void (*set_progress)(debuginfod_client *client, debuginfod_progressfn_t progress);
	void (*set_verbose_fd)(debuginfod_client *client, int fd);
	void (*set_user_data)(debuginfod_client *client, void *data);
	void *(*get_user_data)(debuginfod_client *client);
	debuginfod_find *find[2]; /* by enum debuginfod_kind */
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool loaded;
static _Atomic int64_t paused_until_ns;

static void load(void)
{
	const struct {
		const char *name;
		void *to;
	} functions[] = {
		{ "debuginfod_begin", &library.begin },
		{ "debuginfod_end", &library.end },
		{ "debuginfod_set_progressfn", &library.set_progress },
		{ "debuginfod_set_verbose_fd", &library.set_verbose_fd },
		{ "debuginfod_set_user_data", &library.set_user_data },
		{ "debuginfod_get_user_data", &library.get_user_data },
		{ "debuginfod_find_debuginfo", &library.find[DEBUGINFOD_DEBUG_FILE] },
		{ "debuginfod_find_executable", &library.find[DEBUGINFOD_BINARY] },
	};
	void *handle = dlopen(DEBUGINFOD_SONAME, RTLD_NOW | RTLD_LOCAL);

	loaded = handle;
	for (size_t i = 0; loaded && i < ARRAY_COUNT(functions); i++) {
		void *function = dlsym(handle, functions[i].name);

		memcpy(functions[i].to, &function, sizeof(function));
		loaded = function;
	}
}

struct download {
	int64_t silence_ns;
	int64_t begun_ns, heard_ns;
	long size; /* when it was last heard of */
	bool too_slow;
};

/*
 * Called all the time; anything but 0 ends the download. Before the first byte the size is a count
 * of calls, so only larger steps are progress.
 */
static int check_progress(debuginfod_client *client, long size, long whole)
{
	struct download *download = library.get_user_data(client);
	const int64_t now_ns = time_monotonic_ns();

	(void)whole;
	if (size < download->size || size - download->size >= PROGRESS) {
		download->size = size;
		download->heard_ns = now_ns;
	}
	download->too_slow = now_ns - download->heard_ns > download->silence_ns ||
			     now_ns - download->begun_ns > WHOLE_NS;
	return download->too_slow;
}

static int fetch(const char *build_id, enum debuginfod_kind kind)
{
	const int64_t now_ns = time_monotonic_ns();
	struct download download = {
		.silence_ns = getenv("DEBUGINFOD_TIMEOUT") ? WHOLE_NS : SILENCE_NS,
		.begun_ns = now_ns,
		.heard_ns = now_ns,
	};
	debuginfod_client *client = library.begin();
	int found;

	if (!client)
		return -1;
	library.set_user_data(client, &download);
	library.set_progress(client, check_progress);
	library.set_verbose_fd(client, -1);
	found = library.find[kind](client, (const unsigned char *)build_id, 0, NULL);
	library.end(client);
	/* each further file would wait as long */
	if (download.too_slow || (found < 0 && found != -ENOENT))
		atomic_store(&paused_until_ns, time_monotonic_ns() + PAUSE_NS);
	return found < 0 ? -1 : found;
}

int debuginfod_open(const char *build_id, enum debuginfod_kind kind)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	if (!urls || !*urls || time_monotonic_ns() < atomic_load(&paused_until_ns))
		return -1;
	pthread_once(&once, load);
	return loaded ? fetch(build_id, kind) : -1;
}

#else

int debuginfod_open(const char *build_id, enum debuginfod_kind kind)
{
	(void)build_id;
	(void)kind;
	return -1;
}

#endif
