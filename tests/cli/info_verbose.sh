# Every kind of event with its id and version.
. "$SOURCE/tests/cli/show"
cd "$SOURCE/tests/data" || exit
show info -v orders.nettrace.gz
