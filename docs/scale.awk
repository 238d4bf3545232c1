# scale.awk - what the page on scale says: a model of y = A x on P GPUs, its constants from records.
#
#   awk -f docs/scale.awk plots/data/simt/07_volumes.tsv plots/data/h200/07_nccl_summary.tsv
#   awk -f docs/scale.awk plots/data/simt/07_volumes.tsv plots/data/h200/07_nccl_summary.tsv plots/data/h200/07_direct_summary.tsv
#   awk -v far_gbps=25 -v far_us=10 ...        another network
#
# time(P) = max(interior, exchange) + boundary, for the rank that has most of each:
#   interior = launch_us + us_per_nnz * nonzeros without halo          boundary = boundary_us + us_per_nnz * the others
#   exchange = near_us + message_us * (messages within the host - 1) + bytes / near_gbps
#            + far_us + far_message_us * (messages to other hosts - 1) + bytes / far_gbps        (each only where there are any)
# bound: bytes or messages where the exchange takes longer than either product, else product, or launch if that is most of it.
# From the first file: nonzeros, bytes and messages, counted for each P (volumes.h; 8 GPUs a host).
# From the second, measured:   launch_us, boundary_us, near_us  the product, boundary and exchange of the smallest matrix;
#   us_per_nnz  of each matrix, on one GPU;   near_gbps  the exchange of all of x on 2 GPUs, the largest matrix;
#   message_us  what the smallest matrix's exchange takes longer on 4 GPUs than on 2.
# A third file, of another transport, replaces launch_us, boundary_us and near_us by its smallest matrix's, near_gbps by its largest
# exchange between 2 GPUs, and message_us by 0 unless it has 4 GPUs; measured_us is then its own.
# Assumed, because nobody measured it:  far_gbps, far_us, far_message_us (the network between hosts).
# Rows: step gpusP; case: a matrix of both files; for a grid also NAME/cubes, its points dealt out as cubes instead of slabs, and
# NAME/weak, so many points for each GPU; and 1024^3 points in cubes.  measured_us where the second file has that number of ranks.
BEGIN {
    FS = OFS = "\t"
    if (far_gbps == "") far_gbps = 50       # 400 Gb/s for each GPU
    if (far_us == "") far_us = 5            # first byte to another host
    if (far_message_us == "") far_message_us = 0.3
    if (element == "") element = 8
    HOST = 8
}
/^# / { if (FNR != NR && (ARGC < 4 || FILENAME == ARGV[3]) && substr($0, 3) ~ /^(backend|gpu|arch|driver|toolkit|commit|date):/) header = header $0 "\n"; next }
$1 == "chapter" { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
FNR == NR {
    if ($at["step"] !~ /^best@/ || $at["dtype"] != "fp64") next
    c = $at["case"]; p = $at["ranks"] + 0
    if (!(c in vol)) { vol[c] = 1; cases[++n_cases] = c }
    if (!(p in has)) { has[p] = 1; P[++n_p] = p }
    if (p == 2) all_bytes[c] = $at["replicated"]
    nnz[c] = $at["nnz"]; inside[c, p] = $at["inside_nnz_max"]; outside[c, p] = $at["halo_nnz_max"]
    near[c, p] = $at["near_max"]; far[c, p] = $at["far_max"]; near_m[c, p] = $at["near_messages"]; far_m[c, p] = $at["far_messages"]
    next
}
ARGC > 3 && FILENAME == ARGV[3] {
    if ($at["dtype"] != "fp64" || $at["case"] ~ /^weak:/) next
    c = $at["case"]; p = $at["ranks"] + 0
    if (p == 1 && (other == "" || $at["bytes"] + 0 < other_bytes)) { other = c; other_bytes = $at["bytes"] + 0 }
    if (p == 2 && $at["exchange_bytes"] + 0 > moved) { moved = $at["exchange_bytes"] + 0; moved_us = $at["exchange_us"] }
    o_product[c, p] = $at["product_us"]; o_exchange[c, p] = $at["exchange_us"]; o_boundary[c, p] = $at["boundary_us"]
    next
}
$at["dtype"] == "fp64" && $at["case"] !~ /^weak:/ {
    c = $at["case"]; p = $at["ranks"] + 0
    chapter = $1
    if (p == 1 && (smallest == "" || $at["bytes"] + 0 < small_bytes)) { smallest = c; small_bytes = $at["bytes"] + 0 }
    product[c, p] = $at["product_us"]; exchange[c, p] = $at["exchange_us"]; boundary[c, p] = $at["boundary_us"]
    all_us[c, p] = $at["exchange_all_us"]; size[c] = $at["bytes"]
}
function number(v) { return v ~ /^[0-9.]+(e[-+]?[0-9]+)?$/ }
function most(a, b) { return a > b ? a : b }
function row(step, c, p, in_nnz, out_nnz, near_b, far_b, near_messages, far_messages, one, rate,    i, b, x, x_near, x_far, t, launches, bound) {
    i = launch_us + rate * in_nnz
    b = out_nnz > 0 ? boundary_us + rate * out_nnz : 0
    x_near = near_messages > 0 ? near_us + message_us * (near_messages - 1) + near_b / near_gbps / 1000 : 0
    x_far = far_messages > 0 ? far_us + far_message_us * (far_messages - 1) + far_b / far_gbps / 1000 : 0
    x = x_near + x_far
    t = most(i, x) + b
    launches = (i >= x) * launch_us + (b > 0) * boundary_us # of what the product takes: interior unless it is hidden, boundary
    if (x > i && x > b) bound = far_b / far_gbps + near_b / near_gbps > 500 * x ? "bytes" : "messages"
    else bound = 2 * launches > (i >= x) * i + b ? "launch" : "product"
    printf "%s\t%s\tmodel\t%s\tfp64\tok\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.4f\t%s\t%s\n", chapter, step, c, p, i, b, x, t, one / t, \
        one / t / p, bound, other == "" ? (number(product[c, p]) ? product[c, p] : "-") : number(o_product[c, p]) ? o_product[c, p] : "-"
}
# The points of a grid as cubes: on one host of eight each touches three others, on several six, half of them elsewhere.
function cubes(name, points, entries, one, rate,    k, p, face, faces, elsewhere) {
    for (k = 1; k <= n_p; k++) {
        p = P[k]
        if (p > 1 && p < HOST) continue
        face = (points / p) ^ (2 / 3); faces = p == 1 ? 0 : p == HOST ? 3 : 6; elsewhere = p > HOST ? 3 : 0
        row("gpus" p, name, p, entries / p - faces * face, faces * face, (faces - elsewhere) * face * element, elsewhere * face * element, \
            faces - elsewhere, elsewhere, one, rate)
    }
}
END {
    if (smallest == "" || !number(product[smallest, 1])) { print "scale.awk: no product on one GPU in the second file" > "/dev/stderr"; exit 1 }
    launch_us = product[smallest, 1]
    boundary_us = number(boundary[smallest, 2]) ? boundary[smallest, 2] : launch_us
    near_us = number(exchange[smallest, 2]) ? exchange[smallest, 2] : 0
    message_us = number(exchange[smallest, 4]) && exchange[smallest, 4] > near_us ? exchange[smallest, 4] - near_us : 0
    for (k = 1; k <= n_cases; k++) {
        c = cases[k]
        if (number(all_us[c, 2]) && size[c] + 0 > largest + 0) {
            largest = size[c]
            near_gbps = all_bytes[c] / all_us[c, 2] / 1000
        }
    }
    for (k = 1; k <= n_cases; k++) if (number(product[cases[k], 1])) rates[cases[k]] = (product[cases[k], 1] - launch_us) / nnz[cases[k]]
    if (other != "") {
        launch_us = o_product[other, 1]; boundary_us = o_boundary[other, 2]; near_us = o_exchange[other, 2]
        message_us = number(o_exchange[other, 4]) && o_exchange[other, 4] > near_us ? o_exchange[other, 4] - near_us : 0
        near_gbps = moved / moved_us / 1000
    }
    if (!(near_gbps > 0)) { print "scale.awk: no exchange between two GPUs in the second file: near_gbps is not known" > "/dev/stderr"; exit 1 }
    printf "%s", header
    printf "# launch_us: %.3f\n# boundary_us: %.3f\n# near_us: %.3f\n# message_us: %.3f\n# near_gbps: %.1f\n", launch_us, boundary_us, near_us, \
        message_us, near_gbps
    printf "# far_gbps: %g\n# far_us: %g\n# far_message_us: %g\n# gpus_a_host: %d\n", far_gbps, far_us, far_message_us, HOST
    print "chapter", "step", "kind", "case", "dtype", "status", "ranks", "interior_us", "boundary_us", "exchange_us", "product_us", "speed_up", \
        "efficiency", "bound", "measured_us"
    for (k = 1; k <= n_cases; k++) {
        c = cases[k]
        if (!number(product[c, 1])) continue
        rate = rates[c]; one = launch_us + rate * nnz[c]
        for (j = 1; j <= n_p; j++) {
            p = P[j]
            row("gpus" p, c, p, inside[c, p], outside[c, p], near[c, p], far[c, p], near_m[c, p], far_m[c, p], one, rate)
        }
        if (c !~ /^poisson3d:/) continue
        split(c, grid, /[:,]/); points = grid[2] * grid[3] * grid[4]
        cubes(c "/cubes", points, nnz[c], one, rate)
        # one more GPU, one more grid of that size behind it: two faces, of which the last GPU of a host has one elsewhere
        for (j = 1; j <= n_p; j++) {
            p = P[j]; face = grid[2] * grid[3]; faces = p == 1 ? 0 : p == 2 ? 1 : 2; elsewhere = p > HOST ? 1 : 0
            row("gpus" p, c "/weak", p, nnz[c] - faces * face, faces * face, (faces - elsewhere) * face * element, elsewhere * face * element, \
                faces - elsewhere, elsewhere, one * p, rate)
        }
        points = 1024 ^ 3
        cubes("poisson3d:1024,1024,1024/cubes", points, 7 * points, launch_us + rate * 7 * points, rate)
    }
}
