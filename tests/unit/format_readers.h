/* SPDX-License-Identifier: MIT */
/*
 * format_readers.h - strict readers of the formats that `convert` writes, for tests and fuzz
 * targets. A reader reports each stack with its weight, and returns NULL or what is wrong.
 */
#ifndef FORMAT_READERS_H
#define FORMAT_READERS_H

#include "base/arena.h"
#include "base/cursor.h"

/* `names` from the root to the leaf. */
typedef void stack_found(void *to, const char *const *names, size_t depth, uint64_t weight);

const char *read_pprof(const void *bytes, size_t size, stack_found *found, void *to);
const char *read_otlp(const void *bytes, size_t size, stack_found *found, void *to);
const char *read_firefox(const void *bytes, size_t size, stack_found *found, void *to);
const char *read_perfetto(const void *bytes, size_t size, stack_found *found, void *to);
const char *read_speedscope(const void *bytes, size_t size, stack_found *found, void *to);
const char *read_chromium(const void *bytes, size_t size, stack_found *found, void *to);
const char *read_folded(const void *bytes, size_t size, stack_found *found, void *to);
const char *read_perf_script(const void *bytes, size_t size, stack_found *found, void *to);
const char *read_perfview(const void *bytes, size_t size, stack_found *found, void *to);

/* These report nothing: XML, an HTML page, and events. */
const char *read_xml(const void *bytes, size_t size, stack_found *found, void *to);
const char *read_page(const void *bytes, size_t size, stack_found *found, void *to);
const char *read_jsonl(const void *bytes, size_t size, stack_found *found, void *to);
const char *read_csv(const void *bytes, size_t size, stack_found *found, void *to);
const char *read_event_text(const void *bytes, size_t size, stack_found *found, void *to);

bool text_is_utf8(const char *text, size_t size);

/* A growing array for repeated fields, in one arena; zero is a valid empty one. */
struct proto_list {
	struct cursor *list;
	size_t count, capacity;
};

void proto_list_add(struct proto_list *list, struct cursor bytes);

/* A string by number; NULL if there is none, or it is not UTF-8. */
const char *proto_list_text(const struct proto_list *list, uint64_t number, struct arena *arena);

#endif
