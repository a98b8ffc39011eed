/* SPDX-License-Identifier: MIT */
/*
 * own_folder.h - a folder that tests run in, and that goes with them.
 *
 *	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
 */
#ifndef OWN_FOLDER_H
#define OWN_FOLDER_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/perfpipe-test-XXXXXX";

static int enter_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? chdir(folder) : -1;
}

static int leave_folder(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return chdir("/") || system(command);
}

#endif
