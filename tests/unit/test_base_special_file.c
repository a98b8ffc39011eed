/* SPDX-License-Identifier: MIT */
#include "base/special_file.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/partial_file.h"
#include "own_folder.h"

static void open_and_write(struct partial_file *file, const char *text)
{
	struct pp_error err = { 0 };

	file->what = "conversion";
	if (partial_file_open(file, &err))
		fail_msg("%s", err.text);
	assert_null(file->partial);
	output_write(&file->output, text, strlen(text));
}

static void commit(struct partial_file *file)
{
	struct pp_error err = { 0 };

	assert_int_equal(partial_file_commit(file, &err), 0);
	assert_string_equal(partial_file_found(file), file->path);
	partial_file_close(file);
}

static void expect_refused(struct partial_file file, const char *sentence)
{
	struct pp_error err = { 0 };

	file.what = "conversion";
	assert_int_equal(partial_file_open(&file, &err), -1);
	assert_string_equal(err.text, sentence);
	partial_file_close(&file);
}

static void expect_bytes(int fd, const char *text)
{
	char bytes[64] = "";

	assert_int_equal(read(fd, bytes, sizeof(bytes) - 1), strlen(text));
	assert_string_equal(bytes, text);
}

static void knows_names_of_descriptors(void **state)
{
	(void)state;
	assert_int_equal(special_file_descriptor("-"), 1);
	assert_int_equal(special_file_descriptor("/dev/stdout"), 1);
	assert_int_equal(special_file_descriptor("/dev/stderr"), 2);
	assert_int_equal(special_file_descriptor("/dev/fd/63"), 63);
	assert_int_equal(special_file_descriptor("/proc/self/fd/4"), 4);
	assert_int_equal(special_file_descriptor("/dev/fd/"), -1);
	assert_int_equal(special_file_descriptor("/dev/fd/-1"), -1);
	assert_int_equal(special_file_descriptor("/dev/fd/1x"), -1);
	assert_int_equal(special_file_descriptor("/dev/fd/99999999999"), -1);
	assert_int_equal(special_file_descriptor("/dev/null"), -1);
	assert_int_equal(special_file_descriptor("stdout"), -1);
}

static void writes_to_a_device_directly(void **state)
{
	struct partial_file file = { .path = "/dev/full" };
	struct pp_error err = { 0 };

	(void)state;
	open_and_write(&file, "much");
	assert_int_equal(partial_file_commit(&file, &err), -1);
	assert_string_equal(err.text, "cannot write /dev/full: No space left on device");
	partial_file_close(&file);
}

/* As for a process substitution. */
static void writes_to_an_open_pipe(void **state)
{
	struct partial_file file = { 0 };
	char path[32];
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	snprintf(path, sizeof(path), "/dev/fd/%d", ends[1]);
	file.path = path;
	open_and_write(&file, "through");
	commit(&file);
	expect_bytes(ends[0], "through");
	assert_int_equal(write(ends[1], "x", 1), 1); /* it is still the caller's */
	close(ends[0]);
	close(ends[1]);
}

static void explains_a_descriptor_that_is_not_open(void **state)
{
	(void)state;
	expect_refused((struct partial_file){ .path = "/dev/fd/987" },
		       "cannot write /dev/fd/987: Bad file descriptor");
}

/* `events a >> a`, by a descriptor. */
static void does_not_append_to_its_input(void **state)
{
	static const char *const inputs[] = { "trace" };
	const int fd = open("trace", O_WRONLY | O_CREAT | O_APPEND, 0600);
	char path[32], sentence[64];

	(void)state;
	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	snprintf(sentence, sizeof(sentence), "%s is the trace itself", path);
	expect_refused((struct partial_file){ .path = path, .inputs = inputs, .input_count = 1 },
		       sentence);
	close(fd);
}

static void *read_later(void *path)
{
	static char bytes[64];
	int fd;

	usleep(100000);
	fd = open(path, O_RDONLY);
	if (read(fd, bytes, sizeof(bytes) - 1) < 0)
		return NULL;
	close(fd);
	return bytes;
}

static void waits_for_the_reader_of_a_named_pipe(void **state)
{
	struct partial_file file = { .path = "pipe" };
	pthread_t reader;
	void *bytes;

	(void)state;
	assert_int_equal(mkfifo("pipe", 0600), 0);
	assert_int_equal(pthread_create(&reader, NULL, read_later, (void *)"pipe"), 0);
	open_and_write(&file, "at last");
	commit(&file);
	pthread_join(reader, &bytes);
	assert_string_equal(bytes, "at last");
}

static void gives_up_waiting_for_a_reader(void **state)
{
	struct partial_file file = { .path = "unread", .give_up_fd = eventfd(1, EFD_CLOEXEC) };

	(void)state;
	assert_int_equal(mkfifo("unread", 0600), 0);
	expect_refused(file, "cannot write unread: no program reads from it");
	close(file.give_up_fd);
}

static void follows_a_link_of_ours_to_a_device(void **state)
{
	struct partial_file file = { .path = "to_null" };

	(void)state;
	assert_int_equal(symlink("/dev/null", "to_null"), 0);
	open_and_write(&file, "x");
	commit(&file);
}

/* They may have been put where we want a file. */
static void refuses_pipes_and_links_of_another_user(void **state)
{
	struct partial_file forced = { .path = "their_link", .replace.force = true };
	struct pp_error err = { 0 };
	struct stat status;

	(void)state;
	if (geteuid())
		skip();
	assert_int_equal(mkfifo("theirs", 0666), 0);
	assert_int_equal(chown("theirs", 65534, 65534), 0);
	expect_refused((struct partial_file){ .path = "theirs" },
		       "theirs is a named pipe of another user; choose another name");
	expect_refused((struct partial_file){ .path = "theirs", .replace.force = true },
		       "theirs is a named pipe of another user; choose another name");
	assert_int_equal(symlink("/dev/null", "their_link"), 0);
	assert_int_equal(lchown("their_link", 65534, 65534), 0);
	expect_refused((struct partial_file){ .path = "their_link" },
		       "their_link already exists; choose another name");
	forced.what = "conversion";
	assert_int_equal(partial_file_open(&forced, &err), 0);
	assert_int_equal(partial_file_commit(&forced, &err), 0);
	partial_file_close(&forced);
	assert_int_equal(lstat("their_link", &status), 0);
	assert_true(S_ISREG(status.st_mode));
}

static void refuses_a_socket(void **state)
{
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	const struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "socket" };

	(void)state;
	assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
	expect_refused((struct partial_file){ .path = "socket", .replace.force = true },
		       "socket is a block device or a socket; name a file");
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_names_of_descriptors),
		cmocka_unit_test(writes_to_a_device_directly),
		cmocka_unit_test(writes_to_an_open_pipe),
		cmocka_unit_test(explains_a_descriptor_that_is_not_open),
		cmocka_unit_test(does_not_append_to_its_input),
		cmocka_unit_test(waits_for_the_reader_of_a_named_pipe),
		cmocka_unit_test(gives_up_waiting_for_a_reader),
		cmocka_unit_test(follows_a_link_of_ours_to_a_device),
		cmocka_unit_test(refuses_pipes_and_links_of_another_user),
		cmocka_unit_test(refuses_a_socket),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
