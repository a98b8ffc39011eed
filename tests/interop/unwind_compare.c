/* SPDX-License-Identifier: MIT */
/*
 * unwind_compare FILE [--json] [--peer-most N] [--show N] - unwinds the samples of unwind_tuples
 * with our unwinder and with libdw's, and prints how many stacks are equal, how the others differ,
 * why ours end, and how long a frame takes. Exits with 1 if a difference has no explanation.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "tuples/comparison.h"

struct options {
	const char *path;
	bool json;
	size_t peer_most, show;
};

static int read_options(struct options *options, int argc, char **argv)
{
	static const struct option known[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "peer-most", required_argument, NULL, 'p' },
		{ "show", required_argument, NULL, 's' },
		{ 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (option == 'j')
			options->json = true;
		else if (option == 'p')
			options->peer_most = strtoul(optarg, NULL, 10);
		else if (option == 's')
			options->show = strtoul(optarg, NULL, 10);
		else
			return 2;
	}
	options->path = argv[optind];
	return options->path ? 0 : 2;
}

static double per_frame(int64_t ns, size_t frames)
{
	return frames ? (double)ns / (double)frames : 0;
}

static void print_text(const struct comparison *c)
{
	const double ours = per_frame(c->ours_ns, c->ours_frames);
	const double theirs = per_frame(c->peer_ns, c->peer_frames);

	printf("%zu tuples, %zu frames, %zu compared with libdw's\n", c->tuples, c->frames,
	       c->compared);
	printf("equal: %zu, explained: %zu, unexplained: %zu\n", c->equal, c->explained,
	       c->compared - c->equal - c->explained);
	for (size_t i = 0; i < c->difference_count; i++) {
		const struct stack_difference *d = &c->differences[i];

		printf("  %6zu %s from %s in %s (%s): %s\n", d->count, difference_text(d->kind),
		       d->function, d->module, d->step,
		       d->explanation ? d->explanation : "UNEXPLAINED");
	}
	for (unsigned i = 0; i < UNWIND_REASONS; i++)
		if (c->reasons[i])
			printf("ends: %6zu %s\n", c->reasons[i],
			       unwind_reason_text((enum unwind_reason)i));
	printf("frames by rule %zu, frame pointer %zu, leaf %zu, guess %zu\n", c->by[UNWOUND_RULE],
	       c->by[UNWOUND_FRAME_POINTER], c->by[UNWOUND_LEAF], c->by[UNWOUND_GUESS]);
	printf("ns per frame: %.1f, libdw %.1f, %.1fx\n", ours, theirs,
	       ours > 0 ? theirs / ours : 0);
	printf("tables: %zu bytes for %zu of code (%.1f %%)\n", c->table_size, c->text_size,
	       c->text_size ? 100.0 * (double)c->table_size / (double)c->text_size : 0);
}

static void put_double(struct json *json, const char *key, double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.2f", value);
	json_begin_value(json, key);
	buffer_text(json->out, text);
}

static void put_differences(struct json *json, const struct comparison *c)
{
	json_open_array(json, "differences");
	for (size_t i = 0; i < c->difference_count; i++) {
		const struct stack_difference *d = &c->differences[i];

		json_open_object(json, NULL);
		json_put_text(json, "kind", difference_text(d->kind));
		json_put_text(json, "module", d->module);
		json_put_text(json, "function", d->function);
		json_put_text(json, "step", d->step);
		json_put_text(json, "explanation", d->explanation);
		json_put_u64(json, "count", d->count);
		json_close(json);
	}
	json_close(json);
}

static void print_json(const struct comparison *c)
{
	const double ours = per_frame(c->ours_ns, c->ours_frames);
	const double theirs = per_frame(c->peer_ns, c->peer_frames);
	struct buffer out = { 0 };
	struct json json = { .out = &out };

	json_open_object(&json, NULL);
	json_put_u64(&json, "tuples", c->tuples);
	json_put_u64(&json, "frames", c->frames);
	json_put_u64(&json, "compared", c->compared);
	json_put_u64(&json, "equal", c->equal);
	json_put_u64(&json, "explained", c->explained);
	put_differences(&json, c);
	json_open_object(&json, "ends");
	for (unsigned i = 0; i < UNWIND_REASONS; i++)
		json_put_u64(&json, unwind_reason_text((enum unwind_reason)i), c->reasons[i]);
	json_close(&json);
	put_double(&json, "ns_per_frame", ours);
	put_double(&json, "libdw_ns_per_frame", theirs);
	put_double(&json, "ratio", ours > 0 ? theirs / ours : 0);
	json_put_u64(&json, "table_bytes", c->table_size);
	json_put_u64(&json, "text_bytes", c->text_size);
	json_close(&json);
	fwrite(out.bytes, 1, out.size, stdout);
	buffer_release(&out);
}

int main(int argc, char **argv)
{
	struct options options = { .peer_most = SIZE_MAX };
	struct pp_error err = { 0 };
	struct comparison c = { 0 };
	struct tuple_file *file;
	bool has_unexplained;

	if (read_options(&options, argc, argv)) {
		fprintf(stderr, "unwind_compare FILE [--json] [--peer-most N] [--show N]\n");
		return 2;
	}
	file = tuple_file_open(options.path, &err);
	if (!file) {
		fprintf(stderr, "unwind_compare: %s\n", err.text);
		return 2;
	}
	c.peer_most = options.peer_most;
	c.show = options.show;
	comparison_run(&c, file);
	if (options.json)
		print_json(&c);
	else
		print_text(&c);
	has_unexplained = c.equal + c.explained < c.compared;
	comparison_release(&c);
	tuple_file_close(file);
	return has_unexplained ? 1 : 0;
}
