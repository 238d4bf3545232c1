# record: 07_slices
# Eight rows in slices of four, as they stand and sorted by length: sorted they have fewer grey fillers.
load 'plots/boxes.gpi'
