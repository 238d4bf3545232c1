# record: 07_search
# A search for the row of nonzero 9: each line compares one row offset, and rows that are ruled out turn grey; row 3 remains.
load 'plots/boxes.gpi'
