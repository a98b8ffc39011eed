# What people see of a trace, in a gzip file.
. "$SOURCE/tests/cli/show"
cd "$SOURCE/tests/data" || exit
show info orders.nettrace.gz
