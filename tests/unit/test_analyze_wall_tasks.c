/* SPDX-License-Identifier: MIT */
/*
 * Awaits as .NET's own library counts them, and stacks as it joins them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "analyze/wall_tasks.h"
#include "clr/providers.h"
#include "source_events.h"

#define BLOCKING     1
#define ASYNCHRONOUS 2

static void tpl(struct source *s, uint32_t id, int64_t now, int64_t thread, int task, int behavior)
{
	char fields[80];

	snprintf(fields, sizeof(fields), "scheduler#1;originating#0;task#%d;behavior#%d", task,
		 behavior);
	s->thread_id = thread;
	s->id = id;
	source_event(s, now, TPL_PROVIDER "/", NULL, fields);
	s->id = 0;
}

static void waits(struct source *s, int64_t now, int64_t thread, int task)
{
	tpl(s, 10, now, thread, task, ASYNCHRONOUS);
}

static void ends(struct source *s, int64_t now, int64_t thread, int task)
{
	tpl(s, 11, now, thread, task, 0);
}

static struct wall_tasks *begin(struct source *s)
{
	source_init(s, NULL);
	return pass_want(&s->pass, &wall_tasks_analysis, NULL);
}

static void expect(const struct wall_tasks *w, size_t place, int64_t from_ns, int64_t to_ns)
{
	assert_true(place < w->wait_count);
	assert_int_equal(w->waits[place].from_ns, from_ns);
	assert_int_equal(w->waits[place].to_ns, to_ns);
}

static void of_awaits_begun_by_one_task_the_first_to_end_counts(void **state)
{
	struct source s;
	struct wall_tasks *w = begin(&s);

	(void)state;
	waits(&s, 10, 7, 1);
	waits(&s, 11, 7, 2);
	waits(&s, 12, 7, 3);
	ends(&s, 50, 8, 2);
	ends(&s, 51, 8, 1);
	waits(&s, 60, 7, 4); /* the next round */
	ends(&s, 70, 9, 4);
	ends(&s, 71, 9, 3);
	ends(&s, 72, 9, 9); /* not begun */
	assert_int_equal(w->wait_count, 2);
	expect(w, 0, 11, 50);
	expect(w, 1, 60, 70);
	source_release(&s);
}

static void awaits_in_a_row_all_count(void **state)
{
	struct source s;
	struct wall_tasks *w = begin(&s);

	(void)state;
	waits(&s, 10, 7, 1);
	ends(&s, 20, 8, 1);
	waits(&s, 21, 8, 2);
	ends(&s, 30, 8, 2); /* the first continuation has ended */
	waits(&s, 31, 8, 3);
	ends(&s, 40, 8, 3);
	assert_int_equal(w->wait_count, 3);
	expect(w, 1, 21, 30);
	expect(w, 2, 31, 40);
	source_release(&s);
}

static void a_blocking_wait_counts_and_ends_at_once(void **state)
{
	struct source s;
	struct wall_tasks *w = begin(&s);
	uint32_t before;

	(void)state;
	tpl(&s, 10, 10, 7, 1, BLOCKING);
	before = w->threads[0].current;
	ends(&s, 20, 7, 1);
	assert_int_equal(w->wait_count, 1);
	expect(w, 0, 10, 20);
	assert_int_equal(w->threads[0].current, before);
	source_release(&s);
}

static void a_task_ends_with_all_that_its_thread_began_since(void **state)
{
	struct source s;
	struct wall_tasks *w = begin(&s);
	uint32_t own;

	(void)state;
	waits(&s, 5, 8, 9);
	own = w->threads[0].current;
	tpl(&s, 7, 10, 8, 1, 0);
	tpl(&s, 8, 20, 8, 1, 0);
	ends(&s, 30, 8, 9);
	assert_int_not_equal(w->threads[0].current, own);
	tpl(&s, 9, 40, 8, 77, 0); /* not known: nothing ends */
	assert_int_not_equal(w->threads[0].current, own);
	tpl(&s, 9, 50, 8, 1, 0);
	assert_int_equal(w->threads[0].current, own);
	tpl(&s, 9, 60, 8, 1, 0); /* once more */
	assert_int_equal(w->threads[0].current, own);
	source_release(&s);
}

#define MS INT64_C(1000000)

/* A request begins in a task, which ends; from then on nobody works on it. */
static struct wall_tasks *begin_request(struct source *s)
{
	struct wall_tasks *w = begin(s);

	tpl(s, 7, 0, 7, 5, 0);
	tpl(s, 8, 1 * MS, 8, 5, 0);
	source_event(s, 2 * MS, "Demo/RequestStart", "//1/", "path=/a;port#40379");
	waits(s, 3 * MS, 8, 1);
	tpl(s, 7, 3 * MS, 8, 6, 0);
	tpl(s, 9, 4 * MS, 8, 5, 0);
	return w;
}

static void stop_request(struct source *s, int64_t now)
{
	s->thread_id = 9;
	source_event(s, now, "Demo/RequestStop", "//1/", "");
}

static void time_of_an_activity_that_nobody_works_on_is_unknown(void **state)
{
	struct source s;
	struct wall_tasks *w = begin_request(&s);

	(void)state;
	tpl(&s, 8, 10 * MS, 9, 6, 0);
	assert_int_equal(w->wait_count, 0); /* an await may still explain it */
	stop_request(&s, 12 * MS);
	assert_int_equal(w->wait_count, 1);
	expect(w, 0, 4 * MS, 10 * MS);
	assert_int_equal(w->waits[0].task, 0);
	assert_int_equal(w->waits[0].activity, 1);
	source_release(&s);
}

static void an_await_explains_it(void **state)
{
	struct source s;
	struct wall_tasks *w = begin_request(&s);

	(void)state;
	tpl(&s, 8, 6 * MS, 9, 6, 0); /* unknown so far */
	tpl(&s, 9, 7 * MS, 9, 6, 0);
	ends(&s, 9 * MS, 9, 1);
	stop_request(&s, 12 * MS);
	assert_int_equal(w->wait_count, 1);
	expect(w, 0, 3 * MS, 9 * MS);
	assert_int_not_equal(w->waits[0].task, 0);
	assert_int_equal(w->waits[0].activity, 1);
	source_release(&s);
}

static const struct wall_change *last_change(const struct wall_tasks *w, size_t thread)
{
	assert_true(w->threads[thread].change_count > 0);
	return &w->threads[thread].last;
}

/* Activities in one another; a stop event is still in the activity that it stops. */
static void an_activity_stops_with_the_event_after_its_stop(void **state)
{
	struct source s;
	struct wall_tasks *w = begin(&s);

	(void)state;
	source_event(&s, 1 * MS, "Demo/RequestStart", "//1/", "");
	s.related = "//1/";
	source_event(&s, 2 * MS, "Demo/QueryStart", "//1/1/", "");
	s.related = NULL;
	assert_int_equal(last_change(w, 0)->activity, 2);
	assert_int_equal(w->activities[1].creator, 1);
	source_event(&s, 3 * MS, "Demo/QueryStop", "//1/1/", "");
	assert_int_equal(last_change(w, 0)->activity, 2);
	source_event(&s, 4 * MS, "Demo/Note", NULL, "");
	assert_int_equal(last_change(w, 0)->activity, 1);
	source_event(&s, 5 * MS, "Demo/RequestStop", "//1/", "");
	source_event(&s, 6 * MS, "Demo/Note", NULL, "");
	assert_int_equal(last_change(w, 0)->activity, 0);
	source_event(&s, 7 * MS, "Demo/RequestStop", "//1/", "");		/* once more */
	source_event(&s, 8 * MS, "Demo/RequestStart", "!0123456789abcdef", ""); /* not a path */
	assert_int_equal(w->activity_count, 2);
	source_release(&s);
}

/* The labels of the last note, the event's name first. */
static void expect_note(const struct wall_tasks *w, const char *const *labels)
{
	uint32_t note = last_change(w, 0)->note;

	for (; *labels; labels++, note = w->notes.nodes[note].parent) {
		assert_int_not_equal(note, 0);
		assert_string_equal(w->labels[w->notes.nodes[note].frame], *labels);
	}
	assert_int_equal(note, 0);
}

static void events_and_their_fields_have_names(void **state)
{
	struct source s;
	struct wall_tasks *w = begin(&s);

	(void)state;
	source_event(&s, 1, "Demo/RequestStart", "//1/2/", "path=/a;port#40379;load%-1234.5678");
	assert_string_equal(w->activities[0].name, "Activity Request(//1/2/,/path=/a)");
	expect_note(w, (const char *const[]){
			       "EventName: Demo/Request/Start", "EventData: load=-1,234.568",
			       "EventData: port=40,379", "EventData: path=/a", NULL });
	source_event(&s, 2, "Microsoft-Diagnostics-DiagnosticSource/Activity1Start", "//1/3/",
		     "SourceName=Db;EventName=Query;Arguments[Sql=select,Host=,Rows=7]");
	assert_string_equal(w->activities[1].name,
			    "Activity Query(//1/3/,Sql=\"select\" Rows=\"7\")");
	expect_note(w, (const char *const[]){
			       "EventName: Microsoft-Diagnostics-DiagnosticSource/Activity1/Start",
			       "EventData: Arguments=[Sql->\"select\",Host->\"\",Rows->\"7\"]",
			       "EventData: EventName=Query", "EventData: SourceName=Db", NULL });
	source_release(&s);
}

static void of_too_many_values_new_ones_are_not_told_apart(void **state)
{
	enum { EVENTS = 70000, LABELS = 1 << 16 };
	struct source s;
	struct wall_tasks *w = begin(&s);
	char fields[40];

	(void)state;
	for (int i = 0; i < EVENTS; i++) {
		snprintf(fields, sizeof(fields), "id#%d", i);
		source_event(&s, i + 1, "Demo/Note", NULL, fields);
	}
	assert_int_equal(w->cut_notes, EVENTS - LABELS + 1); /* the event's name is a label */
	assert_int_equal(w->label_count, LABELS + 1);
	expect_note(w, (const char *const[]){ "EventName: Demo/Note", "EventData: id=...", NULL });
	source_event(&s, EVENTS + 1, "Demo/Note", NULL, "id#8");
	expect_note(w, (const char *const[]){ "EventName: Demo/Note", "EventData: id=8", NULL });
	source_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_awaits_begun_by_one_task_the_first_to_end_counts),
		cmocka_unit_test(awaits_in_a_row_all_count),
		cmocka_unit_test(a_blocking_wait_counts_and_ends_at_once),
		cmocka_unit_test(a_task_ends_with_all_that_its_thread_began_since),
		cmocka_unit_test(time_of_an_activity_that_nobody_works_on_is_unknown),
		cmocka_unit_test(an_await_explains_it),
		cmocka_unit_test(an_activity_stops_with_the_event_after_its_stop),
		cmocka_unit_test(events_and_their_fields_have_names),
		cmocka_unit_test(of_too_many_values_new_ones_are_not_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
