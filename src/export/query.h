/* SPDX-License-Identifier: MIT */
/*
 * query.h - what is asked of a conversion; zero is all, but for `samples.events`, which must
 * be EVENT_QUERY_ALL then.
 */
#ifndef EXPORT_QUERY_H
#define EXPORT_QUERY_H

#include "analyze/calltree.h"
#include "analyze/sample_query.h"
#include "export/view.h"

/* What is asked for. Borrowed: it stays while the source does. */
struct export_query {
	const struct export_view *view; /* NULL: the one that suits the first trace */
	struct sample_query samples;
	struct call_query calls;
	bool folds; /* calls.fold was asked for, so the view's own is not */

	bool anonymize;	      /* nettrace: without paths, arguments and texts */
	const char *provider; /* events of these alone, for formats of events; NULL: all */
	bool raw_names;
	bool tiers;
	size_t budget;	      /* bytes of what grows with traces, in memory; 0: SPOOL_BUDGET */
	bool json;	      /* for a format that has two forms */
	bool flames;	      /* --flamegraph */
	bool svg;	      /* with it: the output's name ends with .svg */
	const char *exporter; /* "perfpipe@1.0" */
};

#endif
