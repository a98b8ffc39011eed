# The default output, for a trace compressed with gzip.
. "$SOURCE/tests/cli/show"
cd "$SOURCE/tests/data" || exit
show info orders.nettrace.gz
