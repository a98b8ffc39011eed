/* SPDX-License-Identifier: MIT */
/*
 * demangle_rust_v0.h - what the parts of the demangler of Rust's v0 names share.
 *
 * It parses and writes at the same time. Once it has failed, every further read returns zero and
 * nothing is written, so that whether all was well is checked once, at the end. Time is bounded by
 * `steps`: back-references let a short name be as long as it likes.
 */
#ifndef SYMBOLS_DEMANGLE_RUST_V0_H
#define SYMBOLS_DEMANGLE_RUST_V0_H

#include <stdint.h>

#include "symbols/demangle_kinds.h"

#define RUST_DEPTH_MOST 300
#define RUST_STEPS_MOST 100000 /* types, paths and constants */

struct rust_name {
	const char *text; /* after the _R */
	size_t size;
	size_t at;
	struct buffer *out;
	size_t from;	 /* where the result begins in it */
	unsigned silent; /* > 0: nothing is written, and back-references are not followed */
	unsigned depth;
	unsigned steps;
	uint64_t lifetimes; /* that are bound around here */
	bool fold;
	bool failed;
};

typedef void rust_rule(struct rust_name *r);

struct rust_identifier {
	const char *ascii;
	size_t ascii_size;
	const char *punycode; /* what has to be inserted into it */
	size_t punycode_size;
};

/* Reading. */
char rust_peek(const struct rust_name *r); /* 0 at the end */
char rust_next(struct rust_name *r);
bool rust_eat(struct rust_name *r, char c);
void rust_fail(struct rust_name *r);
uint64_t rust_base62(struct rust_name *r);
uint64_t rust_disambiguator(struct rust_name *r);
struct rust_identifier rust_identifier(struct rust_name *r);
struct rust_identifier rust_plain_identifier(struct rust_name *r); /* without a disambiguator */

/* False, and the name has failed, if it is nested too deep; else rust_leave() follows. */
bool rust_enter(struct rust_name *r);
void rust_leave(struct rust_name *r);

/* Writing. */
void rust_put_bytes(struct rust_name *r, const char *text, size_t size);
void rust_put(struct rust_name *r, const char *text);
void rust_put_number(struct rust_name *r, uint64_t number);
void rust_put_code_point(struct rust_name *r, uint32_t code);
void rust_put_identifier(struct rust_name *r, const struct rust_identifier *id);

/* Rules of the grammar. */
void rust_path(struct rust_name *r);	   /* in a type: Vec<u8> */
void rust_value_path(struct rust_name *r); /* in an expression: Vec::<u8>::new */
void rust_type(struct rust_name *r);
void rust_constant(struct rust_name *r);	  /* as a generic argument */
void rust_constant_value(struct rust_name *r);	  /* within another constant */
void rust_generic_arguments(struct rust_name *r); /* up to the E, without angle brackets */

/* As often as there is one, up to an E; returns how many there were. */
size_t rust_list(struct rust_name *r, rust_rule *rule, const char *separator);

/* After a B: what was written earlier, once more. */
void rust_back_reference(struct rust_name *r, rust_rule *rule);

#endif
