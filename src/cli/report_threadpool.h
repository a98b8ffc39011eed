/* SPDX-License-Identifier: MIT */
/*
 * report_threadpool.h - what the parts of the view `threadpool` share.
 */
#ifndef CLI_REPORT_THREADPOOL_H
#define CLI_REPORT_THREADPOOL_H

#include "analyze/threadpool.h"
#include "cli/report.h"

/* Workers over time, drawn in text. */
void report_pool_chart(struct report *report, const struct pool *pool);

#endif
