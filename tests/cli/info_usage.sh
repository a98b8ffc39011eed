# Wrong command lines.
. "$SOURCE/tests/cli/show"
show info
show info a.nettrace b.nettrace
show info --jsno a.nettrace
show info -z a.nettrace
show info --json=2 a.nettrace
