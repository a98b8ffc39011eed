# A file that is not a trace: the message says what it looks like.
. "$SOURCE/tests/cli/show"

printf '' > empty
printf 'id,amount\n1,20.5\n' > text.csv
printf '{\n  "traceEvents": []\n}\n' > trace.json
printf '<?xml version="1.0"?>\n<a/>\n' > page.xml
{ printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0\76\0'; head -c 100 /dev/zero; } > program
{ printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\4\0\76\0'; head -c 100 /dev/zero; } > core
{ printf '\24\0\0\0!FastSerialization.1\5\5\1\1\0\0\0\1\0\0\0\17\0\0\0'
  printf 'Graphs.GCHeapDump\6'; head -c 100 /dev/zero; } > app.gcdump
{ printf 'PERFILE2'; head -c 100 /dev/zero; } > perf.data
# an ETL file begins with the header of a buffer of 64 KiB, and has no mark
{ printf '\0\0\1\0\0\0\1\0\0\0\1\0'; head -c 36 /dev/zero; printf '\0\4\0\0'
  head -c 22 /dev/zero; printf '\2\300'; head -c 100 /dev/zero; } > windows.etl
head -c 300 /dev/zero > zeros
printf '\377\376h\0i\0' > utf16.txt
printf 'PK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' > empty.zip
zip -q text.zip text.csv
gzip -n -c text.csv > text.csv.gz
gzip -n -c text.csv | gzip -n > twice.gz
printf 'Nettrace\0\0\0\0\7\0\0\0\0\0\0\0' > future.nettrace
printf 'Nettrace and then text\n' > nearly.nettrace

for file in empty text.csv trace.json page.xml program core app.gcdump perf.data windows.etl zeros \
	utf16.txt empty.zip text.zip text.csv.gz twice.gz future.nettrace nearly.nettrace; do
	show info $file
done
echo '$ perfpipe info - < /dev/null'
"$PERFPIPE" info - 2>&1
echo "exit code $?"

echo
"$PERFPIPE" info --json text.csv 2> /dev/null > output
[ ! -s output ] && echo "nothing on standard output, also of --json"
