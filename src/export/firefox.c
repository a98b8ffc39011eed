/* SPDX-License-Identifier: MIT */
/*
 * The Firefox Profiler's processed format, https://profiler.firefox.com, in version 66: the site
 * takes it and all later ones read it.
 *
 * Stacks and texts are common to all threads and come after them. A sample weighs as much as in our
 * reports: the time it stands for, or bytes.
 */
#include "export/firefox.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/decimal.h"

void firefox_put_ms(struct buffer *out, int64_t ns)
{
	if (ns % 1000000 == 0) {
		buffer_signed(out, ns / 1000000);
		return;
	}
	output_put_fixed(out, ns, 1000000);
	while (!out->failed && out->bytes[out->size - 1] == '0')
		out->size--;
}

void firefox_put_columns(struct firefox *f, const struct firefox_column *column,
			 bool (*next)(struct firefox *f), size_t length)
{
	struct buffer *out = f->json.out;

	f->length = length;
	for (; column->key; column++) {
		json_begin_value(&f->json, column->key);
		buffer_u8(out, '[');
		for (f->row = 0; next(f); f->row++) {
			output_buffer_flush(f->out);
			if (f->row)
				buffer_u8(out, ',');
			if (column->put)
				column->put(f);
			else
				buffer_text(out, column->constant);
		}
		buffer_u8(out, ']');
	}
	json_put_u64(&f->json, "length", length);
}

void firefox_put_empty(struct firefox *f, const char *key)
{
	json_open_array(&f->json, key);
	json_close(&f->json);
}

void firefox_put_empty_table(struct firefox *f, const char *key, const char *const *column)
{
	json_open_object(&f->json, key);
	for (; *column; column++)
		firefox_put_empty(f, *column);
	json_put_u64(&f->json, "length", 0);
	json_close(&f->json);
}

/* A thread that has only spans has empty columns. */
static bool next_sample(struct firefox *f)
{
	if (!f->track->thread)
		return false;
	if (!f->row)
		f->samples = export_walk_of(f->source, f->track->thread);
	f->sample_before = f->sample;
	return export_walk_next(&f->samples, &f->sample);
}

static void put_stack(struct firefox *f)
{
	const uint32_t node =
		stack_table_node(&f->all, f->track->thread->part, f->sample.stack, f->sample.leaf);

	if (node)
		buffer_decimal(f->json.out, node - 1);
	else
		buffer_bytes(f->json.out, "null", 4);
}

static void put_time_delta(struct firefox *f)
{
	firefox_put_ms(f->json.out, f->sample.time_ns - (f->row ? f->sample_before.time_ns : 0));
}

static void put_weight(struct firefox *f)
{
	if (f->source->view->unit == EXPORT_NANOSECONDS)
		firefox_put_ms(f->json.out, (int64_t)(f->sample.weight & INT64_MAX));
	else
		buffer_decimal(f->json.out, f->sample.weight);
}

/* On-CPU nanoseconds since the sample before: the time of that one, up to this one. */
static void put_cpu_delta(struct firefox *f)
{
	const struct export_sample *before = &f->sample_before;
	const uint64_t gap = (uint64_t)(f->sample.time_ns - before->time_ns);
	const bool ran = before->kind == SAMPLE_MANAGED || before->kind == SAMPLE_CPU ||
			 before->kind == SAMPLE_MARK;

	buffer_decimal(f->json.out, !f->row || !ran	   ? 0
				    : before->weight < gap ? before->weight
							   : gap);
}

static const struct firefox_column sample_columns[] = {
	{ "stack", .put = put_stack },
	{ "timeDeltas", .put = put_time_delta },
	{ "weight", .put = put_weight },
	{ "threadCPUDelta", .put = put_cpu_delta },
	{ 0 },
};

static void put_samples(struct firefox *f)
{
	static const char *const types[] = {
		[EXPORT_NANOSECONDS] = "tracing-ms",
		[EXPORT_BYTES] = "bytes",
		[EXPORT_COUNT] = "samples",
	};

	json_open_object(&f->json, "samples");
	json_put_text(&f->json, "weightType", types[f->source->view->unit]);
	firefox_put_columns(f, sample_columns, next_sample,
			    f->track->thread ? f->track->thread->count : 0);
	json_close(&f->json);
}

/* The same process in two traces is two processes. */
static void put_process_id(struct firefox *f, uint32_t number)
{
	const struct export_process *processes = f->source->processes;
	unsigned before = 0;

	for (uint32_t i = 0; i < number; i++)
		before += processes[i].id == processes[number].id;
	json_begin_value(&f->json, "pid");
	buffer_u8(f->json.out, '"');
	buffer_signed(f->json.out, processes[number].id);
	if (before) {
		buffer_u8(f->json.out, '.');
		buffer_decimal(f->json.out, before);
	}
	buffer_u8(f->json.out, '"');
}

static void put_thread_name(struct firefox *f, const struct track *track, bool is_main)
{
	char text[DECIMAL_ROOM + 8] = "Thread ";

	if (track->name && *track->name) {
		json_put_text(&f->json, "name", track->name);
		return;
	}
	*decimal_put_signed((uint8_t *)text + 7, track->id) = 0;
	json_put_text(&f->json, "name", is_main ? "Main Thread" : text);
}

static void put_thread(struct firefox *f, const struct track *track)
{
	const struct export_process *process = &f->source->processes[track->process];
	const bool is_main = f->tracks.main[track->process] == (size_t)(track - f->tracks.list);
	struct json *json = &f->json;

	json_open_object(json, NULL);
	put_thread_name(f, track, is_main);
	json_put_bool(json, "isMainThread", is_main);
	put_process_id(f, track->process);
	json_put_i64(json, "tid", track->id);
	json_put_text(json, "processName", process->name ? process->name : "");
	json_put_text(json, "processType", "default");
	json_put_u64(json, "processStartupTime", 0);
	json_put_null(json, "processShutdownTime");
	json_put_u64(json, "registerTime", 0);
	json_put_null(json, "unregisterTime");
	json_put_bool(json, "showMarkersInTimeline", true);
	firefox_put_empty(f, "pausedRanges");
	f->track = track;
	put_samples(f);
	firefox_put_markers(f);
	json_close(json);
}

static bool next_point(struct firefox *f)
{
	const struct export_point *point;

	if (!f->row)
		f->points = (struct point_reader){ .source = f->source, .counter = f->counter };
	f->point_before = f->row ? f->point : (struct export_point){ 0 };
	point = point_next(&f->points);
	if (point)
		f->point = *point;
	else
		reel_reader_release(&f->points.reel);
	return point;
}

static void put_time_change(struct firefox *f)
{
	firefox_put_ms(f->json.out, f->point.time_ns - f->point_before.time_ns);
}

/* The viewer adds them up. */
static void put_value_change(struct firefox *f)
{
	const double change = f->point.value - f->point_before.value;

	buffer_real(f->json.out, isfinite(change) ? change : 0, false); /* JSON has no other */
}

static const struct firefox_column point_columns[] = {
	{ "timeDeltas", .put = put_time_change },
	{ "count", .put = put_value_change },
	{ 0 },
};

static void put_points(struct firefox *f, const struct export_counter *counter)
{
	f->counter = counter;
	json_open_object(&f->json, "samples");
	firefox_put_columns(f, point_columns, next_point, counter->count);
	json_close(&f->json);
}

static void put_display(struct firefox *f, const struct export_counter *counter)
{
	const bool bytes = !strcmp(counter->unit, "bytes") || !strcmp(counter->unit, "By");
	struct json *json = &f->json;

	json_open_object(json, "display");
	json_put_text(json, "graphType", "line-accumulated");
	json_put_text(json, "unit", bytes ? "bytes" : counter->unit);
	json_put_text(json, "color", bytes ? "orange" : "blue");
	json_put_null(json, "markerSchemaLocation");
	json_put_u64(json, "sortWeight", 50);
	json_put_text(json, "label", counter->name);
	json_open_array(json, "tooltipRows");
	json_open_object(json, NULL);
	json_put_text(json, "type", "value");
	json_put_text(json, "source", "accumulated");
	json_open_object(json, "format");
	json_put_text(json, "unit", bytes ? "bytes" : "number");
	json_close(json);
	json_put_text(json, "label", counter->name);
	json_close(json);
	json_close(json);
	json_close(json);
}

static void put_counter(struct firefox *f, const struct export_counter *counter)
{
	struct json *json = &f->json;

	json_open_object(json, NULL);
	json_put_text(json, "name", counter->name);
	json_put_text(json, "category", ".NET");
	json_put_text(json, "description", counter->unit);
	put_process_id(f, counter->process);
	json_put_u64(json, "mainThreadIndex", f->tracks.main[counter->process]);
	put_points(f, counter);
	put_display(f, counter);
	json_close(json);
}

static void put_all(struct firefox *f)
{
	struct json *json = &f->json;

	json_open_object(json, NULL);
	firefox_put_meta(f);
	json_open_array(json, "threads");
	for (size_t i = 0; i < f->tracks.count; i++) {
		put_thread(f, &f->tracks.list[i]);
		output_buffer_progress(f->out, i + 1, f->tracks.count);
	}
	json_close(json);
	json_open_array(json, "counters");
	for (size_t i = 0; i < f->source->counter_count; i++)
		put_counter(f, &f->source->counters[i]);
	json_close(json);
	firefox_put_shared(f);
	firefox_put_libraries(f);
	firefox_put_empty(f, "pages");
	firefox_put_empty(f, "profilerOverhead");
	json_close(json);
}

static void write_output(struct export_source *source, struct output_buffer *out)
{
	struct firefox f = { .source = source, .out = out, .json = { .out = &out->bytes } };

	tracks_init(&f.tracks, source);
	stack_table_init(&f.all, source);
	string_table_init(&f.strings);
	string_table_init(&f.modules);
	string_table_init(&f.sources);
	f.module_frames = xcalloc(source->frame_count + 2, sizeof(*f.module_frames));
	put_all(&f);
	xfree(f.module_frames);
	string_table_release(&f.sources);
	string_table_release(&f.modules);
	string_table_release(&f.strings);
	stack_table_release(&f.all);
	tracks_release(&f.tracks);
}

const struct export_format export_firefox = {
	.name = "firefox",
	.extensions = { ".firefox.json" },
	.summary = "for profiler.firefox.com: samples, markers, counters",
	.opens = "at https://profiler.firefox.com",
	.many = true,
	.spans = true,
	.details = true,
	.write = write_output,
};
