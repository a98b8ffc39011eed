/* SPDX-License-Identifier: MIT */
/*
 * list_processes - lists the .NET processes of this machine, one per line.
 *
 *	cc list_processes.c $(pkg-config --cflags --libs perfpipe) -o list_processes
 */
#include <perfpipe/processes.h>

#include <stdio.h>

int main(void)
{
	struct pp_error err = { 0 };
	struct pp_processes found;

	if (pp_processes_find(NULL, &found, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	for (size_t i = 0; i < found.count; i++) {
		const struct pp_process *process = &found.items[i];

		printf("%d %s: %s\n", process->pid, process->name,
		       process->traceable ? process->socket : process->reason);
	}
	pp_processes_release(&found);
	return 0;
}
