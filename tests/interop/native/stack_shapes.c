/* SPDX-License-Identifier: MIT */
/*
 * stack_shapes WHICH - uses CPU time in one shape of stack, of those at the end, until it is ended.
 */
#include <alloca.h>
#include <ctype.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define NEVER_INLINE __attribute__((noinline, noclone))

static volatile uint64_t spent;

static NEVER_INLINE void spend(unsigned amount)
{
	for (unsigned i = 0; i < amount; i++)
		spent += i;
}

/* Handlers that take longer than it takes until the next signal. */
static NEVER_INLINE void handle(int number)
{
	spend(2000);
	(void)number;
}

static NEVER_INLINE void signalled(int flags)
{
	static char other[65536];
	const stack_t stack = { .ss_sp = other, .ss_size = sizeof(other) };
	struct sigaction action = { .sa_handler = handle, .sa_flags = flags };

	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	for (;;) {
		spend(500);
		raise(SIGUSR1);
	}
}

static void signals(void)
{
	signalled(0);
}

static void alternate_stack(void)
{
	signalled(SA_ONSTACK);
}

/* Interrupted anywhere, also between the instructions that make a frame. */
static void timers(void)
{
	struct sigaction action = { .sa_handler = handle };
	const struct itimerval often = { { 0, 100 }, { 0, 100 } };

	sigaction(SIGPROF, &action, NULL);
	setitimer(ITIMER_PROF, &often, NULL);
	for (;;)
		spend(50);
}

static NEVER_INLINE uint64_t recurse(unsigned depth)
{
	spent += depth;
	return depth ? recurse(depth - 1) * 3 + spent : spent;
}

static void recursion(void)
{
	for (;;)
		recurse(300);
}

static NEVER_INLINE void with_alloca(size_t size)
{
	char *bytes = alloca(size);

	memset(bytes, (int)spent, size);
	spend(20);
	spent += (uint64_t)bytes[size / 2];
}

static void allocas(void)
{
	for (size_t size = 1;; size = size % 2000 + 1)
		with_alloca(size);
}

/* The stack is realigned, and the arguments are found through another register. */
static NEVER_INLINE void with_alignment(size_t size, int a, int b, int c)
{
	char lines[128] __attribute__((aligned(64)));
	char *bytes = alloca(size);

	memset(lines, a + b + c, sizeof(lines));
	memset(bytes, lines[5], size);
	spend(20);
	spent += (uint64_t)lines[7] + (uint64_t)bytes[0];
}

static void aligned(void)
{
	for (size_t size = 1;; size = size % 500 + 1)
		with_alignment(size, 1, 2, (int)size);
}

/* Small functions of libc, called through the PLT. */
static void plt(void)
{
	for (;;) {
		spent += (uint64_t)abs((int)spent);
		spent += (uint64_t)labs((long)spent);
		spent += (uint64_t)ffs((int)spent);
		spent += (uint64_t)toupper((int)(spent % 128));
	}
}

static void vdso(void)
{
	struct timespec now;
	struct timeval then;

	for (;;) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		gettimeofday(&then, NULL);
		spent += (uint64_t)now.tv_nsec + (uint64_t)then.tv_usec;
	}
}

static int ends[2];

static void *write_bytes(void *unused)
{
	for (;;)
		if (write(ends[1], "x", 1) != 1)
			return unused;
}

static void *call_kernel(void *unused)
{
	for (;;)
		spent += (uint64_t)syscall(SYS_getppid);
	return unused;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *take_lock(void *unused)
{
	for (;;) {
		pthread_mutex_lock(&lock);
		spend(10);
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static void syscalls(void)
{
	static void *(*const work[])(void *) = { write_bytes, call_kernel, take_lock, take_lock };
	pthread_t thread;
	char byte;

	if (pipe(ends))
		exit(1);
	for (unsigned i = 0; i < sizeof(work) / sizeof(work[0]); i++)
		pthread_create(&thread, NULL, work[i], NULL);
	while (read(ends[0], &byte, 1) == 1)
		spent++;
}

static int compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Calls back from libc. */
static void callbacks(void)
{
	uint64_t numbers[256];

	for (uint64_t round = 0;; round++) {
		for (unsigned i = 0; i < 256; i++)
			numbers[i] = (round + i) * UINT64_C(6364136223846793005) % 1000;
		qsort(numbers, 256, sizeof(numbers[0]), compare);
		spent += numbers[0];
	}
}

static const struct {
	const char *name;
	void (*run)(void);
} shapes[] = {
	{ "signal", signals },	  { "altstack", alternate_stack },
	{ "timer", timers },	  { "recursion", recursion },
	{ "alloca", allocas },	  { "aligned", aligned },
	{ "plt", plt },		  { "vdso", vdso },
	{ "syscalls", syscalls }, { "callbacks", callbacks },
};

int main(int argc, char **argv)
{
	for (unsigned i = 0; argc > 1 && i < sizeof(shapes) / sizeof(shapes[0]); i++)
		if (!strcmp(shapes[i].name, argv[1]))
			shapes[i].run();
	return 2;
}
