/* SPDX-License-Identifier: MIT */
/*
 * fill_rows.h - fill's handlers of events, and what they share.
 */
#ifndef FILL_FILL_ROWS_H
#define FILL_FILL_ROWS_H

#include "fill/fill_state.h"

/* Notes the activity of the event's thread; for every event, if activities were asked for. */
void fill_note_activity(struct fill *fill, const struct event_context *at);

/* At the end of a trace: ends the time of tasks that still run. */
void fill_stop_tasks(struct fill *fill, int64_t now_ns);

/* No more events: what is still open is added to the model as it is. */
void fill_end_tasks(struct fill *fill);
void fill_end_readings(struct fill *fill);

/* The task that the thread runs and the activity that it is in, or MODEL_NONE. */
uint32_t fill_running_task(const struct fill *fill, uint32_t thread);
uint32_t fill_current_activity(const struct fill *fill, uint32_t thread);

/* analysis.choose */
const struct event_row *fill_row_for(const void *self, const struct pp_kind *kind);

/* A text of the payload, kept once. */
const char *fill_utf16z(struct fill *fill, struct cursor *c);

/* Code was loaded or unloaded at these addresses. */
void fill_code_changed(struct fill *fill, uint32_t process, uint64_t start, uint64_t size);

/* How the library of .NET spells a module, by the order of events; see fill_spelling.c. */
void fill_spell_module(struct fill *fill, uint64_t module_id);
void fill_spell_method(struct fill *fill, uint64_t module_id, struct fill_body *body);

/* Of a method of the model. */
struct fill_body *fill_body(struct fill *fill, uint32_t method);

/* The name of a file without directories, as processes and modules are called after it. */
const char *fill_file_name(struct fill *fill, const char *path);

/* Sets what the module is called by its path. */
void fill_name_module(struct fill *fill, struct model_module *module);

/* The class in a symbol of C++, as the model's text; NULL: none. */
const char *fill_symbol_class(struct fill *fill, const char *symbol);

/* Adds the namers of methods and symbols to the model. */
void fill_add_namers(struct fill *fill);

event_handler fill_managed_sample, fill_cpu, fill_switch, fill_mark, fill_note;
event_handler fill_method_load, fill_method_unload, fill_method_rundown;
event_handler fill_module_load, fill_module_rundown, fill_module_unload;
event_handler fill_process_info, fill_process, fill_mapping, fill_symbol, fill_mapping_metadata;
event_handler fill_recording_end, fill_thread_times, fill_stop_begin, fill_stop_end;
event_handler fill_pool_thread, fill_pool_thread_waits, fill_compiler_thread;
event_handler fill_finalizer_thread;
event_handler fill_task_scheduled, fill_task_start, fill_task_stop, fill_await, fill_await_stop;
event_handler fill_continuation_stop;
event_handler fill_span_start, fill_span_stop;

#endif
