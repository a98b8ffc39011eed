/* SPDX-License-Identifier: MIT */
#include "nettrace/universal_fields.h"

#include "base/array.h"

static const struct pp_type utf8_unit = { .code = PP_TYPE_UTF8_UNIT };

#define NUMBER(text)                                                                               \
	{                                                                                          \
		(text),                                                                            \
		{                                                                                  \
			.code = PP_TYPE_VARUINT                                                    \
		}                                                                                  \
	}
#define TEXT(text)                                                                                 \
	{                                                                                          \
		(text),                                                                            \
		{                                                                                  \
			.code = PP_TYPE_ARRAY, .element = &utf8_unit                               \
		}                                                                                  \
	}

static const struct pp_field process_fields[] = {
	NUMBER("NamespaceId"),
	TEXT("Name"),
	TEXT("NamespaceName"),
};
static const struct pp_field mapping_fields[] = {
	NUMBER("Id"),	      NUMBER("StartAddress"), NUMBER("EndAddress"),
	NUMBER("FileOffset"), TEXT("FileName"),	      NUMBER("MetadataId"),
};
static const struct pp_field symbol_fields[] = {
	NUMBER("Id"),	      NUMBER("MappingId"), NUMBER("StartAddress"),
	NUMBER("EndAddress"), TEXT("Name"),
};
static const struct pp_field metadata_fields[] = {
	NUMBER("Id"),
	TEXT("SymbolMetadata"),
	TEXT("VersionMetadata"),
};
static const struct pp_field value_fields[] = { NUMBER("Value") };

#define FIELDS(list)                                                                               \
	{                                                                                          \
		(list), ARRAY_COUNT(list)                                                          \
	}

const struct pp_fields universal_fields[UNIVERSAL_KINDS] = {
	[UNIVERSAL_EXISTING_PROCESS] = FIELDS(process_fields),
	[UNIVERSAL_PROCESS_CREATE] = FIELDS(process_fields),
	[UNIVERSAL_MAPPING] = FIELDS(mapping_fields),
	[UNIVERSAL_SYMBOL] = FIELDS(symbol_fields),
	[UNIVERSAL_MAPPING_METADATA] = FIELDS(metadata_fields),
	[UNIVERSAL_CPU] = FIELDS(value_fields),
	[UNIVERSAL_CSWITCH] = FIELDS(value_fields),
};
