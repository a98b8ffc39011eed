# The front door. CMake does the work; see CMakePresets.json.
PREFIX ?= /usr/local
PROGRAM = build/release/perfpipe

all: release

bootstrap:
	@tools/bootstrap

# What people use; tests and benchmarks are built where they are run.
release: bootstrap
	@tools/build release perfpipe completions \
		libperfpipe libperfpipe_static libperfpipe_trace libperfpipe_trace_static

dev tsan fuzz-build coverage-build: %: bootstrap
	@tools/build $(@:-build=)

demo: release
	@tools/demo $(PROGRAM)

test: bootstrap
	@tools/build release
	@tools/run_tests release

# for SECONDS, 60 if not given
stress: bootstrap
	@tools/build release
	@tools/stress release $(SECONDS)

fuzz: fuzz-build
	@tools/fuzz

bench: bootstrap
	@tools/build release
	@! command -v dotnet > /dev/null || { bench/make_data && bench/build_peers; } >&2
	@bench/run

coverage: coverage-build
	@tools/coverage

format:
	@tools/format

static: bootstrap
	@tools/build static
	@tools/static_size build/static/perfpipe

install: release
	@DESTDIR=$(DESTDIR) cmake --install build/release --prefix $(PREFIX)

clean:
	rm -rf build

.PHONY: all bootstrap release dev tsan fuzz-build coverage-build demo test stress fuzz bench \
	coverage format static install clean
