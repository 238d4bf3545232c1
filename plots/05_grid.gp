# record: 05_grid
# Two warps and the rows they work on over time: with dynamic scheduling they end at about the same time, with static scheduling one warp works on alone.
load 'plots/boxes.gpi'
