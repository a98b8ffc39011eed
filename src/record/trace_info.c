/* SPDX-License-Identifier: MIT */
#include "record/trace_info.h"

#include <inttypes.h>
#include <string.h>

#include "base/buffer.h"
#include "base/intern.h"
#include "base/text.h"
#include "base/time.h"
#include "clr/providers.h"
#include "report/figure_text.h"
#include "report/report.h"

struct kind_row {
	const char *provider; /* its name and events, as a title */
	const struct kind_count *kind;
	uint32_t id, version;
	double per_second;
};

struct provider_row {
	const struct provider_count *provider;
	double per_second;
	struct result_rows kinds;
};

struct trace_info {
	const struct trace_info_setup *setup;
	const struct pp_trace_header *header; /* or NULL */
	struct pp_trace_totals totals;
	uint64_t events; /* of them, without the next */
	uint64_t thread_times;
	uint64_t size;
	const char *path, *format, *compression, *command_line, *os, *architecture, *stopped_by;
	const char *start_time, *started, *process, *machine, *lost, *end, *manifest_state;
	int64_t version, process_id, pointer_bytes, processors, duration_ns;
	uint64_t threads;
	bool complete, native_aot;
	uint64_t trailing;
	enum trace_file_state state;
	const struct pp_pair *const *properties; /* of the header, each name once */
	size_t property_count;
	struct result_rows providers, shown_providers, shown_kinds, views;
};

#define ROW struct kind_row

static const struct result_field kind_fields[] = {
	FIELD(ROW, provider, "provider", "", UNIT_TEXT, .flags = SHOWN_PEOPLE | GROUPS),
	FIELD_THROUGH(ROW, kind, struct kind_count, name, "name", "Event", UNIT_TEXT),
	FIELD(ROW, id, "id", "Id", UNIT_ID),
	FIELD(ROW, version, "version", "Version", UNIT_ID),
	FIELD_THROUGH(ROW, kind, struct kind_count, count, "events", "Events", UNIT_COUNT),
	FIELD(ROW, per_second, "events_per_second", "Events/s", UNIT_RATE, .flags = NOT_NEGATIVE),
	FIELD_END,
};

#undef ROW
#define ROW struct provider_row

/* clang-format off */
#define PROVIDER(member_, key_, title_, ...) \
	FIELD_THROUGH(ROW, provider, struct provider_count, member_, key_, title_, __VA_ARGS__)
/* clang-format on */

static const struct result_field provider_fields[] = {
	PROVIDER(name, "name", "Provider", UNIT_TEXT),
	PROVIDER(events, "events", "Events", UNIT_COUNT),
	FIELD(ROW, per_second, "events_per_second", "Events/s", UNIT_RATE, .flags = NOT_NEGATIVE),
	PROVIDER(kind_count, "kind_count", "Kinds", UNIT_COUNT),
	LIST(ROW, kinds, "kinds", NULL, SHAPE(kind_fields)),
	FIELD_END,
};

static bool property_entry(const void *data, size_t index, struct result_entry *entry,
			   struct arena *arena)
{
	const struct trace_info *info = data;

	(void)arena;
	if (index >= info->property_count)
		return false;
	*entry = (struct result_entry){ .key = info->properties[index]->key };
	entry->value = (struct result_value){ .unit = UNIT_TEXT, .known = true };
	entry->value.text = info->properties[index]->value;
	return true;
}

static bool has_properties(const void *data)
{
	const struct pp_trace_header *header = ((const struct trace_info *)data)->header;

	return header && header->version >= 6;
}

static const struct manifest_found *manifest_of(const void *data)
{
	return ((const struct trace_info *)data)->setup->manifest;
}

static bool has_manifest(const void *data)
{
	return manifest_of(data)->facts;
}

static bool manifest_fact_entry(const void *data, size_t index, struct result_entry *entry,
				struct arena *arena)
{
	const struct manifest_fact *fact = &manifest_of(data)->facts[index];

	(void)arena;
	if (index >= manifest_of(data)->count)
		return false;
	*entry = (struct result_entry){ .key = fact->key, .value = { .known = true } };
	entry->value.unit = fact->text ? UNIT_TEXT : UNIT_ID;
	if (fact->text)
		entry->value.text = fact->text;
	else
		entry->value.number = fact->number;
	return true;
}

static bool manifest_entry(const void *data, size_t index, struct result_entry *entry,
			   struct arena *arena)
{
	if (index)
		return manifest_fact_entry(data, index - 1, entry, arena);
	*entry = (struct result_entry){ .key = "matches", .value = { UNIT_FLAG, true } };
	entry->value.flag = manifest_of(data)->matches;
	return true;
}

#define INFO struct trace_info

static const struct result_field fields[] = {
	FIELD(INFO, path, "file", NULL, UNIT_TEXT),
	FIELD(INFO, format, "format", NULL, UNIT_TEXT),
	FIELD(INFO, version, "format_version", NULL, UNIT_ID, .flags = NOT_NEGATIVE),
	FIELD(INFO, size, "size_bytes", NULL, UNIT_SIZE),
	FIELD(INFO, compression, "compression", NULL, UNIT_TEXT),
	FIELD(INFO, process_id, "process_id", NULL, UNIT_ID, .flags = NOT_NEGATIVE),
	FIELD(INFO, command_line, "command_line", NULL, UNIT_TEXT),
	FIELD(INFO, process, "process", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD(INFO, os, "os", NULL, UNIT_TEXT),
	FIELD(INFO, architecture, "architecture", NULL, UNIT_TEXT),
	FIELD(INFO, native_aot, "native_aot", NULL, UNIT_FLAG),
	FIELD(INFO, processors, "processors", NULL, UNIT_ID, .flags = NOT_NEGATIVE),
	FIELD(INFO, pointer_bytes, "pointer_bytes", NULL, UNIT_ID, .flags = NOT_NEGATIVE),
	FIELD(INFO, machine, "machine", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD(INFO, start_time, "start_time", NULL, UNIT_TEXT),
	FIELD(INFO, started, "started", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD(INFO, duration_ns, "duration_ns", NULL, UNIT_TIME, .flags = NOT_NEGATIVE),
	FIELD(INFO, events, "events", NULL, UNIT_COUNT),
	FIELD(INFO, totals.lost, "events_lost", NULL, UNIT_COUNT),
	FIELD(INFO, totals.lost_at_least, "events_lost_at_least", NULL, UNIT_FLAG),
	FIELD(INFO, lost, "lost", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	FIELD(INFO, thread_times, "thread_times", NULL, UNIT_COUNT),
	FIELD(INFO, threads, "threads", NULL, UNIT_COUNT),
	FIELD(INFO, totals.stacks, "stacks", NULL, UNIT_COUNT),
	FIELD(INFO, complete, "complete", NULL, UNIT_FLAG),
	FIELD(INFO, trailing, "trailing_bytes", NULL, UNIT_SIZE),
	FIELD(INFO, stopped_by, "stopped_by", NULL, UNIT_TEXT),
	FIELD(INFO, end, "end", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	COMPUTED("properties", NULL, UNIT_MAP, .known = has_properties, .entry = property_entry),
	COMPUTED("manifest", NULL, UNIT_MAP, .known = has_manifest, .entry = manifest_entry),
	FIELD(INFO, manifest_state, "manifest_state", NULL, UNIT_TEXT, .flags = SHOWN_PEOPLE),
	COMPUTED("manifest_facts", NULL, UNIT_MAP, .flags = SHOWN_PEOPLE, .known = has_manifest,
		 .entry = manifest_fact_entry),
	FIELD(INFO, views, "views", NULL, UNIT_TEXTS),
	LIST(INFO, providers, "providers", NULL, SHAPE(provider_fields)),
	LIST(INFO, shown_providers, "shown_providers", "", SHAPE(provider_fields),
	     .flags = SHOWN_PEOPLE),
	LIST(INFO, shown_kinds, "shown_kinds", "", SHAPE(kind_fields), .flags = SHOWN_PEOPLE),
	FIELD_END,
};

static const struct result_line lines[] = {
	{ "Process", "{process}", NULL, false },
	{ "Machine", "{machine}", NULL, false },
	{ "Started", "{started}", NULL, false },
	{ "Duration", "{duration_ns} from the first event to the last", NULL, false },
	{ "Events", "{events} on {threads|thread|threads}, {stacks|distinct stack|distinct stacks}",
	  NULL, false },
	{ "Lost", "{lost}", NULL, false },
	{ "Thread times", "{thread_times|reading|readings}", "thread_times", false },
	{ "Complete", "{end}", NULL, false },
	{ "Trailing", "{trailing_bytes} after the end of the trace", "trailing_bytes", false },
	{ "Manifest", "{manifest_state}", NULL, false },
	{ "", "{manifest_facts}", NULL, false },
	{ "Properties", "{properties}", "properties", false },
	{ "Views", "{views}", "views", true },
	{ 0 },
};
static const struct result_shape shape = { fields, lines };

const struct result_kind trace_info_kind = {
	.name = "info",
	.version = 1,
	.summary = "what a trace contains",
	.shape = &shape,
};

static uint64_t count_threads(const struct trace_file *file)
{
	const struct pp_thread *thread;
	uint64_t count = 0;

	for (size_t i = 0; (thread = pp_nettrace_thread(file->trace, i)); i++)
		count += thread->events > 0;
	return count;
}

static const char *process_text(const struct trace_info *info, struct arena *arena)
{
	struct buffer text = { 0 };

	if (info->process_id >= 0)
		buffer_printf(&text, "%" PRId64 "%s", info->process_id,
			      info->command_line ? "  " : "");
	if (info->command_line)
		buffer_text(&text, info->command_line);
	return buffer_keep(&text, arena);
}

static const char *machine_text(const struct trace_info *info, struct arena *arena)
{
	struct buffer text = { 0 };

	if (info->processors >= 0)
		buffer_printf(&text, "%" PRId64 " processor%s, ", info->processors,
			      info->processors == 1 ? "" : "s");
	if (info->pointer_bytes >= 0)
		buffer_printf(&text, "%" PRId64 "-bit", 8 * info->pointer_bytes);
	else
		buffer_text(&text, "unknown");
	if (info->os)
		buffer_printf(&text, ", %s", info->os);
	if (info->architecture)
		buffer_printf(&text, " %s", info->architecture);
	if (info->native_aot)
		buffer_text(&text, ", NativeAOT");
	return buffer_keep(&text, arena);
}

static const char *end_text(const struct trace_info *info, struct arena *arena)
{
	struct buffer text = { 0 };

	buffer_text(&text, info->complete ? "yes" : "no");
	if (!info->totals.complete && !info->setup->failed)
		buffer_printf(&text, ", it is truncated at byte %s",
			      text_count(info->totals.bytes).text);
	else if (info->state == TRACE_FILE_CUT)
		buffer_printf(&text, ", the end of its %s data is missing", info->compression);
	if (info->state == TRACE_FILE_DAMAGED)
		buffer_text(&text, ", it is damaged: its checksum does not match");
	if (info->stopped_by)
		buffer_printf(&text, ", stopped by %s", info->stopped_by);
	return buffer_keep(&text, arena);
}

static const char *title_text(const struct trace_info *info, struct arena *arena)
{
	struct buffer text = { 0 };

	if (info->header)
		buffer_printf(&text, "%s version %d, ",
			      info->header->netperf ? "NetPerf" : "NetTrace",
			      info->header->version);
	buffer_text(&text, text_size(info->size).text);
	if (info->compression)
		buffer_printf(&text, " of %s", info->compression);
	return buffer_keep(&text, arena);
}

/* The last of a name wins, as where the header reads them. */
static void list_properties(struct trace_info *info, struct arena *arena)
{
	const size_t count = info->header->property_count;
	const struct pp_pair **list = arena_array(arena, const struct pp_pair *, count + 1);
	struct map names = { 0 };
	size_t first = count;

	for (size_t i = count; i-- > 0;) {
		const struct pp_pair *pair = &info->header->properties[i];
		struct interned *name = intern_add(&names, arena, pair->key, strlen(pair->key));

		if (!name->value)
			list[--first] = pair;
		name->value = info;
	}
	map_release(&names);
	info->properties = list + first;
	info->property_count = count - first;
}

static void set_header(struct trace_info *info, struct arena *arena)
{
	const struct pp_trace_header *header = info->header;
	const struct inventory *inventory = info->setup->inventory;

	info->version = info->process_id = info->pointer_bytes = info->processors = -1;
	info->duration_ns = -1;
	if (!header)
		return;
	info->format = header->netperf ? "netperf" : "nettrace";
	info->version = header->version;
	info->process_id = header->process_id;
	info->pointer_bytes = header->pointer_size;
	info->processors = header->processors;
	info->native_aot = header->native_aot;
	info->start_time = time_text(header->start_ns, arena_alloc(arena, TIME_TEXT_SIZE));
	info->started = time_text_short(header->start_ns, arena_alloc(arena, TIME_TEXT_SIZE));
	if (inventory->events)
		info->duration_ns = ns_between(pp_trace_time_ns(header, inventory->first_ticks),
					       pp_trace_time_ns(header, inventory->last_ticks));
	if (info->duration_ns == INT64_MAX)
		info->duration_ns = -1; /* no trace is that long */
	list_properties(info, arena);
	info->process = process_text(info, arena);
	info->machine = machine_text(info, arena);
}

static double rate(const struct trace_info *info, uint64_t events)
{
	return info->duration_ns > 0 ? (double)events * 1e9 / (double)info->duration_ns : -1;
}

static void list_kinds(struct trace_info *info, struct provider_row *row, struct kind_row *kinds,
		       struct arena *arena)
{
	const struct provider_count *provider = row->provider;
	const char *title = arena_printf(arena, "%s, %s", text_safe(arena, provider->name),
					 text_count(provider->events).text);

	for (size_t i = 0; i < provider->kind_count; i++)
		kinds[i] = (struct kind_row){ .provider = title,
					      .kind = &provider->kinds[i],
					      .id = provider->kinds[i].kind->id,
					      .version = provider->kinds[i].kind->version,
					      .per_second = rate(info, provider->kinds[i].count) };
	row->kinds = ROWS_OF(kinds, provider->kind_count);
}

static void list_providers(struct trace_info *info, struct arena *arena)
{
	const struct inventory *inventory = info->setup->inventory;
	struct provider_row *rows =
		arena_array(arena, struct provider_row, inventory->provider_count + 1);
	struct kind_row *kinds = arena_array(arena, struct kind_row, inventory->kind_count + 1);
	size_t count = 0;

	for (size_t i = 0; i < inventory->provider_count; i++) {
		rows[i] = (struct provider_row){
			.provider = &inventory->providers[i],
			.per_second = rate(info, inventory->providers[i].events),
		};
		list_kinds(info, &rows[i], kinds + count, arena);
		count += inventory->providers[i].kind_count;
	}
	info->providers = ROWS_OF(rows, inventory->provider_count);
	if (info->setup->verbose)
		info->shown_kinds = ROWS_OF(kinds, count);
	else
		info->shown_providers = info->providers;
}

static bool is_named(const char *name, const char *wanted)
{
	const size_t size = strlen(wanted);

	if (size && wanted[size - 1] == '*')
		return !strncmp(name, wanted, size - 1);
	return !strcmp(name, wanted);
}

static bool has_event(const struct inventory *inventory, const struct view_event *event)
{
	for (size_t i = 0; i < inventory->kind_count; i++)
		if ((!event->provider ||
		     !strcmp(inventory->kinds[i].kind->provider, event->provider)) &&
		    is_named(inventory->kinds[i].name, event->name))
			return true;
	return false;
}

static bool is_fed(const struct report_view *view, const struct inventory *inventory)
{
	for (const struct view_event *event = view->events; event && event->name; event++)
		if (has_event(inventory, event) ||
		    (inventory->thread_times && !strcmp(event->name, THREAD_TIMES_NAME)))
			return true;
	return false;
}

static void list_views(struct trace_info *info, struct arena *arena)
{
	const char **names = NULL;
	size_t count = 0;

	while (report_views[count])
		count++;
	names = arena_array(arena, const char *, count);
	count = 0;
	for (size_t i = 0; report_views[i]; i++)
		if (is_fed(report_views[i], info->setup->inventory))
			names[count++] = report_views[i]->name;
	info->views = ROWS_AT(names, count);
}

struct result trace_info_result(const struct trace_info_setup *setup, struct arena *arena)
{
	struct trace_info *info = arena_new(arena, struct trace_info);
	const struct inventory *inventory = setup->inventory;

	*info = (struct trace_info){
		.setup = setup,
		.header = pp_nettrace_header(setup->file->trace),
		.totals = pp_nettrace_totals(setup->file->trace),
		.path = setup->path,
		.size = input_size(setup->file->input),
		.compression = input_compression(setup->file->input),
		.command_line = inventory->command_line,
		.os = inventory->os,
		.architecture = inventory->architecture,
		.stopped_by = inventory->stopped_by,
		.threads = count_threads(setup->file),
	};
	info->events = info->totals.events - inventory->thread_times;
	info->thread_times = inventory->thread_times;
	info->state = setup->failed ? TRACE_FILE_WHOLE : trace_file_state(setup->file);
	info->complete =
		info->totals.complete && info->state == TRACE_FILE_WHOLE && !inventory->stopped_by;
	info->trailing = setup->file->trailing;
	set_header(info, arena);
	info->lost = events_lost_text(info->totals.lost, info->totals.lost_at_least, arena);
	info->end = end_text(info, arena);
	if (setup->manifest->facts)
		info->manifest_state =
			setup->manifest->matches
				? "the file is unchanged"
				: "the file has changed: its size or checksum differs";
	list_providers(info, arena);
	list_views(info, arena);
	return (struct result){ .kind = &trace_info_kind,
				.title = title_text(info, arena),
				.file = setup->path,
				.data = info };
}
