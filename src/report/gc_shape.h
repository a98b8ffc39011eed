/* SPDX-License-Identifier: MIT */
/*
 * gc_shape.h - one garbage collection as a row of a result: struct gc.
 */
#ifndef REPORT_GC_SHAPE_H
#define REPORT_GC_SHAPE_H

#include "report/result.h"

extern const struct result_shape gc_shape;

#endif
