/* SPDX-License-Identifier: MIT */
/*
 * requests.h - HTTP requests answered and made: how many, how long, and what they waited for.
 *
 * Several sources report the same request (one that is answered is reported by ASP.NET Core and
 * Kestrel), so each has a table of its own, and requests_server() and requests_client() are the
 * tables to show. A request's events are matched by activity id. Without activity ids, requests
 * that were alone at their time are matched all the same; others count, but have no time.
 *
 *	const struct requests *requests = pass_want(&pass, &request_analysis, NULL);
 *	...
 *	table = requests_server(requests);
 */
#ifndef ANALYZE_REQUESTS_H
#define ANALYZE_REQUESTS_H

#include "analyze/burst.h"
#include "analyze/open_activities.h"
#include "base/buffer.h"
#include "base/record_set.h"
#include "base/strings.h"
#include "pass/pass.h"

#define REQUESTS_SLOWEST 100 /* requests of each table that are kept */
#define REQUEST_STATUSES 32  /* of a group; further ones count as the last */

enum request_source {
	REQUEST_HOSTING,     /* ASP.NET Core */
	REQUEST_KESTREL,     /* its server */
	REQUEST_SERVER_SPAN, /* the same, by a DiagnosticSource */
	REQUEST_HTTP_CLIENT, /* HttpClient */
	REQUEST_CLIENT_SPAN, /* the same, by a DiagnosticSource */
	REQUEST_OPERATION,   /* DNS lookups, connects and handshakes: see `method` */
	REQUEST_CONNECTION,  /* of a server: waiting for one, and how long each was open */
	REQUEST_ACTIVITY,    /* any other activity of a DiagnosticSource */
	REQUEST_SOURCES,
};

/* Causes of waiting. */
enum request_wait {
	REQUEST_QUEUE, /* a free connection */
	REQUEST_DNS,
	REQUEST_CONNECT,
	REQUEST_TLS,
	REQUEST_SEND,	 /* until it was sent */
	REQUEST_ANSWER,	 /* from then to the answer's first bytes */
	REQUEST_RECEIVE, /* the rest of the answer */
	REQUEST_CALLS,	 /* requests that it made itself */
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
	struct request_group *next;
	const char *name;   /* a path, a URL without its query, a host */
	const char *method; /* or the kind of operation; or "" */
	uint64_t count;	    /* of those that started */
	uint64_t failed;    /* with an exception, or a status from 500 on */
	uint64_t unfinished;
	int64_t *times; /* of those whose time is known; sorted at the end */
	size_t timed, capacity;
	int64_t total_ns, p50_ns, p95_ns, p99_ns, max_ns;
	struct request_status statuses[REQUEST_STATUSES]; /* sorted at the end */
	size_t status_count;
	int64_t waits_ns[REQUEST_WAITS];
};

struct request {
	struct request_group *group;
	enum request_source source;
	bool wanted; /* the query asks for it */
	bool failed;
	bool unclear; /* several were open when one of them ended */
	int status;
	int64_t process_id, thread_id;
	int64_t start_ns;
	int64_t time_ns; /* -1: unknown */
	int64_t waits_ns[REQUEST_WAITS];
	int64_t phase_ns;	    /* when its last phase started or ended */
	int64_t paused_ns;	    /* of the process, when it started */
	uint32_t calls;		    /* requests that it made */
	uint32_t exceptions;	    /* thrown in it */
	const char *call;	    /* the slowest of those requests, or NULL */
	int64_t call_ns;	    /* its time */
	char trace_id[33];	    /* W3C, or "" */
	char span_id[17];	    /* the same */
	struct activity_key key;    /* of its activity; size 0: none */
	struct open_activity *span; /* the same while it is open, or NULL */
	struct request *next;	    /* without an activity, or free */
};

struct request_table {
	struct request_group **groups; /* at the end, most frequent first */
	size_t group_count;
	struct record_set groups_by_name;
	struct request_group all; /* of all groups */
	struct burst burst;	  /* of those that began */
	struct request *slowest[REQUESTS_SLOWEST];
	size_t slowest_count;	  /* at the end, longest first */
	struct request *nameless; /* open ones without an activity, newest first */
	size_t nameless_count;
	uint64_t began_before; /* the trace: only their ends are in it */
};

struct requests {
	struct strings names;
	struct open_activities spans;
	struct request_table tables[REQUEST_SOURCES];
	struct request *free;
	struct buffer scratch;
	struct map pauses;    /* by process */
	uint64_t connections; /* that HttpClient opened */
	uint64_t seen;	      /* all, wanted by the query or not */
};

extern const struct analysis request_analysis;

/* The table of the source with most details; NULL if there is none. */
const struct request_table *requests_server(const struct requests *requests);
const struct request_table *requests_client(const struct requests *requests);

/* Of the table: "aspnetcore", "httpclient", ... */
const char *requests_source_name(const struct requests *requests,
				 const struct request_table *table);
const char *request_wait_name(enum request_wait wait);

#endif
