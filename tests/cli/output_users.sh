# Files that another user has planted in a directory that everybody can write to.
[ "$(id -u)" -eq 0 ] || { echo "skipped: needs root"; exit 77; }
command -v setpriv > /dev/null || { echo "skipped: needs setpriv"; exit 77; }
. "$SOURCE/tests/cli/show"
chmod 755 .
mkdir -m 1777 shared
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace.gz
cp "$PERFPIPE" perfpipe
echo secret > secret
them() { setpriv --reuid 65534 --regid 65534 --clear-groups -- "$@"; }

# a link that would lead us into a file of ours
them ln -s "$PWD/secret" shared/a.txt.partial
show events orders.nettrace.gz -o shared/a.txt
show events orders.nettrace.gz -o shared/a.txt --force
show convert orders.nettrace.gz -f folded -o shared/a.txt --force
them ln -s "$PWD/secret" shared/b.txt
show events orders.nettrace.gz -o shared/b.txt
show events orders.nettrace.gz --limit 1 -o shared/b.txt --force
[ -f shared/b.txt ] && [ ! -L shared/b.txt ] && echo "the link is replaced"
cat secret

# a file or a pipe that they could read what we write from
them sh -c 'echo x > shared/c.txt.partial; chmod 666 shared/c.txt.partial'
show convert orders.nettrace.gz -f folded -o shared/c.txt --force
them cat shared/c.txt.partial
them mkfifo -m 666 shared/d.txt
show events orders.nettrace.gz -o shared/d.txt
show events orders.nettrace.gz -o shared/d.txt --force
them ln -s /dev/null shared/e.txt
show events orders.nettrace.gz -o shared/e.txt

# whatever the umask, nobody else can read what we write
umask 0
show convert orders.nettrace.gz -f folded -o shared/f.txt
show events orders.nettrace.gz -o shared/g.txt
them cat shared/f.txt shared/g.txt 2>&1

# a user without rights
them ./perfpipe events orders.nettrace.gz -o shared/f.txt --force 2>&1
them ./perfpipe events orders.nettrace.gz -o here.txt 2>&1
stat -c '%a %u %n' shared/*
