# record: 07_search
# A search for the row of nonzero 9: each line asks one row offset, and what cannot be its row any more turns grey; row 3 is left.
load 'plots/boxes.gpi'
