# record: 05_small_blocks
# Four warp slots over time: blocks of four rows occupy all slots until their longest row ends, blocks of one row leave fewer idle.
load 'plots/boxes.gpi'
