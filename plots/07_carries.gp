# record: 07_carries
# Five tiles of four nonzeros: each stores the rows that end in it and carries out the part of the row that goes on.
load 'plots/boxes.gpi'
