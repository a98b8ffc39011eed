/* SPDX-License-Identifier: MIT */
/* version.h - what --version prints; the build makes its text from version.c.in. */
#ifndef CLI_VERSION_H
#define CLI_VERSION_H

extern const char version_text[];

#endif
