/* SPDX-License-Identifier: MIT */
/*
 * provider_grammar.h - providers as people type them.
 *
 *	list      = provider { "," provider }
 *	provider  = name [ ":" [keywords] [ ":" [level] [ ":" arguments ] ] ]
 *	keywords  = hexadecimal, with or without 0x
 *	level     = number or name
 *	arguments = key "=" value { ";" key "=" value }
 *
 *	Orders:ff:verbose,System.Runtime:0:4:EventCounterIntervalSec=1
 *	Orders:1:5:Filter="a=1;b,c";Mode=fast
 *
 * Double quotes protect , ; and = in arguments, and are removed; a value cannot contain one,
 * since the runtime has no way to receive it. The first = ends the key. In arguments \n, \r, \t,
 * \\, \x41, \u20ac and the like stand for one character, and \ before punctuation for that
 * character; as in .NET's tools \" is a quote like any other.
 */
#ifndef RECORD_PROVIDER_GRAMMAR_H
#define RECORD_PROVIDER_GRAMMAR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "perfpipe/error.h"
#include "record/provider_names.h"

/* One provider of a list. Texts live in the arena. */
struct provider_spec {
	const char *name;
	uint64_t keywords;
	unsigned level;
	const char *arguments; /* as the runtime takes them; NULL: none */
	bool has_keywords;
	bool has_level;
	struct provider_spec *next;
};

/* NULL in `first` for an empty list. White space and empty providers are skipped. */
int provider_grammar_parse(const char *list, struct arena *arena, struct provider_spec **first,
			   struct pp_error *err);

/* The arguments alone: "key=value;key=\"a;b\"" in the arena, "" for none, NULL on an error. */
const char *provider_arguments_parse(struct token text, struct arena *arena, struct pp_error *err);

/* "{e13c0d23-ccbc-4e12-931b-d9cc2eee27e4}", a provider's name in ETW, but not in EventPipe. */
bool provider_name_is_guid(const char *name);

#endif
