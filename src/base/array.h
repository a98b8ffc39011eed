/* SPDX-License-Identifier: MIT */
/* array.h - how many elements an array has; not for a pointer to its first one. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#define ARRAY_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
