# record: 07_marks
# Two tiles: each row that has nonzeros writes its number plus 1 above its first; dashed, how far a thread looks back for a mark.
load 'plots/boxes.gpi'
