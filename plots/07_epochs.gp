# record: 07_epochs
# Two ranks and three epochs: rank 0 writes epoch 2 while rank 1 reads 1, and 3 only after rank 1's flag of 2.
load 'plots/boxes.gpi'
