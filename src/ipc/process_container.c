/* SPDX-License-Identifier: MIT */
#include "ipc/process_container.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"

#define ID_SIZE	   64 /* hexadecimal digits of a container's id */
#define ID_SHOWN   12 /* digits of it that are shown */
#define UUID_SIZE  36
#define NAME_LIMIT 128

/* What was found in the lines so far. */
struct found {
	const char *maker;	 /* "docker", "podman", ...; NULL: nothing yet */
	struct process_text id;	 /* or name */
	struct process_text pod; /* size 0: none */
};

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/* Exactly 64 digits: a longer run is not an id. */
static bool is_id(struct process_text text)
{
	for (size_t i = 0; i < ID_SIZE; i++)
		if (i >= text.size || !is_hex(text.at[i]))
			return false;
	return text.size == ID_SIZE || !is_hex(text.at[ID_SIZE]);
}

/* systemd writes dashes as underscores. */
static bool is_uuid(struct process_text text)
{
	if (text.size < UUID_SIZE)
		return false;
	for (size_t i = 0; i < UUID_SIZE; i++) {
		const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
		const char c = text.at[i];

		if (dash ? c != '-' && c != '_' : !is_hex(c))
			return false;
	}
	return true;
}

/* Container runtimes by their prefix of an id, or by the parent group. */
static const struct {
	const char *prefix, *maker;
} makers[] = {
	{ "docker", "docker" },
	{ "libpod", "podman" },
	{ "crio", "cri-o" },
	{ "cri-containerd", "containerd" },
	{ "containerd", "containerd" },
	{ "nerdctl", "containerd" },
	{ "buildkit", "buildkit" },
	{ "ecs", "ecs" },
};

static const char *maker_of(struct process_text part, struct process_text above)
{
	for (size_t i = 0; i < ARRAY_COUNT(makers); i++)
		if (part_starts(part, makers[i].prefix) || part_starts(above, makers[i].prefix))
			return makers[i].maker;
	return "container";
}

/* "docker-ID.scope" below "system.slice", or "ID" below "docker". */
static void look_for_id(struct found *found, struct process_text part, struct process_text above)
{
	for (size_t i = 0; i + ID_SIZE <= part.size; i++) {
		if ((!i || !is_hex(part.at[i - 1])) && is_id(part_from(part, i))) {
			found->maker = maker_of(part, above);
			found->id = (struct process_text){ part.at + i, ID_SHOWN };
			return;
		}
	}
}

/* "pod" before a UUID: "kubepods-burstable-podUUID.slice". */
static void look_for_pod(struct found *found, struct process_text part)
{
	for (size_t i = 0; i + 3 + UUID_SIZE <= part.size; i++)
		if (part_starts(part_from(part, i), "pod") && is_uuid(part_from(part, i + 3)))
			found->pod = (struct process_text){ part.at + i + 3, UUID_SIZE };
}

/*
 * Containers with a name of their own: "lxc.payload.web", "web" below "lxc", and
 * "machine-web.scope".
 */
static void look_for_name(struct found *found, struct process_text part, struct process_text above)
{
	if (part_starts(part, "lxc.payload.")) {
		found->maker = "lxc";
		found->id = part_from(part, strlen("lxc.payload."));
	} else if (part_is(above, "lxc") || part_is(above, "lxc.payload")) {
		found->maker = "lxc";
		found->id = part;
	} else if (part_starts(part, "machine-") && part_is(above, "machine.slice")) {
		found->maker = "nspawn";
		found->id = part_from(part, strlen("machine-"));
		found->id = part_next(&found->id, '.');
	} else if (part_starts(part, "systemd-nspawn@")) {
		found->maker = "nspawn";
		found->id = part_from(part, strlen("systemd-nspawn@"));
		found->id = part_next(&found->id, '.');
	}
}

static void look_at_path(struct found *found, struct process_text path)
{
	struct process_text above = { "", 0 };

	while (path.size) {
		const struct process_text part = part_next(&path, '/');

		if (!part.size)
			continue;
		look_for_pod(found, part);
		look_for_id(found, part, above);
		if (!found->maker)
			look_for_name(found, part, above);
		above = part;
	}
}

static char *found_text(struct arena *arena, const struct found *found)
{
	char text[NAME_LIMIT + 80];
	char pod[UUID_SIZE + 1] = "";
	const int length = (int)(found->id.size < NAME_LIMIT ? found->id.size : NAME_LIMIT);

	if (!found->maker && !found->pod.size)
		return NULL;
	for (size_t i = 0; i < found->pod.size; i++)
		pod[i] = found->pod.at[i] == '_' ? '-' : found->pod.at[i];
	if (found->pod.size && found->maker)
		snprintf(text, sizeof(text), "kubernetes:%s/%.*s", pod, length, found->id.at);
	else if (found->pod.size)
		snprintf(text, sizeof(text), "kubernetes:%s", pod);
	else
		snprintf(text, sizeof(text), "%s:%.*s", found->maker, length, found->id.at);
	return arena_text(arena, text, strlen(text));
}

/* A line is "4:memory:/docker/ID", and "0::/..." of version 2. */
char *process_container(struct arena *arena, struct process_text cgroup)
{
	struct found found = { 0 };

	while (cgroup.size && !(found.maker && found.pod.size)) {
		struct process_text line = part_next(&cgroup, '\n');

		part_next(&line, ':');
		part_next(&line, ':');
		look_at_path(&found, line);
	}
	return found_text(arena, &found);
}

/* ".../containers/ID/hostname" of docker, ".../overlay-containers/ID/userdata/hostname" of podman,
   ".../pods/UUID/etc-hosts" of Kubernetes. */
static void look_at_source(struct found *found, struct process_text path)
{
	struct process_text above = { "", 0 };

	while (path.size) {
		const struct process_text part = part_next(&path, '/');

		if (part_is(above, "pods") && part.size == UUID_SIZE && is_uuid(part))
			found->pod = part;
		if (is_id(part) &&
		    (part_is(above, "containers") || part_is(above, "overlay-containers"))) {
			found->maker = *above.at == 'c' ? "docker" : "podman";
			found->id = (struct process_text){ part.at, ID_SHOWN };
		}
		above = part;
	}
}

static bool names_host(struct process_text point)
{
	return part_is(point, "/etc/hostname") || part_is(point, "/etc/hosts") ||
	       part_is(point, "/etc/resolv.conf");
}

/* A line is "812 790 8:1 /SOURCE /POINT rw ...". */
char *process_container_mounted(struct arena *arena, struct process_text mountinfo)
{
	struct found found = { 0 };

	while (mountinfo.size) {
		struct process_text line = part_next(&mountinfo, '\n');
		struct process_text source;

		for (int field = 0; field < 3; field++)
			part_next(&line, ' ');
		source = part_next(&line, ' ');
		if (names_host(part_next(&line, ' ')))
			look_at_source(&found, source);
	}
	return found_text(arena, &found);
}
