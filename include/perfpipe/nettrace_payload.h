/* SPDX-License-Identifier: MIT */
/*
 * nettrace_payload.h - building the payload of an event, field by field.
 *
 * Fields are packed, in the order of the kind's list. A put that cannot be done fails the
 * payload, and all later puts do nothing, so check once at the end: pp_payload_bytes() then
 * returns NULL.
 *
 *	struct pp_payload *payload = pp_payload_new();
 *	pp_payload_u32(payload, 42);
 *	pp_payload_utf16z(payload, "hello");
 *	event.payload = pp_payload_bytes(payload, &event.payload_size);
 *	pp_writer_event(writer, &event, &err);
 *	pp_payload_clear(payload);
 */
#ifndef PERFPIPE_NETTRACE_PAYLOAD_H
#define PERFPIPE_NETTRACE_PAYLOAD_H

#include "perfpipe/nettrace.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pp_payload;

/* NULL if out of memory; all calls below accept it as a failed payload. */
PP_API struct pp_payload *pp_payload_new(void);
PP_API void pp_payload_free(struct pp_payload *payload);
PP_API void pp_payload_clear(struct pp_payload *payload); /* empty, and no longer failed */

/* Valid until the next call; NULL if a put has failed. Not NULL if empty. */
PP_API const void *pp_payload_bytes(const struct pp_payload *payload, size_t *size);

/* For signed numbers and UTF-16 units use the unsigned type of the same size. */
PP_API void pp_payload_u8(struct pp_payload *payload, uint8_t value);
PP_API void pp_payload_u16(struct pp_payload *payload, uint16_t value);
PP_API void pp_payload_u32(struct pp_payload *payload, uint32_t value);
PP_API void pp_payload_u64(struct pp_payload *payload, uint64_t value);
PP_API void pp_payload_f32(struct pp_payload *payload, float value);
PP_API void pp_payload_f64(struct pp_payload *payload, double value);
PP_API void pp_payload_bool32(struct pp_payload *payload, bool value);
PP_API void pp_payload_bool8(struct pp_payload *payload, bool value);
PP_API void pp_payload_varint(struct pp_payload *payload, int64_t value);
PP_API void pp_payload_varuint(struct pp_payload *payload, uint64_t value);

/* Unix time in nanoseconds, stored in units of 100 ns. */
PP_API void pp_payload_date_time(struct pp_payload *payload, int64_t unix_ns);

/* Raw bytes: GUIDs and decimals (16 each), elements of fixed arrays. */
PP_API void pp_payload_raw(struct pp_payload *payload, const void *bytes, size_t size);

/* The text is UTF-8; the field is a PP_TYPE_UTF16Z, or a PP_TYPE_ARRAY of PP_TYPE_UTF8_UNIT. */
PP_API void pp_payload_utf16z(struct pp_payload *payload, const char *text);
PP_API void pp_payload_utf8(struct pp_payload *payload, const char *text);

/* Starts a PP_TYPE_ARRAY; its elements follow. .NET's reader accepts up to 32,767. */
PP_API void pp_payload_count(struct pp_payload *payload, size_t count);

/*
 * A location: reserves its field, and later, after the last field, adds the bytes it refers to.
 * Both must lie in the first 64 KiB.
 */
PP_API size_t pp_payload_location(struct pp_payload *payload);
PP_API void pp_payload_rel_loc(struct pp_payload *payload, size_t location, const void *bytes,
			       size_t size);
PP_API void pp_payload_data_loc(struct pp_payload *payload, size_t location, const void *bytes,
				size_t size);

#ifdef __cplusplus
}
#endif

#endif
