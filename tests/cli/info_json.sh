# The JSON for scripts: every key is there, and the first version of each stays.
. "$SOURCE/tests/cli/show"
cd "$SOURCE/tests/data" || exit
show info --json orders.zip
