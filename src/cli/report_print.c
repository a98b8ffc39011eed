/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/report.h"
#include "cli/text.h"

/* COLUMNS, or the terminal's; a file or a pipe has any. */
static size_t line_width(FILE *out)
{
	const char *columns = getenv("COLUMNS");
	const long wanted = columns ? strtol(columns, NULL, 10) : 0;
	struct winsize size;

	if (wanted > 0 && wanted < INT_MAX)
		return (size_t)wanted;
	if (!ioctl(fileno(out), TIOCGWINSZ, &size) && size.ws_col)
		return size.ws_col;
	return 0;
}

static bool is_data(const struct report *report)
{
	return report->args->json || report->args->csv;
}

void report_count(struct report *report, const char *key, const char *title, uint64_t count)
{
	if (report->args->json)
		json_put_u64(&report->json, key, count);
	else if (!is_data(report))
		fprintf(report->out, "%-11s %s\n", title, text_count(count).text);
}

void report_time(struct report *report, const char *key, const char *title, int64_t time_ns)
{
	if (report->args->json)
		json_put_i64(&report->json, key, time_ns);
	else if (!is_data(report))
		fprintf(report->out, "%-11s %s\n", title,
			text_duration(time_ns > 0 ? (uint64_t)time_ns : 0).text);
}

void report_line(struct report *report, const char *text)
{
	if (is_data(report))
		return;
	text_put(report->out, text);
	putc('\n', report->out);
}

void report_sheet(struct report *report, const struct sheet *sheet)
{
	if (report->args->json) {
		sheet_put_json(sheet, &report->json);
	} else if (report->args->csv) {
		if (report->any)
			buffer_bytes(&report->text, "\r\n", 2);
		report->any = true;
		sheet_put_csv(sheet, &report->text);
	} else {
		putc('\n', report->out);
		sheet_print(sheet, report->out, report->width);
	}
}

/* How many samples are among the events that were lost cannot be known. */
static void put_losses(struct json *json, const struct model_losses *losses)
{
	json_open_object(json, "lost");
	json_put_u64(json, "events", losses->events);
	if (losses->events)
		json_put_null(json, "samples");
	else
		json_put_u64(json, "samples", 0);
	json_close(json);
	json_open_object(json, "unresolved");
	json_put_u64(json, "frames", losses->frames_unresolved);
	json_put_u64(json, "samples", losses->samples_unresolved);
	json_close(json);
}

static void put_envelope(struct report *report, bool available)
{
	struct json *json = &report->json;
	const uint32_t process = report_process(report);

	json_open_object(json, NULL);
	json_put_text(json, "view", report->view->name);
	json_put_bool(json, "available", available);
	if (process == MODEL_NONE || report->model.processes[process].id < 0)
		json_put_null(json, "process_id");
	else
		json_put_i64(json, "process_id", report->model.processes[process].id);
	put_losses(json, &report->model.losses);
	json_put_bool(json, "complete", !report->model.losses.cut);
	if (!available) {
		json_put_text(json, "missing", report->view->missing);
		json_put_text(json, "remedy", report->view->remedy);
	}
}

static void print_losses(FILE *out, const struct model_losses *losses)
{
	fprintf(out, "\nLost        %s\n",
		losses->events ? text_count(losses->events).text : "no events");
	if (losses->frames_unresolved)
		fprintf(out, "Unresolved  %s %s without a name, in %s of %s samples\n",
			text_count(losses->frames_unresolved).text,
			losses->frames_unresolved == 1 ? "place" : "places",
			text_count(losses->samples_unresolved).text,
			text_count(losses->samples).text);
	else
		fprintf(out, "Unresolved  nothing\n");
	if (losses->samples && losses->samples_unresolved * 2 > losses->samples)
		fprintf(out,
			"            most names are missing: was it recorded without a rundown, "
			"or is the end of the trace missing?\n");
	if (losses->stopped_by) {
		fputs("Complete    no, stopped by ", out);
		text_put(out, losses->stopped_by);
		putc('\n', out);
	} else if (losses->cut) {
		fputs("Complete    no, the trace ends without its end mark\n", out);
	}
}

static void print_title(struct report *report)
{
	const uint32_t number = report_process(report);
	const struct model_process *process =
		number == MODEL_NONE ? NULL : &report->model.processes[number];

	fprintf(report->out, "%s", text_style(report->out, TEXT_BOLD));
	text_put(report->out, report->path);
	fprintf(report->out, "%s: %s\n\n", text_style(report->out, TEXT_PLAIN),
		report->view->summary);
	if (process && process->id >= 0) {
		fprintf(report->out, "%-11s %lld", "Process", (long long)process->id);
		if (process->name) {
			fprintf(report->out, "  ");
			text_put(report->out, process->name);
		}
		putc('\n', report->out);
	} else if (!process) {
		fprintf(report->out, "%-11s %s\n", "Processes",
			text_count(report->model.process_count).text);
	}
}

static void print_missing(const struct report *report)
{
	fprintf(report->out, "The trace does not tell: %s.\n", report->view->missing);
	if (report->view->remedy)
		fprintf(report->out, "This records what is needed:\n\n  %s\n",
			report->view->remedy);
}

void report_begin(struct report *report)
{
	report->out = stdout;
	report->width = line_width(stdout);
	report->json = (struct json){ .out = &report->text, .indent = 2 };
}

void report_end(struct report *report)
{
	if (report->text.size)
		fwrite(report->text.bytes, 1, report->text.size, stdout);
}

int report_json(struct report *report, struct pp_error *err)
{
	const bool available = report->view->available(report);

	report->err = err;
	report_begin(report);
	put_envelope(report, available);
	if (available)
		report->view->show(report);
	if (err->code)
		return -1;
	json_close(&report->json);
	return 0;
}

int report_print(struct report *report, struct pp_error *err)
{
	const bool available = report->view->available(report);

	report->err = err;
	report_begin(report);
	if (report->args->json)
		put_envelope(report, available);
	else if (!report->args->csv)
		print_title(report);
	if (available)
		report->view->show(report);
	else if (!is_data(report))
		print_missing(report);
	if (err->code)
		return -1;
	if (report->args->json)
		json_close(&report->json);
	else if (!report->args->csv)
		print_losses(report->out, &report->model.losses);
	report_end(report);
	return 0;
}
