# tools/bootstrap costs nothing where nothing is missing, and asks for one command where it may not
# install. It works on a copy of tools/, so that nothing gets installed here.
command -v dpkg-query > /dev/null || { echo "skipped: there is no dpkg here"; exit 77; }
chmod 755 .
mkdir tools
cp "$SOURCE/tools/bootstrap" tools
# of the requested packages, those that are installed
dpkg-query -W -f '${Package} ${db:Status-Status}\n' | awk '
	NR == FNR { if ($2 == "installed") have[$1]; next } $1 in have' \
	- "$SOURCE/tools/apt-packages" > tools/apt-packages

now_ms()
{
	echo $(($(date +%s%N) / 1000000))
}

start=$(now_ms)
tools/bootstrap > output 2>&1 || { cat output; exit 1; }
time=$(($(now_ms) - start))
[ ! -s output ] || { echo "it speaks though nothing is missing:"; cat output; exit 1; }
# 100 ms is the goal; the limit allows for a busy machine
[ $time -lt 500 ] || { echo "it took $time ms"; exit 1; }
echo "$time ms where nothing is missing"

user=
if [ "$(id -u)" -eq 0 ]; then
	user='setpriv --reuid=65534 --regid=65534 --clear-groups'
	$user true 2> /dev/null || { echo "skipped: cannot become another user"; exit 77; }
fi
printf 'perfpipe-missing-a\nperfpipe-missing-b\n' >> tools/apt-packages
cat > wanted << 'EOF'
Some packages are missing. Run this, then try again:
  sudo apt-get update && sudo apt-get install -y --no-install-recommends perfpipe-missing-a perfpipe-missing-b
EOF
$user tools/bootstrap > output 2>&1
code=$?
[ $code -eq 1 ] || { echo "exit code $code, wanted 1"; exit 1; }
diff -u wanted output
