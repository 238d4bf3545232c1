# record: 07_carries
# Five tiles of four nonzeros: each stores the rows that end in it and carries the partial sum of the row that continues.
load 'plots/boxes.gpi'
