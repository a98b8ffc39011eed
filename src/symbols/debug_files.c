/* SPDX-License-Identifier: MIT */
#include "symbols/debug_files.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/in_root.h"
#include "symbols/build_id.h"
#include "symbols/debuginfod.h"

/*
 * Where files may be. A letter after % is a part of the path that depends on what is looked for; if
 * it is not known, the place is left out.
 *
 *	%f	a folder of the options
 *	%d	folder of the binary; %n its name
 *	%p	path of the binary, if that is a whole one; %D its folder; %u without its "/usr"
 *	%l	name in .gnu_debuglink, or the last part of .gnu_debugaltlink
 *	%i	build id; %x its first byte, %y the others
 *	%a	.gnu_debugaltlink, if it is a whole path; %r if not; %w the part after ".dwz/"
 *
 * The first list: a flat folder; .build-id as in /usr/lib/debug; perf's cache of build ids; that of
 * a symbol server; copies of /usr/lib/debug and of a root.
 */
static const char *const debug_in_folders[] = {
	"%f/%n.debug",
	"%f/%n.dbg",
	"%f/%l",
	"%f/%n",
	"%f/.debug/%l",
	"%f/.build-id/%x/%y.debug",
	"%f/%x/%y.debug",
	"%f/.build-id/%x/%y/debug",
	"%f/.build-id/%x/%y/elf",
	"%f/_.debug/elf-buildid-sym-%i/_.debug",
	"%f/%n/elf-buildid-%i/%n",
	"%f%D/%l",
	"%f%p.debug",
	"%f%p.dbg",
	"%f%p",
	"%f/usr/lib/debug/.build-id/%x/%y.debug",
	"%f/usr/lib/debug%D/%l",
	NULL,
};

/*
 * By path: Fedora's names have a version in them, as .gnu_debuglink says; those of older packages
 * of Debian and Ubuntu are the binary's. Packages and mappings disagree on whether /lib is in /usr.
 */
static const char *const debug_in_root[] = {
	"%d/%n.debug",
	"%d/%n.dbg",
	"%d/%l",
	"%d/.debug/%l",
	"%d/.debug/%n.debug",
	"%d/.debug/%n.dbg",
	"%d/.debug/%n",
	"/usr/lib/debug/.build-id/%x/%y.debug",
	"/usr/lib/debug%D/%l",
	"/usr/lib/debug%p.debug",
	"/usr/lib/debug%p",
	"/usr/lib/debug/usr%D/%l",
	"/usr/lib/debug/usr%p.debug",
	"/usr/lib/debug/usr%p",
	"/usr/lib/debug%u.debug",
	"/usr/lib/debug%u",
	NULL,
};

static const char *const binary_in_folders[] = {
	"%f/%n",
	"%f%p",
	"%f/%n/elf-buildid-%i/%n",
	"%f/.build-id/%x/%y",
	"%f/.build-id/%x/%y/elf",
	"%f/usr/lib/.build-id/%x/%y",
	NULL,
};

/* Fedora has links to binaries. */
static const char *const binary_in_root[] = {
	"%p",
	"/usr/lib/.build-id/%x/%y",
	"/usr/lib/debug/.build-id/%x/%y",
	NULL,
};

static const char *const alt_in_folders[] = {
	"%f/.dwz/%w", "%f/.dwz/%l", "%f/.build-id/%x/%y.debug", "%f/%x/%y.debug", "%f/%l",
	"%f%a",	      NULL,
};

static const char *const alt_in_root[] = {
	"%d/%r",
	"%a",
	"/usr/lib/debug/.dwz/%w",
	"/usr/lib/debug/.dwz/%l",
	"/usr/lib/debug/.build-id/%x/%y.debug",
	NULL,
};

struct hunt {
	const struct debug_search *search;
	const char *const *in_folders;
	const char *const *in_root;
	enum debuginfod_kind kind;
	bool (*is_useful)(const struct elf_file *file);

	char build_id[BUILD_ID_SIZE]; /* "": the checksum decides */
	char first_byte[3];
	bool has_crc;
	uint32_t crc;

	const char *root;	    /* where is looked at the moment */
	const char *parts['z' + 1]; /* of places, by their letter; NULL: not known */
	char folder[PATH_MAX];	    /* of the binary */
	char real[PATH_MAX];	    /* path of the binary, if that is a link to it */
	struct elf_file *found;
};

/* Only paths in another root are confined to it: in ours links may lead anywhere. */
static int open_regular(const char *root, const char *path)
{
	int folder, fd;

	if (!*root)
		return in_root_read(open(path, O_PATH | O_CLOEXEC));
	folder = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return -1;
	fd = in_root_regular(folder, path);
	close(folder);
	return fd;
}

static bool is_wanted(const struct hunt *hunt, const struct elf_file *file)
{
	const char *build_id = elf_file_build_id(file);
	uint32_t crc;

	if (*hunt->build_id)
		return build_id && !strcmp(build_id, hunt->build_id);
	return hunt->has_crc && elf_file_crc(file, &crc) && crc == hunt->crc;
}

/* Takes the descriptor. */
static bool check_file(struct hunt *hunt, int fd, const char *name)
{
	struct pp_error err = { 0 };
	struct elf_file *file = fd < 0 ? NULL : elf_file_open(fd, name, &err);

	/* the checksum comes last, since it reads the whole file */
	if (file && hunt->is_useful(file) && is_wanted(hunt, file))
		hunt->found = file;
	else
		elf_file_close(file);
	return hunt->found;
}

/* False: a part is not known, or the path is too long. */
static bool fill_in(const struct hunt *hunt, const char *place, char path[static PATH_MAX])
{
	char *end = path;

	for (; *place; place++) {
		const char letter[2] = { *place };
		const char *text = *place == '%' ? hunt->parts[(unsigned char)*++place] : letter;

		if (!text || strlen(text) >= PATH_MAX - (size_t)(end - path))
			return false;
		end = stpcpy(end, text);
	}
	*end = 0;
	return true;
}

static bool try_places(struct hunt *hunt, const char *const *places)
{
	const size_t root = strlen(hunt->root);
	char name[2 * PATH_MAX];

	if (root >= PATH_MAX)
		return false;
	memcpy(name, hunt->root, root);
	for (; !hunt->found && *places; places++)
		if (fill_in(hunt, *places, name + root))
			check_file(hunt, open_regular(hunt->root, name + root), name);
	return hunt->found;
}

static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	return *name && strcmp(name, ".") && strcmp(name, "..") ? name : NULL;
}

/* A relative path is one of the current folder. */
static void use_path(struct hunt *hunt, const char *path)
{
	const char *slash = strrchr(path, '/');
	const bool whole = *path == '/';

	snprintf(hunt->folder, sizeof(hunt->folder), "%.*s", slash ? (int)(slash - path) : 1,
		 slash ? path : ".");
	hunt->parts['p'] = whole ? path : NULL;
	hunt->parts['u'] = strncmp(path, "/usr/", 5) ? NULL : path + 4;
	hunt->parts['d'] = hunt->folder;
	hunt->parts['D'] = whole ? hunt->folder : NULL;
	hunt->parts['n'] = name_of(path);
}

/* With the path as it is, and with that of what it is a link to. */
static bool try_path(struct hunt *hunt, const char *path, const char *const *places)
{
	use_path(hunt, path);
	if (try_places(hunt, places))
		return true;
	if (*hunt->root || !realpath(path, hunt->real) || !strcmp(path, hunt->real))
		return false;
	use_path(hunt, hunt->real);
	return try_places(hunt, places);
}

static bool search_folders(struct hunt *hunt, const char *path)
{
	const struct debug_search *search = hunt->search;

	hunt->root = "";
	for (size_t i = 0; !hunt->found && i < search->folder_count; i++) {
		hunt->parts['f'] = search->folders[i];
		if (*search->folders[i])
			try_path(hunt, path, hunt->in_folders);
	}
	return hunt->found;
}

static bool search_root(struct hunt *hunt, const char *root, const char *path)
{
	hunt->root = root;
	return try_path(hunt, path, hunt->in_root);
}

static bool search_network(struct hunt *hunt)
{
	char link[32], name[PATH_MAX] = "debuginfod";
	ssize_t size;
	int fd;

	if (hunt->search->no_network || !*hunt->build_id)
		return false;
	fd = debuginfod_open(hunt->build_id, hunt->kind);
	if (fd < 0)
		return false;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	size = readlink(link, name, sizeof(name) - 1);
	if (size > 0)
		name[size] = 0;
	return check_file(hunt, fd, name);
}

/* All places on this machine. */
static bool search_path(struct hunt *hunt, const char *path)
{
	const char *root = hunt->search->root;

	return search_folders(hunt, path) || (root && *root && search_root(hunt, root, path)) ||
	       search_root(hunt, "", path);
}

static const char *path_of(const struct debug_search *search)
{
	return search->path ? search->path : "";
}

static void use_build_id(struct hunt *hunt, const char *build_id)
{
	if (!build_id_copy(hunt->build_id, build_id))
		return;
	memcpy(hunt->first_byte, hunt->build_id, 2);
	hunt->parts['i'] = hunt->build_id;
	hunt->parts['x'] = hunt->first_byte;
	hunt->parts['y'] = hunt->build_id + 2;
}

struct elf_file *debug_files_find_binary(const struct debug_search *search, const char *build_id)
{
	struct hunt hunt = { .search = search,
			     .in_folders = binary_in_folders,
			     .in_root = binary_in_root,
			     .kind = DEBUGINFOD_BINARY,
			     .is_useful = elf_file_has_code };

	use_build_id(&hunt, build_id);
	if (*hunt.build_id && !search_path(&hunt, path_of(search)))
		search_network(&hunt);
	return hunt.found;
}

struct elf_file *debug_files_find(const struct debug_search *search, const struct elf_file *binary,
				  bool lines)
{
	struct hunt hunt = { .search = search,
			     .in_folders = debug_in_folders,
			     .in_root = debug_in_root,
			     .kind = DEBUGINFOD_DEBUG_FILE,
			     .is_useful = lines ? elf_file_has_lines : elf_file_has_symtab };
	struct elf_link link;

	use_build_id(&hunt, elf_file_build_id(binary));
	if (elf_file_debug_link(binary, &link)) {
		hunt.has_crc = true;
		hunt.crc = link.crc;
		hunt.parts['l'] = name_of(link.name);
	}
	if ((*hunt.build_id || hunt.has_crc) && !search_path(&hunt, path_of(search)))
		search_network(&hunt);
	return hunt.found;
}

static bool any_is_useful(const struct elf_file *file)
{
	(void)file;
	return true;
}

static void use_alt_link(struct hunt *hunt, const char *path)
{
	const char *dwz = strstr(path, ".dwz/");

	hunt->parts[*path == '/' ? 'a' : 'r'] = path;
	hunt->parts['l'] = name_of(path);
	hunt->parts['w'] = dwz ? dwz + strlen(".dwz/") : NULL;
}

/* Without what leads to the root. */
static const char *path_in_root(const struct debug_search *search, const char *name)
{
	const size_t size = search->root ? strlen(search->root) : 0;

	return size && !strncmp(name, search->root, size) && name[size] == '/' ? name + size : name;
}

struct elf_file *debug_files_find_alt(const struct debug_search *search,
				      const struct elf_file *debug)
{
	struct hunt hunt = { .search = search,
			     .in_folders = alt_in_folders,
			     .in_root = alt_in_root,
			     .kind = DEBUGINFOD_DEBUG_FILE,
			     .is_useful = any_is_useful };
	struct elf_link link;

	if (!elf_file_alt_link(debug, &link))
		return NULL;
	use_build_id(&hunt, link.build_id);
	use_alt_link(&hunt, link.name);
	/* the link is relative to the file that has it, which may be the binary */
	if (*hunt.build_id && !search_path(&hunt, path_in_root(search, elf_file_name(debug))) &&
	    !search_path(&hunt, path_of(search)))
		search_network(&hunt);
	return hunt.found;
}
