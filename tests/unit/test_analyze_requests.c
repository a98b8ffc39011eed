/* SPDX-License-Identifier: MIT */
/* Requests from each of their sources, complete and incomplete. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "analyze/requests.h"
#include "analyze/requests_table.h"
#include "source_events.h"

#define HOSTING "Microsoft.AspNetCore.Hosting/"
#define KESTREL "Microsoft-AspNetCore-Server-Kestrel/"
#define HTTP	"System.Net.Http/"
#define SPANS	"Microsoft-Diagnostics-DiagnosticSource/"
#define LOGS	"Microsoft-Extensions-Logging/"

static void groups_requests_by_path_with_percentiles(void **state)
{
	const struct request_table *table;
	struct source s;
	const struct requests *r = source_begin(&s, &request_analysis, NULL);

	(void)state;
	for (int64_t i = 0; i < 10; i++) {
		const char *path =
			i == 9 ? "method=POST;path=/orders" : "method=GET;path=/orders?a=1";

		source_event(&s, 1000 * i, HOSTING "RequestStart", "//1/2/", path);
		source_event(&s, 1000 * i + 10 * (i + 1), HOSTING "RequestStop", "//1/2/", "");
	}
	pass_finish(&s.pass, NULL);
	table = requests_server(r);
	assert_ptr_equal(table, &r->tables[REQUEST_HOSTING]);
	assert_null(requests_client(r));
	assert_int_equal(table->all.count, 10);
	assert_int_equal(table->group_count, 2);
	assert_string_equal(table->groups[0]->name, "/orders"); /* without the query */
	assert_string_equal(table->groups[0]->method, "GET");
	assert_int_equal(table->groups[0]->count, 9);
	assert_int_equal(table->groups[0]->p50_ns, 50);
	assert_int_equal(table->groups[0]->max_ns, 90);
	assert_string_equal(table->groups[1]->method, "POST");
	assert_int_equal(table->all.p50_ns, 50);
	assert_int_equal(table->all.p95_ns, 100);
	assert_int_equal(table->all.total_ns, 550);
	assert_int_equal(table->slowest_count, 10);
	assert_int_equal(table->slowest[0]->time_ns, 100);
	assert_int_equal(table->all.statuses[0].code, REQUEST_NO_STATUS);
	source_release(&s);
}

static void takes_the_status_from_logs_spans_and_exceptions(void **state)
{
	const struct request_table *table;
	struct source s;
	const struct requests *r = source_begin(&s, &request_analysis, NULL);

	(void)state;
	source_event(&s, 0, HOSTING "RequestStart", "//1/1/", "method=GET;path=/a");
	source_event(&s, 5, LOGS "FormattedMessage", "//1/1/2/",
		     "LoggerName=Microsoft.AspNetCore.Hosting.Diagnostics;"
		     "FormattedMessage=Request finished HTTP/1.1 GET http://h/a - 404 - - 1ms;"
		     "ActivityTraceId=0123456789abcdef0123456789abcdef;"
		     "ActivitySpanId=0123456789abcdef");
	source_event(&s, 6, LOGS "FormattedMessage", "//1/1/2/",
		     "LoggerName=Shop;FormattedMessage=Request finished x - 201 y");
	source_event(&s, 9, HOSTING "RequestStop", "//1/1/", "");
	source_event(&s, 10, HOSTING "RequestStart", "//1/2/", "method=GET;path=/a");
	source_event(&s, 15, SPANS "ActivityStop", "//1/2/1/",
		     "SourceName=Microsoft.AspNetCore;"
		     "ActivityName=Microsoft.AspNetCore.Hosting.HttpRequestIn;"
		     "Arguments[TraceId=ffffffffffffffffffffffffffffffff,StatusCode=200]");
	source_event(&s, 19, HOSTING "RequestStop", "//1/2/", "");
	source_event(&s, 20, HOSTING "RequestStart", "//1/3/", "method=GET;path=/a");
	source_event(&s, 22, HOSTING "UnhandledException", "//1/3/4/", "");
	source_event(&s, 39, HOSTING "RequestStop", "//1/3/", "");
	source_event(&s, 40, HOSTING "RequestStart", "//1/4/", "method=GET;path=/a");
	source_event(&s, 44, LOGS "Message", "//1/4/1/",
		     "LoggerName=Microsoft.AspNetCore.Hosting.Diagnostics;"
		     "Arguments[Method=GET,StatusCode=503]");
	source_event(&s, 50, HOSTING "RequestStop", "//1/4/", "");
	pass_finish(&s.pass, NULL);
	table = requests_server(r);
	assert_int_equal(table->all.status_count, 4);
	assert_int_equal(table->all.statuses[0].code, REQUEST_EXCEPTION);
	assert_int_equal(table->all.statuses[1].code, 200);
	assert_int_equal(table->all.statuses[2].code, 404);
	assert_int_equal(table->all.statuses[3].code, 503);
	assert_int_equal(table->all.failed, 2);
	assert_true(table->slowest[0]->failed); /* of 19 ns */
	assert_int_equal(table->slowest[3]->status, 200);
	assert_string_equal(table->slowest[3]->trace_id, "ffffffffffffffffffffffffffffffff");
	assert_string_equal(table->slowest[2]->trace_id, "0123456789abcdef0123456789abcdef");
	assert_string_equal(table->slowest[2]->span_id, "0123456789abcdef");
	source_release(&s);
}

static void breaks_down_the_time_of_an_outgoing_request(void **state)
{
	const struct request_table *table;
	const struct request *request;
	struct source s;
	const struct requests *r = source_begin(&s, &request_analysis, NULL);

	(void)state;
	source_event(&s, 0, HTTP "RequestStart", "//1/",
		     "scheme=https;host=shop;port#443;pathAndQuery=/a?b");
	source_event(&s, 10, "System.Net.NameResolution/ResolutionStart", "//1/1/",
		     "hostNameOrAddress=shop");
	source_event(&s, 30, "System.Net.NameResolution/ResolutionStop", "//1/1/", "");
	source_event(&s, 30, "System.Net.Sockets/ConnectStart", "//1/2/",
		     "address=InterNetwork:16:{31,144,10,0,0,1,0,0,0,0,0,0,0,0}");
	source_event(&s, 35, "System.Net.Sockets/ConnectStop", "//1/2/", "");
	source_event(&s, 35, "System.Net.Security/HandshakeStart", "//1/3/", "targetHost=shop");
	source_event(&s, 42, "System.Net.Security/HandshakeStop", "//1/3/", "");
	source_event(&s, 43, HTTP "ConnectionEstablished", "//1/", "");
	source_event(&s, 50, HTTP "RequestLeftQueue", "//1/", "timeOnQueueMilliseconds%0.00004");
	source_event(&s, 50, HTTP "RequestHeadersStart", "//1/4/", "");
	source_event(&s, 53, HTTP "RequestHeadersStop", "//1/4/", "");
	source_event(&s, 153, HTTP "ResponseHeadersStart", "//1/5/", "");
	source_event(&s, 155, HTTP "ResponseHeadersStop", "//1/5/", "statusCode#201");
	source_event(&s, 160, HTTP "ResponseContentStart", "//1/6/", "");
	source_event(&s, 190, HTTP "ResponseContentStop", "//1/6/", "");
	source_event(&s, 200, HTTP "RequestStop", "//1/", "statusCode#201");
	source_event(&s, 300, HTTP "RequestStart", "//2/",
		     "scheme=http;host=shop;port#8080;pathAndQuery=/");
	source_event(&s, 310, HTTP "RequestFailed", "//2/", "");
	source_event(&s, 311, HTTP "RequestStop", "//2/", "statusCode#-1");
	pass_finish(&s.pass, NULL);
	table = requests_client(r);
	assert_ptr_equal(table, &r->tables[REQUEST_HTTP_CLIENT]);
	assert_string_equal(table->groups[0]->name, "http://shop:8080/");
	assert_string_equal(table->groups[1]->name, "https://shop/a");
	assert_int_equal(table->groups[0]->failed, 1);
	assert_int_equal(table->groups[0]->statuses[0].code, REQUEST_EXCEPTION);
	request = table->slowest[0];
	assert_int_equal(request->time_ns, 200);
	assert_int_equal(request->status, 201);
	assert_int_equal(request->waits_ns[REQUEST_DNS], 20);
	assert_int_equal(request->waits_ns[REQUEST_CONNECT], 5);
	assert_int_equal(request->waits_ns[REQUEST_TLS], 7);
	assert_int_equal(request->waits_ns[REQUEST_QUEUE], 40);
	assert_int_equal(request->waits_ns[REQUEST_SEND], 3);
	assert_int_equal(request->waits_ns[REQUEST_ANSWER], 100);
	assert_int_equal(request->waits_ns[REQUEST_RECEIVE], 32);
	assert_int_equal(r->connections, 1);
	assert_int_equal(r->tables[REQUEST_OPERATION].group_count, 3);
	assert_string_equal(r->tables[REQUEST_OPERATION].groups[0]->name, "10.0.0.1:8080");
	source_release(&s);
}

/* An incoming request: its outgoing requests, lock contention, and GCs. */
static void breaks_down_the_time_of_an_incoming_request(void **state)
{
	static const uint8_t for_gc[10] = { 1 };
	static const uint8_t for_sampler[10] = { 0 };
	const double lock_ns = 12;
	uint8_t contention[11] = { 0 };
	const struct request *request;
	struct source s;
	const struct requests *r = source_begin(&s, &request_analysis, NULL);

	(void)state;
	memcpy(contention + 3, &lock_ns, sizeof(lock_ns));
	source_event(&s, 0, HOSTING "RequestStart", "//1/", "method=GET;path=/");
	source_event(&s, 1, KESTREL "RequestStart", "//1/1/", "requestId=A:1;path=/;method=GET");
	source_event(&s, 10, HTTP "RequestStart", "//1/1/1/", "scheme=http;host=a;pathAndQuery=/x");
	source_event(&s, 15, HTTP "RequestStop", "//1/1/1/", "statusCode#200");
	source_event(&s, 20, HTTP "RequestStart", "//1/1/2/", "scheme=http;host=b;pathAndQuery=/y");
	source_event(&s, 50, HTTP "RequestStop", "//1/1/2/", "statusCode#200");
	source_runtime(&s, 60, 9, 1, NULL, for_gc, sizeof(for_gc));
	source_runtime(&s, 67, 3, 1, NULL, for_gc, 2);
	source_runtime(&s, 70, 9, 1, NULL, for_sampler, sizeof(for_sampler));
	source_runtime(&s, 75, 3, 1, NULL, for_gc, 2);
	source_runtime(&s, 80, 91, 1, "//1/1/", contention, sizeof(contention));
	source_runtime(&s, 81, 80, 1, "//1/1/", for_gc, sizeof(for_gc));
	source_event(&s, 90, KESTREL "RequestStop", "//1/1/", "requestId=A:1;path=/;method=GET");
	source_event(&s, 100, HOSTING "RequestStop", "//1/", "");
	pass_finish(&s.pass, NULL);
	assert_int_equal(r->tables[REQUEST_KESTREL].all.count, 1);
	request = requests_server(r)->slowest[0];
	assert_int_equal(request->time_ns, 100);
	assert_int_equal(request->waits_ns[REQUEST_CALLS], 35);
	assert_int_equal(request->calls, 2);
	assert_string_equal(request->call, "http://b/y");
	assert_int_equal(request->call_ns, 30);
	assert_int_equal(request->waits_ns[REQUEST_GC], 7);
	assert_int_equal(request->waits_ns[REQUEST_LOCKS], 12);
	assert_int_equal(request->exceptions, 1);
	source_release(&s);
}

/* Without activities: a single request can be paired, two at a time cannot. */
static void pairs_unambiguous_requests_without_activities(void **state)
{
	const struct request_table *table;
	struct source s;
	const struct requests *r = source_begin(&s, &request_analysis, NULL);

	(void)state;
	source_event(&s, 0, HOSTING "RequestStart", NULL, "method=GET;path=/a");
	source_event(&s, 7, HOSTING "RequestStop", NULL, "");
	source_event(&s, 10, HOSTING "RequestStart", NULL, "method=GET;path=/a");
	source_event(&s, 11, HOSTING "RequestStart", NULL, "method=GET;path=/b");
	source_event(&s, 12, HOSTING "RequestStop", NULL, "");
	source_event(&s, 13, HOSTING "RequestStop", NULL, "");
	source_event(&s, 20, HOSTING "RequestStart", NULL, "method=GET;path=/b");
	source_event(&s, 25, HOSTING "RequestStop", NULL, "");
	source_event(&s, 30, HOSTING "RequestStop", NULL, "");
	source_event(&s, 31, KESTREL "RequestStart", NULL, "requestId=A:1;path=/;method=GET");
	source_event(&s, 32, KESTREL "RequestStart", NULL, "requestId=A:2;path=/;method=GET");
	source_event(&s, 34, KESTREL "RequestStop", NULL, "requestId=A:1;path=/;method=GET");
	pass_finish(&s.pass, NULL);
	table = requests_server(r);
	assert_int_equal(table->all.count, 4);
	assert_int_equal(table->all.timed, 2);
	assert_int_equal(table->all.unfinished, 0);
	assert_int_equal(table->began_before, 1);
	assert_int_equal(table->slowest[0]->time_ns, 7);
	assert_int_equal(table->slowest[1]->time_ns, 5);
	/* Kestrel's requests have their own ids */
	assert_int_equal(r->tables[REQUEST_KESTREL].all.timed, 1);
	assert_int_equal(r->tables[REQUEST_KESTREL].all.max_ns, 3);
	assert_int_equal(r->tables[REQUEST_KESTREL].all.unfinished, 1);
	source_release(&s);
}

static void finds_requests_by_their_spans_alone(void **state)
{
	const struct request_table *table;
	struct source s;
	const struct requests *r = source_begin(&s, &request_analysis, NULL);

	(void)state;
	source_event(&s, 100, SPANS "Activity1Start", "//1/",
		     "SourceName=Microsoft.AspNetCore;"
		     "EventName=Microsoft.AspNetCore.Hosting.HttpRequestIn.Start;"
		     "Arguments[Path=/a,Method=GET]");
	source_event(&s, 150, SPANS "ActivityStop", "//1/2/",
		     "SourceName=Microsoft.AspNetCore;"
		     "ActivityName=Microsoft.AspNetCore.Hosting.HttpRequestIn;"
		     "Arguments[http.response.status_code=204]");
	source_event(&s, 1000, SPANS "ActivityStop", NULL,
		     "SourceName=Shop;ActivityName=load;Arguments[DurationTicks=3]");
	source_event(&s, 1000, SPANS "ActivityStop", NULL, "SourceName=Shop;ActivityName=lost");
	pass_finish(&s.pass, NULL);
	table = requests_server(r);
	assert_string_equal(requests_source_name(r, table), "diagnosticsource");
	assert_string_equal(table->groups[0]->name, "/a");
	assert_int_equal(table->slowest[0]->status, 204);
	assert_int_equal(table->slowest[0]->time_ns, 50);
	table = &r->tables[REQUEST_ACTIVITY];
	assert_int_equal(table->all.count, 1);
	assert_string_equal(table->groups[0]->name, "load");
	assert_string_equal(table->groups[0]->method, "Shop");
	assert_int_equal(table->slowest[0]->start_ns, 700);
	assert_int_equal(table->began_before, 1);
	source_release(&s);
}

static void honours_the_query(void **state)
{
	const struct event_query query = {
		.has_process = true, .process_id = 12, .from_ns = 100, .to_ns = 200
	};
	struct source s;
	const struct requests *r = source_begin(&s, &request_analysis, &query);

	(void)state;
	for (int64_t process = 11; process <= 12; process++)
		for (int64_t at = 50; at <= 250; at += 50) {
			s.process_id = process;
			source_event(&s, at, HOSTING "RequestStart", "//1/", "path=/a");
			source_event(&s, at + 1, HOSTING "RequestStop", "//1/", "");
		}
	pass_finish(&s.pass, NULL);
	assert_int_equal(requests_server(r)->all.count, 2);
	assert_int_equal(requests_server(r)->slowest_count, 2);
	assert_int_equal(r->seen, 10);
	source_release(&s);
}

/* The same id in two processes, and more slow requests than are kept. */
static void separates_processes(void **state)
{
	struct source s;
	const struct requests *r = source_begin(&s, &request_analysis, NULL);

	(void)state;
	source_event(&s, 0, HOSTING "RequestStart", "//1/", "path=/a");
	s.process_id = 12;
	source_event(&s, 5, HOSTING "RequestStart", "//1/", "path=/b");
	source_event(&s, 10, HOSTING "RequestStop", "//1/", "");
	s.process_id = 11;
	source_event(&s, 100, HOSTING "RequestStop", "//1/", "");
	pass_finish(&s.pass, NULL);
	assert_int_equal(requests_server(r)->slowest[0]->time_ns, 100);
	assert_string_equal(requests_server(r)->slowest[0]->group->name, "/a");
	assert_int_equal(requests_server(r)->slowest[1]->time_ns, 5);
	source_release(&s);
}

/* Metadata decides the type of a field: a path may be a number. */
static void survives_fields_of_another_type(void **state)
{
	struct source s;
	const struct requests *r = source_begin(&s, &request_analysis, NULL);

	(void)state;
	source_event(&s, 0, HOSTING "RequestStart", "//1/", "method#4711;path%1.5");
	source_event(&s, 1, HTTP "RequestStart", "//1/1/", "scheme#1;host#2;port=x;pathAndQuery#3");
	source_event(&s, 2, HTTP "RequestLeftQueue", "//1/1/", "timeOnQueueMilliseconds=soon");
	source_event(&s, 3, HTTP "RequestStop", "//1/1/", "statusCode=ok");
	source_event(&s, 4, LOGS "FormattedMessage", "//1/", "LoggerName#1;FormattedMessage#2");
	source_event(&s, 5, HOSTING "RequestStop", "//1/", "");
	pass_finish(&s.pass, NULL);
	assert_string_equal(requests_server(r)->groups[0]->name, "");
	assert_string_equal(requests_client(r)->groups[0]->name, "://");
	assert_int_equal(requests_client(r)->all.statuses[0].code, REQUEST_NO_STATUS);
	source_release(&s);
}

static void expect_address(const char *text, const char *expected)
{
	struct buffer out = { 0 };

	socket_address_text(text, &out);
	buffer_u8(&out, '\0');
	assert_string_equal((const char *)out.bytes, expected);
	buffer_release(&out);
}

static void shows_addresses_of_sockets(void **state)
{
	(void)state;
	expect_address("InterNetwork:16:{31,144,127,0,0,1,0,0,0,0,0,0,0,0}", "127.0.0.1:8080");
	expect_address("InterNetworkV6:28:{131,157,0,0,0,0,0,0,0,0,0,0,0,0,0,0,255,255,127,0,0,1,0,"
		       "0,0,0}",
		       "127.0.0.1:33693");
	expect_address("InterNetworkV6:28:{0,80,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0}",
		       "[::1]:80");
	expect_address("InterNetwork:16:{31,144,127}", "InterNetwork:16:{31,144,127}");
	expect_address("InterNetwork:16:{1,2,3,4,5,600}", "InterNetwork:16:{1,2,3,4,5,600}");
	expect_address("Unix:12:{47,116}", "Unix:12:{47,116}");
	expect_address("", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_requests_by_path_with_percentiles),
		cmocka_unit_test(takes_the_status_from_logs_spans_and_exceptions),
		cmocka_unit_test(breaks_down_the_time_of_an_outgoing_request),
		cmocka_unit_test(breaks_down_the_time_of_an_incoming_request),
		cmocka_unit_test(pairs_unambiguous_requests_without_activities),
		cmocka_unit_test(finds_requests_by_their_spans_alone),
		cmocka_unit_test(honours_the_query),
		cmocka_unit_test(separates_processes),
		cmocka_unit_test(survives_fields_of_another_type),
		cmocka_unit_test(shows_addresses_of_sockets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
