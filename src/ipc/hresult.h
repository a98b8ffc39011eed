/* SPDX-License-Identifier: MIT */
/*
 * hresult.h - the runtime's error codes as sentences.
 */
#ifndef IPC_HRESULT_H
#define IPC_HRESULT_H

#include <stdint.h>

#define HRESULT_BAD_ENCODING	0x80131384u
#define HRESULT_UNKNOWN_COMMAND 0x80131385u
#define HRESULT_NOT_SUPPORTED	0x80131515u

/* What it means, for behind "the runtime said no: "; never NULL. */
const char *hresult_text(uint32_t code);

#endif
