/* SPDX-License-Identifier: MIT */
#include "cli/report_loader.h"
#include "clr/enums.h"

/* What is not told is null. */
static void put_text(struct json *json, const char *key, const char *text)
{
	json_put_text(json, key, *text ? text : NULL);
}

static void put_stages(struct json *json, const struct loader_load *load)
{
	json_open_array(json, "stages");
	for (const struct loader_stage *stage = load->stages; stage; stage = stage->next) {
		json_open_object(json, NULL);
		json_put_text(json, "stage", loader_stage_name(stage));
		json_put_text(json, "result", loader_result_name(stage));
		put_text(json, "context", stage->context);
		put_text(json, "result_name", stage->result_name);
		put_text(json, "result_path", stage->result_path);
		put_text(json, "error", stage->error);
		json_close(json);
	}
	json_close(json);
}

static void put_probes(struct json *json, const struct loader_load *load)
{
	char text[VALUE_MAP_TEXT];

	json_open_array(json, "probes");
	for (const struct loader_probe *probe = load->probes; probe; probe = probe->next) {
		json_open_object(json, NULL);
		json_put_text(json, "path", probe->path);
		json_put_text(
			json, "source",
			value_map_name(value_map_find("KnownPathSource"), probe->source, text));
		json_put_i64(json, "result", probe->result);
		json_close(json);
	}
	json_close(json);
}

static void put_handlers(struct json *json, const struct loader_load *load)
{
	static const char *const kinds[] = {
		[LOADER_CONTEXT_RESOLVING] = "AssemblyLoadContext.Resolving",
		[LOADER_DOMAIN_RESOLVE] = "AppDomain.AssemblyResolve",
		[LOADER_LOAD_FROM] = "Assembly.LoadFrom",
	};

	json_open_array(json, "handlers");
	for (const struct loader_handler *handler = load->handlers; handler;
	     handler = handler->next) {
		json_open_object(json, NULL);
		json_put_text(json, "kind", kinds[handler->kind]);
		put_text(json, "name", handler->name);
		put_text(json, "result_path", handler->result_path);
		json_close(json);
	}
	json_close(json);
}

static void put_load(struct json *json, const struct loader_load *load)
{
	json_open_object(json, NULL);
	json_put_text(json, "name", load->name);
	put_text(json, "path", load->path);
	put_text(json, "requesting", load->requesting);
	put_text(json, "context", load->context);
	put_text(json, "requesting_context", load->requesting_context);
	json_put_i64(json, "process_id", load->process_id);
	json_put_i64(json, "thread_id", load->thread_id);
	json_put_i64(json, "start_ns", load->start_ns);
	if (load->time_ns < 0)
		json_put_null(json, "time_ns");
	else
		json_put_i64(json, "time_ns", load->time_ns);
	json_put_u64(json, "depth", load->depth);
	json_put_bool(json, "success", load->success);
	json_put_bool(json, "cached", load->cached);
	put_text(json, "result_name", load->result_name);
	put_text(json, "result_path", load->result_path);
	put_stages(json, load);
	put_probes(json, load);
	put_handlers(json, load);
	json_close(json);
}

static void put_assembly(struct json *json, const struct loader_assembly *assembly)
{
	char text[VALUE_MAP_TEXT];

	json_open_object(json, NULL);
	put_text(json, "name", assembly->name);
	put_text(json, "path", assembly->path);
	put_text(json, "native_path", assembly->native_path);
	json_put_text(json, "flags",
		      value_map_name(value_map_find("AssemblyFlags"), assembly->flags, text));
	json_put_i64(json, "process_id", assembly->process_id);
	if (assembly->loaded_ns == INT64_MIN)
		json_put_null(json, "loaded_ns");
	else
		json_put_i64(json, "loaded_ns", assembly->loaded_ns);
	if (assembly->unloaded_ns == INT64_MAX)
		json_put_null(json, "unloaded_ns");
	else
		json_put_i64(json, "unloaded_ns", assembly->unloaded_ns);
	json_close(json);
}

static void put_counts(struct json *json, const struct loader_chosen *chosen)
{
	json_open_array(json, "contexts");
	for (size_t i = 0; i < chosen->context_count; i++) {
		json_open_object(json, NULL);
		put_text(json, "name", chosen->contexts[i].name);
		json_put_u64(json, "count", chosen->contexts[i].count);
		json_put_u64(json, "failed", chosen->contexts[i].failed);
		json_put_i64(json, "time_ns", chosen->contexts[i].time_ns);
		json_close(json);
	}
	json_close(json);
	json_open_array(json, "stages");
	for (size_t i = 0; i < chosen->stage_count; i++) {
		json_open_object(json, NULL);
		json_put_text(json, "stage", chosen->stages[i].name);
		json_put_text(json, "result", chosen->stages[i].result);
		json_put_u64(json, "count", chosen->stages[i].count);
		json_close(json);
	}
	json_close(json);
}

static void put_summary(struct json *json, const struct loader_chosen *chosen)
{
	const struct loader_summary *summary = &chosen->summary;

	json_open_object(json, "summary");
	json_put_u64(json, "count", summary->count);
	json_put_u64(json, "cached", summary->cached);
	json_put_u64(json, "failed", summary->failed);
	json_put_u64(json, "unfinished", summary->unfinished);
	json_put_i64(json, "time_ns", summary->time_ns);
	json_put_u64(json, "probes", summary->probes);
	json_put_u64(json, "probes_failed", summary->probes_failed);
	json_put_u64(json, "handlers", summary->handlers);
	json_put_u64(json, "assemblies", chosen->assembly_count);
	json_close(json);
}

void report_loader_json(struct report *report, const struct loader_chosen *chosen)
{
	const size_t most = report_rows(report, SIZE_MAX);
	struct json *json = &report->json;

	json_open_array(json, "loads");
	for (size_t i = 0; i < chosen->load_count && i < most; i++)
		put_load(json, chosen->loads[i]);
	json_close(json);
	json_open_array(json, "assemblies");
	for (size_t i = 0; i < chosen->assembly_count && i < most; i++)
		put_assembly(json, chosen->assemblies[i]);
	json_close(json);
	put_counts(json, chosen);
	put_summary(json, chosen);
}
