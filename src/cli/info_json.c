/* SPDX-License-Identifier: MIT */
#include "cli/info_print.h"

#include <string.h>

#include "base/json.h"
#include "base/time.h"

static void put_known(struct json *json, const char *key, int64_t value)
{
	if (value < 0)
		json_put_null(json, key);
	else
		json_put_i64(json, key, value);
}

static void put_header(struct json *json, const struct pp_trace_header *header)
{
	char start[TIME_TEXT_SIZE];

	put_known(json, "process_id", header->process_id);
	put_known(json, "pointer_size", header->pointer_size);
	put_known(json, "processors", header->processors);
	json_put_text(json, "start_time", time_text(header->start_ns, start));
}

static void put_no_header(struct json *json)
{
	json_put_null(json, "process_id");
	json_put_null(json, "pointer_size");
	json_put_null(json, "processors");
	json_put_null(json, "start_time");
}

static void put_totals(struct json *json, const struct info *info)
{
	const struct pp_trace_totals totals = pp_nettrace_totals(info->file->trace);

	if (info->inventory->events)
		json_put_u64(json, "duration_ns", info_duration_ns(info));
	else
		json_put_null(json, "duration_ns");
	json_put_u64(json, "events", totals.events);
	json_put_u64(json, "events_lost", totals.lost);
	json_put_u64(json, "threads", info_threads(info));
	json_put_u64(json, "stacks", totals.stacks);
	json_put_bool(json, "complete", info_complete(info));
	json_put_text(json, "stopped_by", info->inventory->stopped_by);
}

/* The last of a name wins, as it does where the header reads them. */
static bool said_again(const struct pp_trace_header *header, size_t index)
{
	for (size_t i = index + 1; i < header->property_count; i++)
		if (!strcmp(header->properties[i].key, header->properties[index].key))
			return true;
	return false;
}

static void put_properties(struct json *json, const struct pp_trace_header *header)
{
	if (!header || header->version < 6) {
		json_put_null(json, "properties");
		return;
	}
	json_open_object(json, "properties");
	for (size_t i = 0; i < header->property_count; i++)
		if (!said_again(header, i))
			json_put_text(json, header->properties[i].key, header->properties[i].value);
	json_close(json);
}

static void put_manifest(struct json *json, const struct manifest_found *manifest)
{
	if (!manifest->facts) {
		json_put_null(json, "manifest");
		return;
	}
	json_open_object(json, "manifest");
	json_put_bool(json, "matches", manifest->matches);
	for (size_t i = 0; i < manifest->count; i++) {
		const struct manifest_fact *fact = &manifest->facts[i];

		if (fact->text)
			json_put_text(json, fact->key, fact->text);
		else
			json_put_i64(json, fact->key, fact->number);
	}
	json_close(json);
}

static void put_kinds(struct json *json, const struct provider_count *provider)
{
	json_open_array(json, "kinds");
	for (size_t i = 0; i < provider->kind_count; i++) {
		const struct kind_count *kind = &provider->kinds[i];

		json_open_object(json, NULL);
		json_put_u64(json, "id", kind->kind->id);
		json_put_u64(json, "version", kind->kind->version);
		json_put_text(json, "name", kind->name);
		json_put_u64(json, "count", kind->count);
		json_close(json);
	}
	json_close(json);
}

static void put_providers(struct json *json, const struct inventory *inventory)
{
	json_open_array(json, "providers");
	for (size_t i = 0; i < inventory->provider_count; i++) {
		json_open_object(json, NULL);
		json_put_text(json, "name", inventory->providers[i].name);
		json_put_u64(json, "events", inventory->providers[i].events);
		put_kinds(json, &inventory->providers[i]);
		json_close(json);
	}
	json_close(json);
}

void info_print_json(const struct info *info, FILE *out)
{
	const struct pp_trace_header *header = pp_nettrace_header(info->file->trace);
	struct buffer text = { 0 };
	struct json json = { .out = &text, .indent = 2 };

	json_open_object(&json, NULL);
	json_put_text(&json, "file", info->path);
	if (header) {
		json_put_text(&json, "format", header->netperf ? "netperf" : "nettrace");
		json_put_i64(&json, "version", header->version);
	} else {
		json_put_null(&json, "format");
		json_put_null(&json, "version");
	}
	json_put_u64(&json, "size", input_size(info->file->input));
	json_put_text(&json, "compressed", input_compression(info->file->input));
	if (header)
		put_header(&json, header);
	else
		put_no_header(&json);
	put_totals(&json, info);
	put_properties(&json, header);
	put_manifest(&json, &info->manifest);
	put_providers(&json, info->inventory);
	json_close(&json);
	fwrite(text.bytes, 1, text.size, out);
	buffer_release(&text);
}
