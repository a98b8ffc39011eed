/* SPDX-License-Identifier: MIT */
/*
 * html_page.h - a result as a page that needs nothing else: it loads nothing, and may load nothing,
 * so that it can be mailed and opened anywhere. Tables can be sorted and searched.
 *
 * Others may have more on such a page than a result:
 *
 *	html_open(out, title);
 *	html_put_result(&result, out);
 *	...
 *	html_close(out);
 */
#ifndef REPORT_HTML_PAGE_H
#define REPORT_HTML_PAGE_H

#include "report/render.h"

void html_open(struct buffer *out, const char *title);
void html_close(struct buffer *out);
void html_put_result(const struct result *result, struct buffer *out);

#endif
