# record: 07_differences
# Columns of two slices: of the first a first column and narrow differences are kept, of the second all columns, for a difference does not fit.
load 'plots/boxes.gpi'
