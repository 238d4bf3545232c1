# record: 07_pieces
# A row of eight nonzeros cut into three row chunks, which are placed in slices like rows; their sums are added in order.
load 'plots/boxes.gpi'
