# record: 05_padding
# The nonzeros without and with grey padding, and bars between sectors: with padding no load of a vector crosses a bar, but there are more sectors.
load 'plots/boxes.gpi'
