/* SPDX-License-Identifier: MIT */
/*
 * report_requests.h - what the parts of the view `requests` share.
 */
#ifndef CLI_REPORT_REQUESTS_H
#define CLI_REPORT_REQUESTS_H

#include "analyze/requests.h"
#include "cli/report.h"

#define REQUEST_STATUS_TEXT 16

/* "200", "exception" or "unknown". */
const char *request_status_text(int code, char text[static REQUEST_STATUS_TEXT]);

void report_requests_json(struct report *report);

#endif
