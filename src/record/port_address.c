/* SPDX-License-Identifier: MIT */
#include "record/port_address.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/error.h"

static int parse_role(struct port_address *address, const char *role, struct pp_error *err)
{
	address->connect = role && !strcasecmp(role, "connect");
	if (!role || address->connect || !strcasecmp(role, "listen"))
		return 0;
	return error_set(err, PP_ERROR_USAGE,
			 "a diagnostic port is ADDRESS,connect or ADDRESS,listen, not ADDRESS,%s",
			 role);
}

/* The length of "scheme:", or 0. A path of one letter and a colon is a path. */
static size_t scheme_length(const char *text)
{
	size_t length = 0;

	while (isalnum((unsigned char)text[length]) || text[length] == '+' || text[length] == '.' ||
	       text[length] == '-')
		length++;
	return length > 1 && text[length] == ':' ? length + 1 : 0;
}

/* The path in "//host/path"; all of it if there is no host. */
static const char *after_host(const char *text)
{
	const char *slash;

	if (strncmp(text, "//", 2))
		return text;
	slash = strchr(text + 2, '/');
	return slash ? slash : text + strlen(text);
}

static const char *path_in(const char *text, struct pp_error *err)
{
	const size_t scheme = scheme_length(text);

	if (!scheme)
		return text;
	if (!strncasecmp(text, "uds:", scheme) || !strncasecmp(text, "file:", scheme))
		return after_host(text + scheme);
	if (!strncasecmp(text, "namedpipe:", scheme))
		error_set(err, PP_ERROR_UNSUPPORTED,
			  "named pipes exist on Windows only; give the path of a Unix socket");
	else
		error_set(err, PP_ERROR_USAGE,
			  "'%.*s' is not a kind of diagnostic port; give a path, or uds:PATH",
			  (int)scheme, text);
	return NULL;
}

static int too_long(struct pp_error *err)
{
	return error_set(err, PP_ERROR_USAGE, "the path of the diagnostic port is too long");
}

static int make_absolute(struct port_address *address, const char *path, struct pp_error *err)
{
	char directory[sizeof(address->path)] = "";
	int length;

	if (!*path)
		return error_set(err, PP_ERROR_USAGE, "the diagnostic port has no path");
	if (*path != '/' && !getcwd(directory, sizeof(directory)))
		return error_errno(err, "cannot find the current directory");
	length = snprintf(address->path, sizeof(address->path), "%s%s%s", directory,
			  *directory ? "/" : "", path);
	return length < 0 || (size_t)length >= sizeof(address->path) ? too_long(err) : 0;
}

int port_address_parse(struct port_address *address, const char *text, struct pp_error *err)
{
	char before[sizeof(address->path)];
	const char *comma = strchr(text, ',');
	const size_t length = comma ? (size_t)(comma - text) : strlen(text);
	const char *path;

	if (length >= sizeof(before))
		return too_long(err);
	memcpy(before, text, length);
	before[length] = 0;
	if (parse_role(address, comma ? comma + 1 : NULL, err))
		return -1;
	path = path_in(before, err);
	return path ? make_absolute(address, path, err) : -1;
}
