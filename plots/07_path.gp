# record: 07_path
# The merge path of the little matrix: right for a nonzero, down at the end of a row; two dashed diagonals cut it into three tiles.
load 'plots/boxes.gpi'
