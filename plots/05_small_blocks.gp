# record: 05_small_blocks
# Four places over time: blocks of four rows keep all places until their longest row ends, blocks of one row leave fewer idle.
load 'plots/boxes.gpi'
