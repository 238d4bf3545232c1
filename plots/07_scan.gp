# record: 07_scan
# A segmented scan over four threads in two rounds: a sum is added to its neighbour on the right unless that has a mark of its own.
load 'plots/boxes.gpi'
