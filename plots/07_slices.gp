# record: 07_slices
# Eight rows in slices of four, in their own order and sorted by length: sorted rows need less grey padding.
load 'plots/boxes.gpi'
