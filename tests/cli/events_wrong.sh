# Impossible requests to `perfpipe events`: the messages.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders-cut.nettrace" cut.nettrace

show events
show events missing.nettrace
show events cut.nettrace --format xml
show events cut.nettrace --from yesterday
show events cut.nettrace --where 'Count >'
show events cut.nettrace --level high
show events cut.nettrace -o /nowhere/out.json
show events cut.nettrace --name Nothing
printf "some text" > text.nettrace
show events text.nettrace
