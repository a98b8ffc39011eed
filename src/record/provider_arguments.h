/* SPDX-License-Identifier: MIT */
/*
 * provider_arguments.h - the arguments of a provider, from what people type to what
 * the runtime takes; provider_grammar.h tells the rules.
 */
#ifndef RECORD_PROVIDER_ARGUMENTS_H
#define RECORD_PROVIDER_ARGUMENTS_H

#include "base/arena.h"
#include "perfpipe/error.h"
#include "record/tokens.h"

/*
 * "key=value;key=\"a;b\"" in the arena, "" if there are none; NULL and an error if they
 * make no sense.
 */
const char *provider_arguments_parse(struct token text, struct arena *arena, struct pp_error *err);

#endif
