/* SPDX-License-Identifier: MIT */
/*
 * frame_origin.h - the names of a frame and, for formats that set `details`, where it comes from.
 */
#ifndef EXPORT_FRAME_ORIGIN_H
#define EXPORT_FRAME_ORIGIN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buffer.h"

struct export_part;
struct export_source;
struct model;
struct model_frame;

enum export_origin {
	EXPORT_MADE_UP, /* a group, a state, a type: no code */
	EXPORT_DOTNET,
	EXPORT_NATIVE,
	EXPORT_KERNEL,
};

struct export_frame {
	const char *full;   /* "module!name", or the name of a group or a state */
	const char *plain;  /* the same without the line, for formats that have it elsewhere */
	const char *name;   /* without the module */
	const char *module; /* NULL: it is not a method */
	size_t space;	    /* bytes of the namespace that its name begins with, with the dot */
	const char *file;   /* of the source, or NULL */
	uint32_t line;	    /* 0: unknown, or not asked for */
	bool inlined;	    /* into its caller; its names say so */

	/* with `details`: */
	enum export_origin origin;
	const char *path;     /* of the module's file, or NULL */
	const char *build_id; /* of that, hexadecimal, or NULL */
};

/* The file that it is in, or its module's name; "" if neither is known. */
static inline const char *export_frame_file(const struct export_frame *frame)
{
	return frame->path ? frame->path : frame->module ? frame->module : "";
}

/* Its name without the line. */
static inline const char *export_frame_bare(const struct export_frame *frame)
{
	return frame->line && frame->module ? frame->plain + strlen(frame->module) + 1
					    : frame->name;
}

/* See `space`; the frame's number, or MODEL_NONE. */
size_t export_frame_space(const struct model *model, uint32_t frame);

/* "module!name" in the buffer. */
const char *export_full_name(struct buffer *text, const struct model_frame *frame);

/* For source.c: sets the details of the part's frames. */
void export_describe_frames(struct export_source *source, struct export_part *part);

/* Nanoseconds that each sample stands for, where that is fixed: the kernel's clock; else 0. */
int64_t export_period(const struct export_source *source);

#endif
