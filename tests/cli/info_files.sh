# Files that cannot be read.
. "$SOURCE/tests/cli/show"
mkdir folder
: > file
show info missing.nettrace
show info folder
show info file/inside
show info missing/inside
show info ''
show info -- --json
