/* SPDX-License-Identifier: MIT */
/*
 * call_view.h - what views that count at stacks have in common: by method, module, class or thread,
 * as a call tree, and around one method.
 *
 *	struct alloc_result { ...; struct call_lists calls; };
 *
 *	static const struct result_field fields[] = {
 *		...
 *		AROUND_BYTES(struct alloc_result, calls, OPTIONAL),
 *		LIST(struct alloc_result, calls.methods, "methods", "", &methods_by_bytes,
 *		     .flags = OPTIONAL),
 *		CALL_LISTS(struct alloc_result, calls, "", bytes),
 *		FIELD_END,
 *	};
 *
 * In prepare() call_view_prepare(), in build() call_view_build() and then call_view_check(). The
 * view's arguments begin with struct call_view_args.
 */
#ifndef REPORT_CALL_VIEW_H
#define REPORT_CALL_VIEW_H

#include "report/methods.h"

struct call_view_args {
	struct view_args common;
	bool tree;
	const char *callers;
	const char *callees;
	const char *by;
	bool when; /* add a timeline to the rows, if they are of CPU samples */
};

/* clang-format off */
#define CALL_OPTIONS(type_) \
	OPTION(0, "tree", type_, tree, NULL, "show a call tree"), \
	OPTION(0, "callers", type_, callers, "METHOD", "show what calls this method"), \
	OPTION(0, "callees", type_, callees, "METHOD", "show what this method calls"), \
	OPTION(0, "by", type_, by, "method|module|class|thread", "what to list (default: method)"), \
	INCLUSIVE_OPTION(type_, common.inclusive), \
	STACK_OPTIONS(type_, common.stacks)
/* clang-format on */

/* Of views of events: the selection options, and those above. */
extern const struct option_spec call_view_options[];

/* One of them, as the arguments say; the others have no `first`. */
struct call_lists {
	struct result_rows methods, modules, classes, threads;
	struct result_rows tree, callers, callees, caller_tree, callee_tree;
	const char *method; /* that callers or callees are of; or NULL */
	const char *callers_of, *callees_of;
	struct call_row around; /* its figures */
	bool is_around;		/* it has some */
	const struct calltree *of;
};

/* NOLINTBEGIN(bugprone-macro-parentheses): a member cannot stand in any */
/* clang-format off */
#define CALL_LIST(type_, lists_, member_, title_, shape_, flags_) \
	LIST(type_, lists_.member_, #member_, title_, &(shape_), .flags = OPTIONAL | CSV | (flags_))

/* All but methods and threads. `by_` is cpu, time, bytes or count. */
#define CALL_LISTS(type_, lists_, title_, by_) \
	CALL_LIST(type_, lists_, modules, title_, modules_by_##by_, 0), \
	CALL_LIST(type_, lists_, classes, title_, classes_by_##by_, 0), \
	CALL_LIST(type_, lists_, callers, title_, methods_by_##by_, SINGLE), \
	CALL_LIST(type_, lists_, callees, title_, methods_by_##by_, SINGLE), \
	CALL_LIST(type_, lists_, tree, title_, tree_by_##by_, SINGLE | TREE), \
	CALL_LIST(type_, lists_, caller_tree, title_, caller_tree_by_##by_, SINGLE | TREE), \
	CALL_LIST(type_, lists_, callee_tree, title_, tree_by_##by_, SINGLE | TREE)

#define AROUND_METHOD(type_, lists_, flags_) \
	FIELD(type_, lists_.method, "method", NULL, UNIT_TEXT, .flags = (flags_)), \
	FIELD(type_, lists_.callers_of, "callers_of", "Callers of", UNIT_TEXT, .flags = SHOWN_PEOPLE), \
	FIELD(type_, lists_.callees_of, "callees_of", "Callees of", UNIT_TEXT, .flags = SHOWN_PEOPLE)
#define AROUND_AMOUNTS(type_, lists_, flags_, unit_, end_) \
	FIELD(type_, lists_.around.inclusive.weight, "inclusive_" end_, "Inclusive", unit_, \
	      KNOWN_IF(type_, lists_.is_around), .flags = (flags_)), \
	FIELD(type_, lists_.around.exclusive.weight, "exclusive_" end_, "Exclusive", unit_, \
	      KNOWN_IF(type_, lists_.is_around), .flags = (flags_))
#define AROUND_NUMBERS(type_, lists_, flags_, inclusive_, exclusive_) \
	FIELD(type_, lists_.around.inclusive.count, "inclusive", inclusive_, UNIT_COUNT, \
	      KNOWN_IF(type_, lists_.is_around), .flags = (flags_)), \
	FIELD(type_, lists_.around.exclusive.count, "exclusive", exclusive_, UNIT_COUNT, \
	      KNOWN_IF(type_, lists_.is_around), .flags = (flags_))

#define AROUND_TIME(type_, lists_, flags_) \
	AROUND_METHOD(type_, lists_, flags_), \
	AROUND_AMOUNTS(type_, lists_, flags_, UNIT_TIME, "ns"), \
	AROUND_NUMBERS(type_, lists_, flags_, NULL, NULL)
#define AROUND_BYTES(type_, lists_, flags_) \
	AROUND_METHOD(type_, lists_, flags_), \
	AROUND_AMOUNTS(type_, lists_, flags_, UNIT_SIZE, "bytes"), \
	AROUND_NUMBERS(type_, lists_, flags_, NULL, NULL)
#define AROUND_COUNT(type_, lists_, flags_) \
	AROUND_METHOD(type_, lists_, flags_), \
	AROUND_NUMBERS(type_, lists_, flags_, "Inclusive", "Exclusive")

#define AROUND_LINES(inclusive_, exclusive_) \
	{ "Callers of", "{callers_of}", NULL, false }, \
	{ "Callees of", "{callees_of}", NULL, false }, \
	{ "Inclusive", "{" inclusive_ "}", NULL, false }, \
	{ "Exclusive", "{" exclusive_ "}", NULL, false }
/* clang-format on */
/* NOLINTEND(bugprone-macro-parentheses) */

/* Checks the options against one another; modules and classes become groups. */
int call_view_prepare(struct report *report);

/* By thread, which the view lists itself. */
bool call_view_is_by_thread(const struct report *report);

/* A finished tree as the list that is asked for, of `rows` for people. */
void call_view_build(struct report *report, struct calltree *tree, enum method_order order,
		     size_t rows, struct call_lists *lists);

/* -1 with an error if the method that is asked for is in none of the lists, but others are. */
int call_view_check(struct report *report, const struct call_lists *lists, size_t count);

/* "CPU time, by module", or the view's own title. */
void call_view_title(struct report *report, const char *subject);

#endif
