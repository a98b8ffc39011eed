# JSON for scripts: every key is present, and keys never change their meaning.
. "$SOURCE/tests/cli/show"
cd "$SOURCE/tests/data" || exit
show info --json orders.zip
