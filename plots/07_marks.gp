# record: 07_marks
# Two tiles: each row that has nonzeros writes its number plus 1 above its first nonzero; dashed lines show how far a thread looks back for a row-start flag.
load 'plots/boxes.gpi'
