/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "ipc/process_container.h"

#define ID	       "4f66ad9a0b2ec1d3f4a596b7c8d9e0f14f66ad9a0b2ec1d3f4a596b7c8d9e0f1"
#define UID	       "0f3d5d0c-7a4e-4f0b-9d5b-5a1f6f0b9c11"
#define UID_OF_SYSTEMD "0f3d5d0c_7a4e_4f0b_9d5b_5a1f6f0b9c11"

static struct arena arena;

static int release(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

static const char *of_groups(const char *text)
{
	const char *found = process_container(&arena, (struct process_text){ text, strlen(text) });

	return found ? found : "none";
}

static const char *of_mounts(const char *text)
{
	const char *found =
		process_container_mounted(&arena, (struct process_text){ text, strlen(text) });

	return found ? found : "none";
}

static void finds_nothing_outside_of_containers(void **state)
{
	(void)state;
	assert_string_equal(of_groups(""), "none");
	assert_string_equal(of_groups("0::/\n"), "none");
	assert_string_equal(of_groups("0::/system.slice/ssh.service\n"), "none");
	assert_string_equal(of_groups("4:memory:/user.slice\n1:name=systemd:/user.slice/u-0\n"),
			    "none");
	/* a longer or shorter run of digits is not an id */
	assert_string_equal(of_groups("0::/x/" ID "0\n0::/y/4f66ad9a0b2e\n"), "none");
}

static void recognises_docker(void **state)
{
	(void)state;
	assert_string_equal(of_groups("12:pids:/docker/" ID "\n0::/\n"), "docker:4f66ad9a0b2e");
	assert_string_equal(of_groups("0::/system.slice/docker-" ID ".scope\n"),
			    "docker:4f66ad9a0b2e");
	assert_string_equal(of_groups("0::/../docker-" ID ".scope/init\n"), "docker:4f66ad9a0b2e");
}

static void recognises_podman(void **state)
{
	(void)state;
	assert_string_equal(of_groups("0::/machine.slice/libpod-" ID ".scope/container\n"),
			    "podman:4f66ad9a0b2e");
	assert_string_equal(of_groups("0::/user.slice/user-1000.slice/user@1000.service/user.slice/"
				      "libpod-" ID ".scope\n"),
			    "podman:4f66ad9a0b2e");
}

static void recognises_kubernetes_pods(void **state)
{
	(void)state;
	assert_string_equal(of_groups("9:cpu:/kubepods/burstable/pod" UID "/" ID "\n"),
			    "kubernetes:" UID "/4f66ad9a0b2e");
	assert_string_equal(
		of_groups("0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-"
			  "pod" UID_OF_SYSTEMD ".slice/cri-containerd-" ID ".scope\n"),
		"kubernetes:" UID "/4f66ad9a0b2e");
	assert_string_equal(of_groups("0::/kubepods/besteffort/pod" UID "\n"), "kubernetes:" UID);
}

static void recognises_other_containers_by_their_id(void **state)
{
	(void)state;
	assert_string_equal(of_groups("0::/system.slice/crio-" ID ".scope\n"),
			    "cri-o:4f66ad9a0b2e");
	assert_string_equal(of_groups("0::/system.slice/cri-containerd-" ID ".scope\n"),
			    "containerd:4f66ad9a0b2e");
	assert_string_equal(of_groups("0::/somebody/" ID "\n"), "container:4f66ad9a0b2e");
}

static void recognises_named_containers(void **state)
{
	(void)state;
	assert_string_equal(of_groups("0::/lxc.payload.web/system.slice/a.service\n"), "lxc:web");
	assert_string_equal(of_groups("4:memory:/lxc/web\n"), "lxc:web");
	assert_string_equal(of_groups("0::/lxc.payload/web/init.scope\n"), "lxc:web");
	assert_string_equal(of_groups("0::/machine.slice/machine-web.scope/payload\n"),
			    "nspawn:web");
	assert_string_equal(of_groups("0::/machine.slice/systemd-nspawn@web.service\n"),
			    "nspawn:web");
}

static void truncates_long_names(void **state)
{
	char text[2000] = "0::/lxc.payload.";

	(void)state;
	memset(text + strlen(text), 'x', sizeof(text) - strlen(text) - 1);
	assert_int_equal(strlen(of_groups(text)), strlen("lxc:") + 128);
}

static void falls_back_to_mounts_on_hostname_and_hosts(void **state)
{
	(void)state;
	assert_string_equal(of_mounts("812 790 8:1 /var/lib/docker/containers/" ID
				      "/hostname /etc/hostname rw - ext4 /dev/sda1 rw\n"),
			    "docker:4f66ad9a0b2e");
	assert_string_equal(of_mounts("812 790 0:25 /containers/storage/overlay-containers/" ID
				      "/userdata/hostname /etc/hostname rw - tmpfs tmpfs rw\n"),
			    "podman:4f66ad9a0b2e");
	assert_string_equal(of_mounts("812 790 8:1 /var/lib/kubelet/pods/" UID
				      "/etc-hosts /etc/hosts rw - ext4 /dev/sda1 rw\n"),
			    "kubernetes:" UID);
	/* the host has such directories, but elsewhere */
	assert_string_equal(of_mounts("812 790 8:1 /containers/" ID "/merged /mnt rw\n"), "none");
	assert_string_equal(of_mounts("812 790\n\n812"), "none");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(finds_nothing_outside_of_containers, release),
		cmocka_unit_test_teardown(recognises_docker, release),
		cmocka_unit_test_teardown(recognises_podman, release),
		cmocka_unit_test_teardown(recognises_kubernetes_pods, release),
		cmocka_unit_test_teardown(recognises_other_containers_by_their_id, release),
		cmocka_unit_test_teardown(recognises_named_containers, release),
		cmocka_unit_test_teardown(truncates_long_names, release),
		cmocka_unit_test_teardown(falls_back_to_mounts_on_hostname_and_hosts, release),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
