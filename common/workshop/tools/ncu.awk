# ncu.awk - joins ncu's CSV (first file) with a results file of the simulator (second): one row per step and count.  Kernels are
# named TOPIC_vK_kernel, so the step is in the name; the launches of a step are summed.  Kernels that several steps launch after
# their own (add_carries_kernel, plan_pieces_kernel) belong to the step before them.
BEGIN {
    name["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] = "ld_requests"
    name["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] = "ld_sectors"
    name["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"] = "st_requests"
    name["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"] = "st_sectors"
    name["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] = "sh_ld_wavefronts"
    name["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"] = "sh_st_wavefronts"
    name["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] = "sh_ld_wavefronts"
    name["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum"] = "sh_st_wavefronts"
    split("ld_requests ld_sectors st_requests st_sectors sh_ld_wavefronts sh_st_wavefronts", order, " ")
}
NR == FNR {
    if ($0 !~ /^"/) next
    gsub(/","/, "\t"); gsub(/^"|"$/, "")
    n = split($0, f, "\t")
    if (f[1] == "ID") { for (i = 1; i <= n; i++) at[f[i]] = i; next }
    kernel = f[at["Kernel Name"]]
    if (match(kernel, /_v[0-9]+_/)) step = substr(kernel, RSTART + 1, RLENGTH - 2)
    else if (kernel !~ /add_carries_kernel|plan_pieces_kernel/ || step == "") next
    v = f[at["Metric Value"]]; gsub(/,/, "", v)
    seen[step] = 1
    count[step, name[f[at["Metric Name"]]]] += v
    next
}
/^#/ { next }
{
    n = split($0, f, "\t")
    if (f[1] == "chapter") { for (i = 1; i <= n; i++) col[f[i]] = i; next }
    if (f[col["kind"]] != "gpu" || f[col["status"]] != "ok" || !(f[col["step"]] in seen)) next
    for (k = 1; k <= 6; k++) {
        c = order[k]; s = f[col[c]]; u = count[f[col["step"]], c] + 0
        printf "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%.0f\t%s\n", chapter, f[col["step"]], f[col["case"]], f[col["dtype"]], run, c, s, u, s == u ? "yes" : "no"
    }
}
