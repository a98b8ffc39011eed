/* SPDX-License-Identifier: MIT */
/*
 * flame_names.h - what a flame graph calls a frame: Type.Method first, the rest if there is room.
 *
 *	System.IO.File.Read(string) of System.Private.CoreLib
 *	space     method   arguments   module
 */
#ifndef EXPORT_FLAME_NAMES_H
#define EXPORT_FLAME_NAMES_H

#include "export/source.h"

struct flame_name {
	const char *module; /* "": none */
	const char *text;   /* without the module */
	size_t space;	    /* bytes of the namespace, which the text begins with */
	size_t method;	    /* where arguments begin, or the text ends */
	unsigned colour;    /* of FLAME_COLOURS */
};

/* A hue for whose code it is, and shades to tell neighbours apart. */
#define FLAME_SHADES  168
#define FLAME_COLOURS (4 * FLAME_SHADES)

/* By frame of the source; to be freed. */
struct flame_name *flame_names_of(const struct export_source *source);

/* "hsl(110,60%,70%)" */
void flame_colour_put(struct buffer *out, unsigned colour);

/*
 * As much as fits into `most` characters: with arguments, without them, or without its middle;
 * nothing if too little would be left. For markup.
 */
void flame_label_put(struct buffer *out, const struct flame_name *name, size_t most);

#endif
