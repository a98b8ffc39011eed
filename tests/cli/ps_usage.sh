# Wrong command lines.
. "$SOURCE/tests/cli/show"
show ps orders
show ps --jsno
show ps -n
show ps --verbose=2
show ps -n no-process-is-called-this
show ps --json -n no-process-is-called-this
show ps -n "$(printf 'no\033[31m')"
