# record: 05_grid
# Two places and the rows they work on over time: handed out as places become free they end at about the same time, dealt out beforehand one works on alone.
load 'plots/boxes.gpi'
