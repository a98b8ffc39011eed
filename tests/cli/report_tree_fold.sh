# Call trees fold plumbing by default; --no-fold shows all of it, and --fold chooses what is folded.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace

show report orders.nettrace cpu --tree --include TakeOrders -n 6
show report orders.nettrace cpu --tree --include TakeOrders -n 6 --no-fold
show report orders.nettrace cpu --tree --include TakeOrders -n 6 --fold 'WorkerThread.;Dispatch'
show report orders.nettrace cpu --tree --callers Dispatch -n 6
show report orders.nettrace threadtime --tree --include TakeOrders -n 6 | sed -n '/^Incl/,$p'
show report orders.nettrace cpu --tree --fold Dispatch --no-fold
