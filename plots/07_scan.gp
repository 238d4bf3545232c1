# record: 07_scan
# A segmented scan over four threads in two rounds: a sum is added to its right neighbour unless that neighbour has a row-start flag.
load 'plots/boxes.gpi'
