/* SPDX-License-Identifier: MIT */
/*
 * A page that needs nothing else: what the trace is, a flame graph, and tables. It loads nothing
 * and may load nothing, so that it can be mailed and opened anywhere.
 */
#include "export/html.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/decimal.h"

extern const char export_html_js[];

static const char head[] =
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	"style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
	"<style>body{margin:16px;font:14px sans-serif;color:#222}"
	"h1{font-size:20px}h2{font-size:16px;margin-top:24px}"
	"table{border-collapse:collapse}td,th{padding:2px 10px;text-align:left;"
	"border-bottom:1px solid #e4e4e4;vertical-align:top}"
	"table.data th{cursor:pointer;background:#f4f4f4;position:sticky;top:0}"
	"td[data-v]{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}"
	"td{overflow-wrap:anywhere}#flames [data-do]{display:none}</style>\n";

void html_put(struct output_buffer *out, const char *text)
{
	buffer_text(&out->bytes, text);
}

void html_open_table(struct output_buffer *out, const struct html_table *table)
{
	html_put(out, "<h2>");
	html_put(out, table->title);
	html_put(out, "</h2>\n<p><input type=\"search\" size=\"40\" data-for=\"");
	html_put(out, table->id);
	html_put(out,
		 "\" placeholder=\"Only rows with these words\"></p>\n<table class=\"data\" id=\"");
	html_put(out, table->id);
	html_put(out, "\"><thead><tr>");
	for (size_t i = 0; i < HTML_COLUMNS && table->columns[i]; i++) {
		html_put(out, "<th>");
		html_put(out, table->columns[i]);
		html_put(out, "</th>");
	}
	html_put(out, "</tr></thead>\n<tbody>\n");
}

void html_close_table(struct output_buffer *out, size_t left_out)
{
	html_put(out, "</tbody></table>\n");
	if (!left_out)
		return;
	html_put(out, "<p>");
	buffer_decimal(&out->bytes, left_out);
	html_put(out, " more are not shown.</p>\n");
}

void html_open_row(struct output_buffer *out)
{
	html_put(out, "<tr>");
}

void html_close_row(struct output_buffer *out)
{
	html_put(out, "</tr>\n");
	output_buffer_flush(out);
}

void html_cell_text(struct output_buffer *out, const char *text)
{
	html_put(out, "<td>");
	flames_put_text(&out->bytes, text ? text : "");
	html_put(out, "</td>");
}

static void open_number(struct output_buffer *out, int64_t number)
{
	html_put(out, "<td data-v=\"");
	buffer_signed(&out->bytes, number);
	html_put(out, "\">");
}

void html_cell_count(struct output_buffer *out, int64_t number)
{
	open_number(out, number);
	buffer_signed(&out->bytes, number);
	html_put(out, "</td>");
}

void html_cell_real(struct output_buffer *out, double number)
{
	char text[40];

	snprintf(text, sizeof(text), "%.15g", number);
	html_put(out, "<td data-v=\"");
	html_put(out, text);
	html_put(out, "\">");
	snprintf(text, sizeof(text), "%.6g", number);
	html_put(out, text);
	html_put(out, "</td>");
}

static void put_scaled(struct output_buffer *out, double number, const char *unit)
{
	char text[48];

	snprintf(text, sizeof(text), "%.3f %s", number / 1e6, unit);
	html_put(out, text);
}

void html_cell_time(struct output_buffer *out, int64_t ns)
{
	open_number(out, ns);
	put_scaled(out, (double)ns, "ms");
	html_put(out, "</td>");
}

void html_put_weight(struct output_buffer *out, const struct export_source *source, uint64_t weight)
{
	if (source->view->unit == EXPORT_COUNT)
		buffer_decimal(&out->bytes, weight);
	else
		put_scaled(out, (double)weight, source->view->unit == EXPORT_BYTES ? "MB" : "ms");
}

void html_cell_weight(struct output_buffer *out, const struct export_source *source,
		      uint64_t weight)
{
	open_number(out, (int64_t)(weight & INT64_MAX));
	html_put_weight(out, source, weight);
	html_put(out, "</td>");
}

void html_cell_share(struct output_buffer *out, uint64_t part, uint64_t all)
{
	const double share = all ? 100 * (double)part / (double)all : 0;
	char text[64];

	snprintf(text, sizeof(text), "<td data-v=\"%.6f\">%.2f %%</td>", share, share);
	html_put(out, text);
}

static void put_fact(struct output_buffer *out, const char *name)
{
	html_put(out, "<tr><th>");
	html_put(out, name);
	html_put(out, "</th><td>");
}

static void end_fact(struct output_buffer *out)
{
	html_put(out, "</td></tr>\n");
}

static void put_number_fact(struct output_buffer *out, const char *name, uint64_t number)
{
	put_fact(out, name);
	buffer_decimal(&out->bytes, number);
	end_fact(out);
}

static void put_processes(struct export_source *source, struct output_buffer *out)
{
	for (size_t i = 0; i < source->process_count; i++) {
		const struct export_process *process = &source->processes[i];

		put_fact(out, "Process");
		buffer_signed(&out->bytes, process->id);
		html_put(out, " ");
		flames_put_text(&out->bytes, process->name ? process->name : "");
		if (process->command_line) {
			html_put(out, "<br><code>");
			flames_put_text(&out->bytes, process->command_line);
			html_put(out, "</code>");
		}
		end_fact(out);
	}
}

static void put_times(struct export_source *source, struct output_buffer *out)
{
	const time_t start = (time_t)(source->start_unix_ns / 1000000000);
	struct tm parts;
	char text[64];

	if (source->start_unix_ns > 0 && gmtime_r(&start, &parts) &&
	    strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &parts)) {
		put_fact(out, "Began");
		html_put(out, text);
		end_fact(out);
	}
	put_fact(out, "Length");
	put_scaled(out, source->last_ns > 0 ? (double)source->last_ns : 0, "ms");
	end_fact(out);
}

/* What happened beside the samples, a line for each kind. */
static void put_happenings(struct export_source *source, struct output_buffer *out)
{
	static const char *const names[EXPORT_SPAN_KINDS] = {
		[EXPORT_GC] = "Collections",	   [EXPORT_GC_PAUSE] = "Pauses",
		[EXPORT_JIT] = "Compilations",	   [EXPORT_EXCEPTION] = "Exceptions",
		[EXPORT_WAIT] = "Waits for locks", [EXPORT_ACTIVITY] = "Activities",
	};
	struct span_reader reader = { .source = source };
	const struct export_span *span;
	uint64_t counts[EXPORT_SPAN_KINDS] = { 0 };
	double times[EXPORT_SPAN_KINDS] = { 0 };

	while ((span = span_next(&reader))) {
		counts[span->kind]++;
		times[span->kind] += (double)span->end_ns - (double)span->start_ns;
	}
	span_reader_release(&reader);
	for (size_t i = 0; i < EXPORT_SPAN_KINDS; i++) {
		if (!counts[i])
			continue;
		put_fact(out, names[i]);
		buffer_decimal(&out->bytes, counts[i]);
		if (i != EXPORT_EXCEPTION) {
			html_put(out, ", together ");
			put_scaled(out, times[i], "ms");
		}
		end_fact(out);
	}
}

static void put_summary(struct export_source *source, struct output_buffer *out)
{
	uint64_t samples = 0, total = 0, lost = 0;
	bool cut = false;

	for (size_t i = 0; i < source->thread_count; i++) {
		samples += source->threads[i].count;
		total += source->threads[i].total;
	}
	for (size_t i = 0; i < source->part_count; i++) {
		lost += source->parts[i]->model.losses.events;
		cut = cut || source->parts[i]->model.losses.cut;
	}
	html_put(out, "<table id=\"summary\"><tbody>\n");
	put_processes(source, out);
	put_times(source, out);
	put_fact(out, "View");
	html_put(out, source->view->name);
	html_put(out, ": ");
	html_put_weight(out, source, total);
	end_fact(out);
	put_number_fact(out, "Samples", samples);
	put_number_fact(out, "Threads", source->thread_count);
	put_happenings(source, out);
	put_number_fact(out, "Lost events", lost);
	if (cut) {
		put_fact(out, "Cut");
		html_put(out, "the trace ends early; this is what it holds");
		end_fact(out);
	}
	html_put(out, "</tbody></table>\n");
}

static void put_flames(struct export_source *source, struct output_buffer *out)
{
	html_put(out, "<h2>Flame graph</h2>\n"
		      "<p><input id=\"flames-search\" type=\"search\" size=\"40\" "
		      "placeholder=\"Search: a regular expression\"> "
		      "<button id=\"flames-reset\">Whole</button> Click a frame to see it "
		      "alone.</p>\n");
	flames_put(source, out);
}

static int write(struct export_source *source, struct output_buffer *out, struct pp_error *err)
{
	(void)err;
	html_put(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
	flames_put_text(&out->bytes, export_title(source));
	html_put(out, "</title>\n");
	html_put(out, head);
	html_put(out, "</head><body>\n<h1>");
	flames_put_text(&out->bytes, export_title(source));
	html_put(out, "</h1>\n");
	put_summary(source, out);
	if (source->thread_count) {
		put_flames(source, out);
		html_put_methods(source, out);
		html_put_threads(source, out);
	}
	html_put_spans(source, out);
	html_put_counters(source, out);
	html_put(out, "<p>Made by ");
	flames_put_text(&out->bytes, source->query->exporter);
	html_put(out, ".</p>\n<script>\n");
	html_put(out, export_html_js);
	html_put(out, "</script>\n</body></html>\n");
	return 0;
}

const struct export_format export_html = {
	.name = "html",
	.extensions = { ".html" },
	.summary = "a page to mail: a summary, a flame graph and tables",
	.many = true,
	.spans = true,
	.write = write,
};
