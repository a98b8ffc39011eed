/* SPDX-License-Identifier: MIT */
/*
 * requests.h - requests that a program answers and makes: how many, how long, and waiting for what.
 *
 * Several sources report the same request, ASP.NET Core and Kestrel one that is answered, so
 * each has a table of its own, and requests_server() and requests_client() are the tables to
 * show. A request's events belong together by their activity ids; where a trace has none, those
 * that were alone at their time are known all the same, and the others count, but have no time.
 *
 *	const struct requests *requests = pass_want(&pass, &request_analysis, NULL);
 *	...
 *	table = requests_server(requests);
 */
#ifndef ANALYZE_REQUESTS_H
#define ANALYZE_REQUESTS_H

#include "analyze/open_activities.h"
#include "base/strings.h"
#include "base/buffer.h"
#include "pass/pass.h"

#define REQUESTS_SLOWEST 100 /* of each table that are kept one by one */
#define REQUEST_STATUSES 32  /* different ones that a group tells apart */

enum request_source {
	REQUEST_HOSTING,     /* ASP.NET Core */
	REQUEST_KESTREL,     /* its server */
	REQUEST_SERVER_SPAN, /* the same as a DiagnosticSource tells it */
	REQUEST_HTTP_CLIENT, /* HttpClient */
	REQUEST_CLIENT_SPAN, /* the same as a DiagnosticSource tells it */
	REQUEST_OPERATION,   /* names, connections and handshakes: `method` says which */
	REQUEST_ACTIVITY,    /* any other activity of a DiagnosticSource */
	REQUEST_SOURCES,
};

/* What a request may wait for. */
enum request_wait {
	REQUEST_QUEUE,	 /* for a connection to be free, or made */
	REQUEST_DNS,	 /* for a name's address */
	REQUEST_CONNECT, /* for a connection */
	REQUEST_TLS,	 /* for a handshake */
	REQUEST_SEND,	 /* until it was sent */
	REQUEST_ANSWER,	 /* from then to the answer's first bytes */
	REQUEST_RECEIVE, /* for the rest of the answer */
	REQUEST_CALLS,	 /* for requests that it made itself */
	REQUEST_LOCKS,
	REQUEST_GC,
	REQUEST_WAITS,
};

enum { /* statuses that no server sends */
       REQUEST_NO_STATUS = -1,
       REQUEST_EXCEPTION = -2,
};

struct request_status {
	int code;
	uint64_t count;
};

struct request_group {
	const char *name;   /* a path, a URL without its query, a host */
	const char *method; /* or what kind of operation it is; or "" */
	uint64_t count;	    /* of those that began */
	uint64_t failed;    /* with an exception, or a status from 500 on */
	uint64_t unfinished;
	int64_t *times; /* of those whose time is known; sorted at the end */
	size_t timed, capacity;
	int64_t total_ns, p50_ns, p95_ns, p99_ns, max_ns;
	struct request_status statuses[REQUEST_STATUSES]; /* sorted at the end */
	size_t status_count;
	int64_t waits_ns[REQUEST_WAITS];
	struct request_group *next; /* of equal hash */
};

struct request {
	struct request_group *group;
	enum request_source source;
	bool wanted; /* the query asks for it */
	bool failed;
	bool unclear; /* which one ended cannot be said */
	int status;
	int64_t process_id, thread_id;
	int64_t start_ns;
	int64_t time_ns; /* -1: not known */
	int64_t waits_ns[REQUEST_WAITS];
	int64_t phase_ns;	 /* when its last phase began, or ended */
	int64_t paused_ns;	 /* of the process, when it began */
	uint32_t calls;		 /* requests that it made */
	uint32_t exceptions;	 /* that were thrown in it */
	const char *call;	 /* the slowest of those requests, or NULL */
	int64_t call_ns;	 /* its time */
	char trace_id[33];	 /* W3C, or "" */
	char span_id[17];	 /* the same of the one span */
	struct activity_key key; /* of its activity; size 0: none */
	struct request *next;	 /* of those without an activity, or free */
};

struct request_table {
	struct request_group **groups; /* by count at the end, most first */
	size_t group_count, group_capacity;
	struct map by_name;	  /* chained by hash */
	struct request_group all; /* of all groups */
	struct request *slowest[REQUESTS_SLOWEST];
	size_t slowest_count;	  /* by time at the end, longest first */
	struct request *nameless; /* open ones without an activity, newest first */
	size_t nameless_count;
	uint64_t began_before; /* ends of what began before the trace */
};

struct requests {
	struct text_pool texts;
	struct arena arena;
	struct open_activities spans;
	struct request_table tables[REQUEST_SOURCES];
	struct request *free;
	struct buffer scratch;
	struct map pauses;    /* by process */
	uint64_t connections; /* that HttpClient opened */
	uint64_t seen;	      /* of all times, threads and processes */
};

extern const struct analysis request_analysis;

/* At the end of the pass: percentiles and order. */
void requests_sum_up(struct requests *requests);

/* The table of the source that knows most; NULL if there is none. */
const struct request_table *requests_server(const struct requests *requests);
const struct request_table *requests_client(const struct requests *requests);

/* Of the table: "aspnetcore", "httpclient", ... */
const char *requests_source_name(const struct requests *requests,
				 const struct request_table *table);
const char *request_wait_name(enum request_wait wait);

#endif
