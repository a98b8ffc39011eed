# What a newcomer sees. The list of commands grows, so only its frame is golden.
"$PERFPIPE" help > overview || exit
sed -n -e 1,4p overview
grep -x -A1 'Commands:' overview
echo "examples: $(sed -n '/^Examples:/,/^$/p' overview | grep -c '^  [^ ]')"
tail -n1 overview
"$PERFPIPE" help | awk 'length > 100 { print "too long: " $0 }'
