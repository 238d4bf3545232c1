# record: 07_pieces
# A row of eight nonzeros cut into three pieces, which stand in slices as rows do; their sums are added in order.
load 'plots/boxes.gpi'
