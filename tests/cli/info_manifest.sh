# A manifest next to the trace is shown, with whether the trace still matches it.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders-cut.nettrace" a.nettrace
sum=$(sha256sum a.nettrace | cut -d' ' -f1)

manifest()
{
	cat > a.nettrace.manifest.json << END
{ "file": "a.nettrace", "size_bytes": 20000, "sha256": "$1", "process_id": 42,
  "name": "orders \u001b[31m", "container": null, "more": { "later": true } }
END
}

manifest "$sum"
show info a.nettrace | sed -n '/Manifest/,/name/p'
show info --json a.nettrace | sed -n '/manifest/,/}/p'
manifest "0$sum"
show info a.nettrace | grep Manifest
show info --json a.nettrace | grep matches
echo "no JSON" > a.nettrace.manifest.json
show info --json a.nettrace 2>&1 | grep manifest
