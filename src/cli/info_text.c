/* SPDX-License-Identifier: MIT */
#include "cli/info_print.h"

#include <inttypes.h>

#include "analyze/view_inputs.h"
#include "base/time.h"
#include "cli/table.h"
#include "cli/terminal.h"

size_t info_threads(const struct info *info)
{
	const struct pp_thread *thread;
	size_t count = 0;

	for (size_t i = 0; (thread = pp_nettrace_thread(info->file->trace, i)); i++)
		count += thread->events > 0;
	return count;
}

bool info_complete(const struct info *info)
{
	return pp_nettrace_totals(info->file->trace).complete && !info->inventory->stopped_by;
}

uint64_t info_duration_ns(const struct info *info)
{
	const struct pp_trace_header *header = pp_nettrace_header(info->file->trace);

	if (!header || !info->inventory->events)
		return 0;
	return (uint64_t)(pp_trace_time_ns(header, info->inventory->last_ticks) -
			  pp_trace_time_ns(header, info->inventory->first_ticks));
}

static void put_label(FILE *out, const char *label)
{
	fprintf(out, "  %s%-10s%s ", text_style(out, TEXT_DIM), label, text_style(out, TEXT_PLAIN));
}

static void put_title(const struct info *info, const struct pp_trace_header *header, FILE *out)
{
	const char *packed = input_compression(info->file->input);

	fputs(text_style(out, TEXT_BOLD), out);
	text_put(out, info->path);
	fputs(text_style(out, TEXT_PLAIN), out);
	if (header)
		fprintf(out, ": %s version %d", header->netperf ? "NetPerf" : "NetTrace",
			header->version);
	fprintf(out, ", %s", text_size(input_size(info->file->input)).text);
	if (packed)
		fprintf(out, " of %s", packed);
	fputs("\n\n", out);
}

static void put_process(const struct info *info, const struct pp_trace_header *header, FILE *out)
{
	if (header->process_id < 0 && !info->inventory->command_line)
		return;
	put_label(out, "Process");
	if (header->process_id >= 0)
		fprintf(out, "%" PRId64, header->process_id);
	if (info->inventory->command_line) {
		fputs(header->process_id >= 0 ? "  " : "", out);
		text_put(out, info->inventory->command_line);
	}
	putc('\n', out);
}

static void put_machine(const struct info *info, const struct pp_trace_header *header, FILE *out)
{
	put_label(out, "Machine");
	if (header->processors >= 0)
		fprintf(out, "%d processor%s, ", header->processors,
			header->processors == 1 ? "" : "s");
	if (header->pointer_size >= 0)
		fprintf(out, "%d-bit", header->pointer_size * 8);
	else
		fputs("unknown", out);
	if (info->inventory->os) {
		fputs(", ", out);
		text_put(out, info->inventory->os);
	}
	if (info->inventory->architecture) {
		putc(' ', out);
		text_put(out, info->inventory->architecture);
	}
	putc('\n', out);
}

static void put_time(const struct info *info, const struct pp_trace_header *header, FILE *out)
{
	char start[TIME_TEXT_SIZE];

	put_label(out, "Started");
	fprintf(out, "%s\n", time_text(header->start_ns, start));
	put_label(out, "Length");
	fprintf(out, "%s from the first event to the last\n",
		text_duration(info_duration_ns(info)).text);
}

static void put_events(const struct info *info, const struct pp_trace_totals *totals, FILE *out)
{
	const size_t threads = info_threads(info);

	put_label(out, "Events");
	fprintf(out, "%s on %s thread%s", text_count(totals->events).text, text_count(threads).text,
		threads == 1 ? "" : "s");
	fprintf(out, ", %s distinct stack%s\n", text_count(totals->stacks).text,
		totals->stacks == 1 ? "" : "s");
	put_label(out, "Lost");
	if (totals->lost)
		fprintf(out, "%s%s events%s\n", text_style(out, TEXT_RED),
			text_count(totals->lost).text, text_style(out, TEXT_PLAIN));
	else
		fputs("no events\n", out);
}

static void put_completeness(const struct info *info, const struct pp_trace_totals *totals,
			     FILE *out)
{
	put_label(out, "Complete");
	if (info_complete(info))
		fputs("yes", out);
	else
		fprintf(out, "%sno%s", text_style(out, TEXT_YELLOW), text_style(out, TEXT_PLAIN));
	if (!totals->complete && !info->failed)
		fprintf(out, ", it ends at byte %s", text_count(totals->bytes).text);
	if (info->inventory->stopped_by) {
		fputs(", stopped by ", out);
		text_put(out, info->inventory->stopped_by);
	}
	putc('\n', out);
}

static void put_manifest(const struct manifest_found *manifest, FILE *out)
{
	if (!manifest->facts)
		return;
	put_label(out, "Manifest");
	if (manifest->matches)
		fputs("the file is as it was recorded\n", out);
	else
		fprintf(out,
			"%sthe file is not the one that was recorded: its size or sum differs%s\n",
			text_style(out, TEXT_RED), text_style(out, TEXT_PLAIN));
	for (size_t i = 0; i < manifest->count; i++) {
		const struct manifest_fact *fact = &manifest->facts[i];

		put_label(out, "");
		text_put(out, fact->key);
		fputs(" = ", out);
		if (fact->text)
			text_put(out, fact->text);
		else
			fprintf(out, "%" PRId64, fact->number);
		putc('\n', out);
	}
}

static void put_properties(const struct pp_trace_header *header, FILE *out)
{
	for (size_t i = 0; i < header->property_count; i++) {
		put_label(out, i ? "" : "Properties");
		text_put(out, header->properties[i].key);
		fputs(" = ", out);
		text_put(out, header->properties[i].value);
		putc('\n', out);
	}
}

static struct text_figure rate(const struct info *info, uint64_t events)
{
	const uint64_t ns = info_duration_ns(info);

	if (!ns)
		return (struct text_figure){ "" };
	return text_count((uint64_t)((double)events * 1e9 / (double)ns + 0.5));
}

static void put_providers(const struct info *info, FILE *out)
{
	static const struct table_column columns[] = {
		{ "Provider", TABLE_LEFT },
		{ "Events", TABLE_RIGHT },
		{ "Events/s", TABLE_RIGHT },
		{ "Kinds", TABLE_RIGHT },
		{ 0 },
	};
	struct table table = { .columns = columns, .indent = 2 };

	putc('\n', out);
	for (size_t i = 0; i < info->inventory->provider_count; i++) {
		const struct provider_count *provider = &info->inventory->providers[i];

		table_cell(&table, provider->name);
		table_cell(&table, text_count(provider->events).text);
		table_cell(&table, rate(info, provider->events).text);
		table_cell(&table, text_count(provider->kind_count).text);
	}
	table_print(&table, out);
	table_release(&table);
}

static void put_kinds(const struct info *info, const struct provider_count *provider, FILE *out)
{
	static const struct table_column columns[] = {
		{ "Event", TABLE_LEFT },   { "Id", TABLE_RIGHT },	{ "Version", TABLE_RIGHT },
		{ "Events", TABLE_RIGHT }, { "Events/s", TABLE_RIGHT }, { 0 },
	};
	struct table table = { .columns = columns, .indent = 4 };

	for (size_t i = 0; i < provider->kind_count; i++) {
		const struct kind_count *kind = &provider->kinds[i];

		table_cell(&table, kind->name);
		table_cell(&table, text_count(kind->kind->id).text);
		table_cell(&table, text_count(kind->kind->version).text);
		table_cell(&table, text_count(kind->count).text);
		table_cell(&table, rate(info, kind->count).text);
	}
	fputs("\n  ", out);
	text_put(out, provider->name);
	fprintf(out, ", %s\n", text_count(provider->events).text);
	table_print(&table, out);
	table_release(&table);
}

static void put_views(const struct info *info, FILE *out)
{
	const char *separator = "\n  It has the events for these report views: ";

	for (size_t i = 0; view_names[i]; i++) {
		if (!view_is_fed(view_names[i], info->inventory))
			continue;
		fprintf(out, "%s%s", separator, view_names[i]);
		separator = ", ";
	}
	if (*separator == ',')
		putc('\n', out);
}

void info_print_text(const struct info *info, bool verbose, FILE *out)
{
	const struct pp_trace_header *header = pp_nettrace_header(info->file->trace);
	const struct pp_trace_totals totals = pp_nettrace_totals(info->file->trace);

	put_title(info, header, out);
	if (header) {
		put_process(info, header, out);
		put_machine(info, header, out);
		put_time(info, header, out);
	}
	put_events(info, &totals, out);
	put_completeness(info, &totals, out);
	put_manifest(&info->manifest, out);
	if (header)
		put_properties(header, out);
	if (!info->inventory->provider_count)
		return;
	if (!verbose)
		put_providers(info, out);
	for (size_t i = 0; verbose && i < info->inventory->provider_count; i++)
		put_kinds(info, &info->inventory->providers[i], out);
	put_views(info, out);
}
