# record: 05_padding
# The nonzeros as they stand and with grey fillers, bars between sectors: padded, no load of a vector crosses a bar, but there are more sectors.
load 'plots/boxes.gpi'
