/* SPDX-License-Identifier: MIT */
/*
 * Names of Rust in the v0 mangling, by the grammar of RFC 2603 and what rustc has added since.
 *
 *	_RNvMs_NtC3std4pathNtB4_7PathBuf3new		<std::path::PathBuf>::new
 *
 * Hashes of crates and types of constants are left out, as by `c++filt -i` and llvm-cxxfilt.
 */
#include "symbols/demangle_rust_v0.h"

static const char *const basic_types[128] = {
	['a'] = "i8",  ['b'] = "bool", ['c'] = "char",	['d'] = "f64",	 ['e'] = "str",
	['f'] = "f32", ['h'] = "u8",   ['i'] = "isize", ['j'] = "usize", ['l'] = "i32",
	['m'] = "u32", ['n'] = "i128", ['o'] = "u128",	['p'] = "_",	 ['s'] = "i16",
	['t'] = "u16", ['u'] = "()",   ['v'] = "...",	['x'] = "i64",	 ['y'] = "u64",
	['z'] = "!",
};

size_t rust_list(struct rust_name *r, rust_rule *rule, const char *separator)
{
	size_t count = 0;

	for (; !r->failed && !rust_eat(r, 'E'); count++) {
		rust_put(r, count ? separator : "");
		rule(r);
	}
	return count;
}

void rust_back_reference(struct rust_name *r, rust_rule *rule)
{
	const size_t from = r->at - 1;
	const uint64_t to = rust_base62(r);
	const size_t after = r->at;

	if (to >= from)
		rust_fail(r); /* only ever back, so that there is an end */
	if (r->failed || r->silent)
		return;
	r->at = (size_t)to;
	rule(r);
	r->at = after;
}

static void skip(struct rust_name *r, rust_rule *rule)
{
	r->silent++;
	rule(r);
	r->silent--;
}

/* 0 is one that was elided, 1 the one bound last. */
static void put_lifetime(struct rust_name *r, uint64_t index)
{
	if (r->silent)
		return; /* binders are not counted then */
	if (index > r->lifetimes) {
		rust_fail(r);
		return;
	}
	const uint64_t bound = r->lifetimes - index;
	rust_put(r, "'");
	if (!index) {
		rust_put(r, "_");
	} else if (bound < 26) {
		rust_put_bytes(r, &"abcdefghijklmnopqrstuvwxyz"[bound], 1);
	} else {
		rust_put(r, "_");
		rust_put_number(r, bound);
	}
}

/* for<'a, 'b> around what the rule writes. */
static void in_binder(struct rust_name *r, rust_rule *rule)
{
	const uint64_t count = rust_eat(r, 'G') ? rust_base62(r) + 1 : 0;
	const uint64_t outer = r->lifetimes;

	for (uint64_t i = 0; i < count && !r->silent && !r->failed; i++) {
		rust_put(r, i ? ", " : "for<");
		r->lifetimes++;
		put_lifetime(r, 1);
	}
	rust_put(r, count ? "> " : "");
	rule(r);
	r->lifetimes = outer;
}

static void put_generic_argument(struct rust_name *r)
{
	if (rust_eat(r, 'L'))
		put_lifetime(r, rust_base62(r));
	else if (rust_eat(r, 'K'))
		rust_constant(r);
	else
		rust_type(r);
}

static void put_argument_list(struct rust_name *r)
{
	rust_list(r, put_generic_argument, ", ");
}

void rust_generic_arguments(struct rust_name *r)
{
	if (r->fold) {
		rust_put(r, "...");
		skip(r, put_argument_list);
	} else {
		put_argument_list(r);
	}
}

/* {closure#0}, {shim:vtable#0}: what has no name in the source. */
static void put_special(struct rust_name *r, char kind, uint64_t number,
			const struct rust_identifier *id)
{
	rust_put(r, "::{");
	if (kind == 'C')
		rust_put(r, "closure");
	else if (kind == 'S')
		rust_put(r, "shim");
	else
		rust_put_bytes(r, &kind, 1);
	if (id->ascii_size || id->punycode_size) {
		rust_put(r, ":");
		rust_put_identifier(r, id);
	}
	rust_put(r, "#");
	rust_put_number(r, number);
	rust_put(r, "}");
}

static void put_nested(struct rust_name *r, rust_rule *parent)
{
	const char kind = rust_next(r);

	parent(r);
	const uint64_t number = rust_disambiguator(r);
	const struct rust_identifier id = rust_plain_identifier(r);
	if (kind >= 'A' && kind <= 'Z') {
		put_special(r, kind, number, &id);
	} else if (kind < 'a' || kind > 'z') {
		rust_fail(r);
	} else if (id.ascii_size || id.punycode_size) {
		rust_put(r, "::");
		rust_put_identifier(r, &id);
	}
}

static void put_crate(struct rust_name *r)
{
	const struct rust_identifier id = rust_identifier(r);

	rust_put_identifier(r, &id);
}

/* Where an implementation is says less than for which type it is. */
static void skip_place(struct rust_name *r)
{
	rust_disambiguator(r);
	skip(r, rust_path);
}

static void put_inherent(struct rust_name *r)
{
	rust_put(r, "<");
	rust_type(r);
	rust_put(r, ">");
}

static void put_of_trait(struct rust_name *r)
{
	rust_put(r, "<");
	rust_type(r);
	rust_put(r, " as ");
	rust_path(r);
	rust_put(r, ">");
}

static void put_generic(struct rust_name *r, rust_rule *path)
{
	path(r);
	rust_put(r, path == rust_value_path ? "::<" : "<");
	rust_generic_arguments(r);
	rust_put(r, ">");
}

static void put_path_of(struct rust_name *r, char tag, rust_rule *same)
{
	switch (tag) {
	case 'B':
		rust_back_reference(r, same);
		break;
	case 'C':
		put_crate(r);
		break;
	case 'I':
		put_generic(r, same);
		break;
	case 'M':
		skip_place(r);
		put_inherent(r);
		break;
	case 'N':
		put_nested(r, same);
		break;
	case 'X':
		skip_place(r);
		put_of_trait(r);
		break;
	case 'Y':
		put_of_trait(r);
		break;
	default:
		rust_fail(r);
	}
}

static void put_path(struct rust_name *r, rust_rule *same)
{
	const char tag = rust_next(r);

	if (!rust_enter(r))
		return;
	put_path_of(r, tag, same);
	rust_leave(r);
}

void rust_path(struct rust_name *r)
{
	put_path(r, rust_path);
}

void rust_value_path(struct rust_name *r)
{
	put_path(r, rust_value_path);
}

static void put_reference_to(struct rust_name *r, const char *kind)
{
	rust_put(r, "&");
	if (rust_eat(r, 'L')) {
		const uint64_t lifetime = rust_base62(r);

		if (lifetime) {
			put_lifetime(r, lifetime);
			rust_put(r, " ");
		}
	}
	rust_put(r, kind);
	rust_type(r);
}

static void put_slice(struct rust_name *r, bool has_length)
{
	rust_put(r, "[");
	rust_type(r);
	if (has_length) {
		rust_put(r, "; ");
		rust_constant_value(r);
	}
	rust_put(r, "]");
}

static void put_tuple_type(struct rust_name *r)
{
	rust_put(r, "(");
	rust_put(r, rust_list(r, rust_type, ", ") == 1 ? ",)" : ")");
}

/* Underscores stand for the dashes of "system-unwind". */
static void put_abi(struct rust_name *r)
{
	struct rust_identifier abi = { .ascii = "C", .ascii_size = 1 };

	if (!rust_eat(r, 'C'))
		abi = rust_plain_identifier(r);
	if (!abi.ascii_size || abi.punycode_size)
		rust_fail(r);
	rust_put(r, "extern \"");
	for (size_t i = 0; i < abi.ascii_size; i++)
		rust_put_bytes(r, abi.ascii[i] == '_' ? "-" : &abi.ascii[i], 1);
	rust_put(r, "\" ");
}

static void put_signature(struct rust_name *r)
{
	if (rust_eat(r, 'U'))
		rust_put(r, "unsafe ");
	if (rust_eat(r, 'K'))
		put_abi(r);
	rust_put(r, "fn(");
	rust_list(r, rust_type, ", ");
	rust_put(r, ")");
	if (rust_eat(r, 'u'))
		return; /* it returns nothing */
	rust_put(r, " -> ");
	rust_type(r);
}

/* A path of which the angle bracket is still open, if it has one: bindings may follow. */
static bool put_open_path(struct rust_name *r)
{
	const size_t after_tag = r->at + 1;
	bool open = false;

	if (rust_eat(r, 'B')) {
		const uint64_t to = rust_base62(r);
		const size_t after = r->at;

		if (to + 1 >= after_tag || !rust_enter(r))
			rust_fail(r);
		if (r->failed)
			return false;
		if (!r->silent) {
			r->at = (size_t)to;
			open = put_open_path(r);
			r->at = after;
		}
		rust_leave(r);
	} else if (rust_eat(r, 'I')) {
		rust_path(r);
		rust_put(r, "<");
		rust_generic_arguments(r);
		open = true;
	} else {
		rust_path(r);
	}
	return open;
}

static void put_binding(struct rust_name *r)
{
	const struct rust_identifier name = rust_plain_identifier(r);

	rust_put_identifier(r, &name);
	rust_put(r, " = ");
	rust_type(r);
}

/* Iterator<Item = u8> */
static void put_dyn_trait(struct rust_name *r)
{
	bool open = put_open_path(r);

	for (; rust_eat(r, 'p'); open = true) {
		if (r->fold) {
			rust_put(r, open ? "" : "<...");
			skip(r, put_binding);
		} else {
			rust_put(r, open ? ", " : "<");
			put_binding(r);
		}
	}
	rust_put(r, open ? ">" : "");
}

static void put_dyn_traits(struct rust_name *r)
{
	rust_list(r, put_dyn_trait, " + ");
}

static void put_dyn(struct rust_name *r)
{
	rust_put(r, "dyn ");
	in_binder(r, put_dyn_traits);
	if (!rust_eat(r, 'L'))
		rust_fail(r);
	const uint64_t lifetime = rust_base62(r);
	if (lifetime) {
		rust_put(r, " + ");
		put_lifetime(r, lifetime);
	}
}

static void put_pattern(struct rust_name *r)
{
	if (!rust_enter(r))
		return;
	switch (rust_next(r)) {
	case 'R':
		rust_constant(r);
		rust_put(r, "..=");
		rust_constant(r);
		break;
	case 'O':
		rust_list(r, put_pattern, " | ");
		break;
	case 'N':
		rust_put(r, "!null");
		break;
	default:
		rust_fail(r);
	}
	rust_leave(r);
}

/* u32 is 1..=9 */
static void put_restricted(struct rust_name *r)
{
	rust_type(r);
	rust_put(r, " is ");
	put_pattern(r);
}

static void put_pointer(struct rust_name *r, const char *kind)
{
	rust_put(r, kind);
	rust_type(r);
}

static void put_type_of(struct rust_name *r, char tag)
{
	switch (tag) {
	case 'A':
	case 'S':
		put_slice(r, tag == 'A');
		break;
	case 'B':
		rust_back_reference(r, rust_type);
		break;
	case 'D':
		put_dyn(r);
		break;
	case 'F':
		in_binder(r, put_signature);
		break;
	case 'O':
	case 'P':
		put_pointer(r, tag == 'O' ? "*mut " : "*const ");
		break;
	case 'Q':
	case 'R':
		put_reference_to(r, tag == 'Q' ? "mut " : "");
		break;
	case 'T':
		put_tuple_type(r);
		break;
	case 'W':
		put_restricted(r);
		break;
	default:
		r->at--;
		rust_path(r);
	}
}

void rust_type(struct rust_name *r)
{
	const char tag = rust_next(r);
	const char *basic = basic_types[(unsigned char)tag & 127];

	if (basic) {
		rust_put(r, basic);
		return;
	}
	if (!rust_enter(r))
		return;
	put_type_of(r, tag);
	rust_leave(r);
}

static bool is_path(char tag)
{
	return tag >= 'A' && tag <= 'Z';
}

bool demangle_rust_v0(const struct mangled_name *name, struct buffer *text)
{
	struct rust_name r = { .text = name->text + 2,
			       .size = name->size - 2,
			       .out = text,
			       .from = text->size,
			       .fold = name->fold };

	/* a number would be the version of a later mangling */
	if (!is_path(rust_peek(&r)))
		return false;
	rust_value_path(&r);
	if (is_path(rust_peek(&r)))
		skip(&r, rust_path); /* the crate that needed this instance */
	return !r.failed && demangle_clones(r.text + r.at, r.size - r.at, text);
}
