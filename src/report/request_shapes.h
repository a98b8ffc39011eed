/* SPDX-License-Identifier: MIT */
/*
 * request_shapes.h - groups of requests and single ones as rows of a result.
 */
#ifndef REPORT_REQUEST_SHAPES_H
#define REPORT_REQUEST_SHAPES_H

#include "analyze/requests.h"
#include "report/result.h"

/* struct request_group: requests, operations of the network, activities. */
extern const struct result_shape request_group_shape, operation_shape, activity_group_shape;

/* struct request: one of the slowest. */
extern const struct result_shape request_shape;
void make_request_status(const void *row, struct result_value *value, struct arena *arena);

/* For a shape of a struct that points to a request_group by `pointer_`. */
bool request_group_is_timed(const struct request_group *group);

/* Without any status, or an exception in its place, nothing is known of failures either. */
bool request_group_has_status(const struct request_group *group);

/* One of a UNIT_MAP: how many requests ended with a status, or waited for something how long. */
bool request_status_entry(const struct request_group *group, size_t index,
			  struct result_entry *entry, struct arena *arena);
bool request_wait_entry(const int64_t *waits_ns, size_t index, struct result_entry *entry);

#endif
