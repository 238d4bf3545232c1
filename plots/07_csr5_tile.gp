# record: 07_csr5_tile
# Two tiles of CSR5: the nonzeros as in the matrix, below them transposed, with a bar at each row's start, and arrows from a partial sum to the lane that adds it.
load 'plots/boxes.gpi'
