/* SPDX-License-Identifier: MIT */
/*
 * The whole program, in this process: words, one per line, up to the first NUL, then a file. FILE
 * among the words is that file, and COLUMNS=N in front of them the width of the terminal; ALL runs
 * every line below. Any of this must give an exit code, messages in valid and harmless UTF-8, and
 * output that is UTF-8 unless the format is binary, and JSON where that was asked for.
 *
 * Only commands that read a file, and no options that write one or look at processes.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../tests/unit/format_readers.h"
#include "base/array.h"
#include "base/buffer.h"
#include "base/text.h"
#include "base/unicode.h"
#include "cli/program.h"

#define MOST_WORDS 24
#define ALL	   "ALL"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

static const char *const commands[] = {
	"info", "report", "events", "convert", "diff", "schema", "help", "completion",
};

static const char *const binary[] = { "pprof", "otlp", "perfetto", "perfview", "nettrace" };

static const char *const lines[] = {
	"info\n-v\nFILE",
	"info\n--json\nFILE",
	"COLUMNS=40\nreport\nFILE",
	"report\n--json\nFILE",
	"report\nFILE\n--format\nhtml",
	"report\n--markdown\nFILE",
	"report\n--csv\nFILE",
	"COLUMNS=60\nreport\nFILE\ncpu",
	"COLUMNS=60\nreport\nFILE\ncpu\n--tree",
	"report\n--json\nFILE\ncpu\n--group\njust-my-code",
	"report\nFILE\ncpu\n--callers\nMain",
	"report\nFILE\ncpu\n--by\nmodule\n--csv",
	"COLUMNS=50\nreport\nFILE\ntopN\n--inclusive",
	"report\nFILE\ntopN\n--wall",
	"COLUMNS=70\nreport\nFILE\nthreadtime",
	"report\n--json\nFILE\nthreadtime\n--from\n0.5\n--to\n2",
	"COLUMNS=80\nreport\nFILE\ngc",
	"report\n--json\nFILE\ngc",
	"report\nFILE\ngc\n--format\nhtml",
	"report\nFILE\nalloc",
	"report\n--json\nFILE\nalloc",
	"report\nFILE\nexceptions",
	"report\n--json\nFILE\nexceptions",
	"report\nFILE\ncontention",
	"report\n--json\nFILE\ncontention",
	"report\nFILE\nthreadpool",
	"report\n--json\nFILE\nthreadpool",
	"report\nFILE\njit",
	"report\n--json\nFILE\njit",
	"report\nFILE\nloader",
	"report\n--json\nFILE\nloader",
	"report\nFILE\nrequests",
	"report\n--json\nFILE\nrequests",
	"report\nFILE\ncounters",
	"report\n--json\nFILE\ncounters",
	"report\n--csv\nFILE\ncounters",
	"report\nFILE\ntasks",
	"report\n--json\nFILE\ntasks",
	"report\nFILE\neventstats",
	"report\nFILE\nthreads",
	"report\n--json\nFILE\nthreads",
	"report\nFILE\nprocesses",
	"report\nFILE\nmodules",
	"events\nFILE\n--stacks",
	"events\n--json\nFILE",
	"events\nFILE\n--format\ncsv",
	"events\nFILE\n--where\nCount > 5 && Type contains a",
	"events\nFILE\n--from\n1\n--to\n2\n--fields\nCount,Type\n--format\ncsv",
	"convert\nFILE\n-f\nspeedscope",
	"convert\nFILE\n-f\nchromium",
	"convert\nFILE\n-f\npprof",
	"convert\nFILE\n-f\notlp",
	"convert\nFILE\n-f\notlp\n--json",
	"convert\nFILE\n-f\nfirefox",
	"convert\nFILE\n-f\nperfetto",
	"convert\nFILE\n-f\nhtml",
	"convert\nFILE\n-f\nfolded",
	"convert\nFILE\n-f\nfolded\n--flamegraph",
	"convert\nFILE\n-f\nperf-script",
	"convert\nFILE\n-f\nperfview",
	"convert\nFILE\n-f\nnettrace\n--anonymize",
	"convert\nFILE\n-f\ntext",
	"convert\nFILE\n-f\njsonl",
	"convert\nFILE\n-f\ncsv",
	"convert\nFILE\n-f\nspeedscope\n--view\nalloc",
	"convert\nFILE\n-f\nfolded\n--view\ncontention",
	"convert\nFILE\n-f\nfolded\n--view\nexceptions",
	"convert\nFILE\n-f\nchromium\n--from\n1\n--to\n9",
	"diff\nFILE\nFILE",
	"diff\n--json\nFILE\nFILE\ngc",
	"diff\nFILE\nFILE\ncpu\n--csv",
	"diff\nFILE\nFILE\nalloc\n--markdown\n--totals",
	"diff\nFILE\nFILE\ngc\n--fail-if\ngc.pause_total_ns > +1%\n--strict",
	"schema",
	"schema\nreport/gc",
	"help\nreport",
	"completion\nbash",
};

struct run {
	char *words[MOST_WORDS + 4];
	int count;
	char path[32]; /* of the file */
	char *messages;
	size_t messages_size;
};

static bool is_among(const char *word, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(word, list[i]))
			return true;
	return false;
}

/* Paths but that of the file, options -o and -p also in a cluster, and their long forms. */
static bool is_refused(const char *word)
{
	if (word[0] == '-' && word[1] != '-' && strpbrk(word, "op"))
		return true;
	return strchr(word, '/') || !strncmp(word, "--output", 8) ||
	       !strncmp(word, "--process-", 10);
}

static void add(struct run *run, char *word)
{
	if (run->count < MOST_WORDS)
		run->words[run->count++] = word;
}

/* "convert" would write a file next to the trace. */
static void add_word(struct run *run, char *word)
{
	if (!strcmp(word, "FILE"))
		add(run, run->path);
	else if (!is_refused(word))
		add(run, word);
	if (run->count == 2 && !strcmp(run->words[1], "convert")) {
		add(run, "-o");
		add(run, "-");
	}
}

static void split(struct run *run, char *text)
{
	char *word;

	unsetenv("COLUMNS");
	if (!strncmp(text, "COLUMNS=", 8)) {
		word = strsep(&text, "\n");
		setenv("COLUMNS", word + 8, 1);
	}
	add(run, "perfpipe");
	while ((word = strsep(&text, "\n")))
		add_word(run, word);
	run->words[run->count] = NULL;
}

static bool has_word(const struct run *run, const char *word)
{
	return is_among(word, (const char *const *)run->words, (size_t)run->count);
}

static bool is_binary(const struct run *run)
{
	for (size_t i = 0; i < ARRAY_COUNT(binary); i++)
		for (int w = 0; w < run->count; w++)
			if (strstr(run->words[w], binary[i]))
				return true;
	return false;
}

/* Nothing but lines of safe text, and the line of progress that is wiped. */
static void check_messages(const struct run *run)
{
	const char *at = run->messages;
	const char *end = at + run->messages_size;

	if (!text_is_utf8(at, run->messages_size))
		abort();
	while (at < end) {
		const uint32_t code = utf8_decode(&at, end);

		if (code != '\n' && code != '\t' && text_is_hostile(code))
			abort();
	}
}

static void check_output(const struct run *run, const char *text, size_t size)
{
	const bool many = has_word(run, "events");
	const bool json = has_word(run, "--json") && !has_word(run, "convert");

	if (is_binary(run))
		return;
	if (!text_is_utf8(text, size))
		abort();
	/* a document is a line once its line breaks are blanks: strings have none */
	if (size && json && text[0] == '{') {
		char *flat = malloc(size);

		for (size_t i = 0; i < size; i++)
			flat[i] = text[i] == '\n' && !many && i + 1 < size ? ' ' : text[i];
		if (read_jsonl(flat, size, NULL, NULL))
			abort();
		free(flat);
	}
}

static void check(const struct run *run, int code)
{
	struct stat status;
	char *text;

	if (code < 0 || code > 6 || fstat(STDOUT_FILENO, &status))
		abort();
	check_messages(run);
	text = malloc((size_t)status.st_size + 1);
	if (pread(STDOUT_FILENO, text, (size_t)status.st_size, 0) != status.st_size)
		abort();
	check_output(run, text, (size_t)status.st_size);
	free(text);
}

/* Data goes into memory; sanitizers write to the descriptor of standard error itself. */
static int call(struct run *run)
{
	char *words[ARRAY_COUNT(run->words)]; /* which the program reorders */
	FILE *usual = stderr;
	int code;

	if (ftruncate(STDOUT_FILENO, 0) || lseek(STDOUT_FILENO, 0, SEEK_SET))
		abort();
	memcpy(words, run->words, sizeof(words));
	stderr = open_memstream(&run->messages, &run->messages_size);
	code = (int)program_run(run->count, words);
	fclose(stderr);
	stderr = usual;
	return code;
}

static int memory_file(const uint8_t *data, size_t size)
{
	const int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	return fd;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const int nothing = open("/dev/null", O_RDONLY);

	(void)argc;
	(void)argv;
	if (dup2(memory_file(NULL, 0), STDOUT_FILENO) < 0 || dup2(nothing, STDIN_FILENO) < 0)
		abort();
	return 0;
}

static void run_line(const char *line, int file)
{
	char *text = strdup(line);
	struct run run = { 0 };

	snprintf(run.path, sizeof(run.path), "/proc/self/fd/%d", file);
	split(&run, text);
	if (run.count < 2 || is_among(run.words[1], commands, ARRAY_COUNT(commands)))
		check(&run, call(&run));
	free(run.messages);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = size ? memchr(data, 0, size) : NULL;
	const size_t words = end ? (size_t)(end - data) : size;
	const size_t rest = end ? size - words - 1 : 0;
	char *line = strndup((const char *)data, words);
	const int file = memory_file(data + size - rest, rest);

	if (strcmp(line, ALL) != 0)
		run_line(line, file);
	for (size_t i = 0; i < ARRAY_COUNT(lines) && !strcmp(line, ALL); i++)
		run_line(lines[i], file);
	close(file);
	free(line);
	return 0;
}

/* Numbers at which sums and products of times overflow. */
static const uint64_t extremes[] = {
	0,
	1,
	7,
	UINT64_MAX,
	INT64_MAX,
	UINT64_C(1) << 63,
	UINT64_C(1) << 62,
	UINT64_MAX - 1,
	INT64_MAX - 1,
	1000000000,
	UINT64_C(9223372036854775),
	UINT64_C(0x7FEFFFFFFFFFFFFF), /* the largest double */
	UINT64_C(0x7FF0000000000000), /* infinity */
	UINT64_C(0x7FF8000000000000), /* not a number */
	UINT64_C(0x43E0000000000000), /* 2^63 */
};

/* Keeps words and file apart: another line, a number in the file, or anything in either. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	const uint8_t *end = size ? memchr(data, 0, size) : NULL;
	const size_t words = end ? (size_t)(end - data) + 1 : 0;

	srand(seed);
	if (!end || rand() % 16 == 0)
		return LLVMFuzzerMutate(data, size, most);
	if (rand() % 3 == 0 || !strcmp((const char *)data, ALL)) { /* which takes long */
		const char *line = lines[(size_t)rand() % ARRAY_COUNT(lines)];
		const size_t length = strlen(line) + 1;
		const size_t rest = size - words;

		if (length + rest > most)
			return size;
		memmove(data + length, data + words, rest);
		memcpy(data, line, length);
		return length + rest;
	}
	if (rand() % 3 == 0 && size - words >= 8) {
		const size_t at = words + (size_t)rand() % (size - words - 7);

		memcpy(data + at, &extremes[(size_t)rand() % ARRAY_COUNT(extremes)], 8);
		return size;
	}
	return words + LLVMFuzzerMutate(data + words, size - words, most - words);
}
