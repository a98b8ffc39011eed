# An archive with several traces says so; one is chosen by its name.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/two-traces.zip" two.zip
cp "$SOURCE/tests/data/orders.zip" one.zip
cp one.zip odd.zip:name
cp "$SOURCE/tests/data/trouble-throw.nettrace.zst" throw.nettrace
show info two.zip
show report two.zip:throw.nettrace exceptions --csv -n 1
show report two.zip:day/cut.nettrace exceptions --csv -n 1
show report two.zip:throw.nettrace two.zip:day/cut.nettrace processes --csv
show report two.zip:cut.nettrace
show report two.zip:notes.txt
show report throw.nettrace two.zip exceptions --csv
show report one.zip exceptions --csv -n 1
show report odd.zip:name exceptions --csv -n 1
show info missing.zip:throw.nettrace
cp throw.nettrace plain.zip
show info plain.zip:throw.nettrace
"$PERFPIPE" report - exceptions --csv -n 1 < two.zip 2>&1
# a pipe has no directory: the first trace is read
cat two.zip | "$PERFPIPE" report - exceptions --csv -n 1
