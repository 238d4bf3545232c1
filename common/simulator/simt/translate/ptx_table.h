/*
 * ptx_table.h - the instructions of inline PTX that are known.
 *
 * A name is the instruction without its types, spaces (.global, .shared), and the words that change nothing here
 * (PTX_WORDS).  Its function is one of include/simt_ptx.h, a template over the type named last: the one behind the
 * name's =, or the name with _ for each dot.  The shape says what the operands are (ptx.c, write_operand); those behind
 * a ? may be left out.
 */
#ifndef SIMT_PTX_TABLE_H
#define SIMT_PTX_TABLE_H

#include <stdbool.h>

static const struct ptx_group {
    const char *shape;
    bool two_types; /* the functions also need the second to last type in the name */
    const char *names;
} PTX_TABLE[] = {
    {"ds", false, "mov abs neg not=not_ popc clz bfind brev sqrt rcp rsqrt ex2 lg2 sin cos tanh cvta.to=to_space "
                  "cvta.to.global=to_space cvta.to.shared=to_shared cvta=to_space cvta.global=to_space "
                  "cvta.shared=from_shared cnot bfind.shiftamt=bfind_shift"},
    {"dss", false, "add sub mul=mul_lo mul.lo mul.hi mul.wide div rem min max and=and_ or=or_ xor=xor_ setp.eq=eq "
                   "setp.ne=ne setp.lt=lt setp.le=le setp.gt=gt setp.ge=ge add.cc addc addc.cc sub.cc subc subc.cc "
                   "mul24.lo min.NaN=min_nan max.NaN=max_nan copysign add.sat mul.sat setp.lo=lt setp.ls=le setp.hi=gt "
                   "setp.hs=ge setp.equ=equ setp.neu=neu setp.ltu=ltu setp.leu=leu setp.gtu=gtu setp.geu=geu"},
    {"dsss", false, "mad=mad_lo mad.lo fma=mad_lo mad.lo.cc madc.lo madc.lo.cc mad.hi mad.hi.cc madc.hi madc.hi.cc sad "
                    "mad24.lo fma.sat"},
    {"dssn", false, "mad.wide"},
    {"dsu", false, "shl shr redux.sync.add=redux_add redux.sync.min=redux_min redux.sync.max=redux_max "
                   "redux.sync.and=redux_and redux.sync.or=redux_or redux.sync.xor=redux_xor mapa=map_generic "
                   "mapa.shared=map_shared match.any.sync=match_any"},
    {"dsuu", false, "bfe"},
    {"dssuu", false, "bfi"},
    {"duuu", false, "prmt shf.l.wrap shf.r.wrap shf.l.clamp shf.r.clamp"},
    {"duuun", false, "lop3"},
    {"dssp", false, "selp setp.eq.and=eq_and setp.eq.or=eq_or setp.eq.xor=eq_xor setp.ne.and=ne_and setp.ne.or=ne_or "
                    "setp.ne.xor=ne_xor setp.lt.and=lt_and setp.lt.or=lt_or setp.lt.xor=lt_xor setp.le.and=le_and "
                    "setp.le.or=le_or setp.le.xor=le_xor setp.gt.and=gt_and setp.gt.or=gt_or setp.gt.xor=gt_xor "
                    "setp.ge.and=ge_and setp.ge.or=ge_or setp.ge.xor=ge_xor"},
    {"dn?n", true, "cvt"},
    {"dn", true, "cvt.rni cvt.rzi=cvt cvt.sat cvt.rzi.sat=cvt_sat cvt.rni.sat cvt.rmi cvt.rpi"},
    {"da?n", false, "ld"},
    {"da", false, "ld.volatile ld.relaxed=ld_volatile ld.acquire"},
    {"as?n", false, "st"},
    {"as", false, "st.volatile st.relaxed=st_volatile st.release red.add=atom_add red.min=atom_min red.max=atom_max "
                  "red.and=atom_and red.or=atom_or red.xor=atom_xor"},
    {"das", false, "atom.add atom.exch atom.min atom.max atom.and atom.or atom.xor "
                   "mbarrier.test_wait=mbarrier_is_past"},
    {"dass", false, "atom.cas"},
    {"", false, "membar=fence membar.cta=fence_block fence.acq_rel=fence fence.sc=fence fence.acq_rel.cta=fence_block "
                "cp.async.commit_group=async_commit cp.async.wait_all=async_wait_all "
                "fence.mbarrier_init.release.cluster=nothing fence.proxy.async=nothing "
                "cp.async.bulk.commit_group=nothing griddepcontrol.wait=nothing "
                "griddepcontrol.launch_dependents=nothing barrier.cluster.arrive=cluster_arrive "
                "barrier.cluster.arrive.release=cluster_arrive barrier.cluster.arrive.relaxed=cluster_arrive "
                "barrier.cluster.wait=cluster_wait barrier.cluster.wait.acquire=cluster_wait brkpt=nothing trap"},
    {"u?u", false, "bar.sync barrier.sync=bar_sync"},
    {"uu", false, "bar.arrive barrier.arrive=bar_arrive"},
    {"dup", false, "bar.red.popc=bar_popc barrier.red.popc=bar_popc bar.red.or=bar_or barrier.red.or=bar_or "
                   "bar.red.and=bar_and barrier.red.and=bar_and"},
    {"u", false, "bar.warp.sync=warp_sync cp.async.wait_group=async_wait nanosleep"},
    {"d", false, "activemask"},
    {"dp", false, "vote.ballot=ballot vote.any=any vote.all=all"},
    {"dpu", false, "vote.sync.ballot=ballot vote.sync.any=any vote.sync.all=all"},
    {"dsuuu", false, "shfl.sync.idx=shfl_idx shfl.sync.up=shfl_up shfl.sync.down=shfl_down shfl.sync.bfly=shfl_bfly"},
    {"abn?n", false, "cp.async"},
    {"au", false, "mbarrier.init mbarrier.expect_tx=mbarrier_expect mbarrier.complete_tx=mbarrier_complete"},
    {"a", false, "mbarrier.inval cp.async.mbarrier.arrive=async_arrive "
                 "cp.async.mbarrier.arrive.noinc=async_arrive_noinc"},
    {"da?u", false, "mbarrier.arrive mbarrier.arrive_drop"},
    {"dau", false, "mbarrier.arrive.expect_tx=mbarrier_arrive_expect "
                   "mbarrier.test_wait.parity=mbarrier_is_past_parity"},
    {"das?u", false, "mbarrier.try_wait=mbarrier_is_past"},
    {"dau?u", false, "mbarrier.try_wait.parity=mbarrier_is_past_parity"},
    {"abum", false, "cp.async.bulk.mbarrier::complete_tx::bytes=bulk_in"},
    {"bmu", false, "cp.async.bulk.bulk_group=bulk_out"},
    {"n", false, "cp.async.bulk.wait_group=nothing cp.async.bulk.wait_group.read=nothing prefetch=nothing "
                 "pmevent=nothing setmaxnreg.inc=nothing setmaxnreg.dec=nothing"},
    {"dn", false, "getctarank=rank_of_generic getctarank.shared=rank_of_shared cvt.rna.tf32=cvt_tf32 cvt.tf32"},
    {"duuu", true, "dp4a"},
    {"du", false, "elect.sync=elect"},
    {"dnnn", true, "slct"},
    {"dnn", true, "set.eq set.ne set.lt set.le set.gt set.ge"},
    {"d?n", false, "createpolicy.fractional.L2::evict_last=cache_policy "
                   "createpolicy.fractional.L2::evict_first=cache_policy "
                   "createpolicy.fractional.L2::evict_normal=cache_policy "
                   "createpolicy.fractional.L2::evict_unchanged=cache_policy"},
};

/* Types by their PTX names. */
static const struct {
    const char *name, *code;
} PTX_TYPES[] = {
    {"u8", "uint8_t"}, {"u16", "uint16_t"}, {"u32", "uint32_t"}, {"u64", "uint64_t"}, {"s8", "int8_t"},
    {"s16", "int16_t"}, {"s32", "int32_t"}, {"s64", "int64_t"}, {"b8", "uint8_t"}, {"b16", "uint16_t"},
    {"b32", "uint32_t"}, {"b64", "uint64_t"}, {"f32", "float"}, {"f64", "double"}, {"pred", "bool"},
    {"f16", "simt_ptx::f16"}, {"f16x2", "simt_ptx::f16x2"}, {"bf16", "simt_ptx::bf16"}, {"bf16x2", "simt_ptx::bf16x2"},
};

/* Types of the elements of mma, and what their products are summed in (simt_ptx_mma.h); how a register is named. */
static const struct {
    const char *name, *element, *element_register, *sum, *sum_register;
} PTX_MMA_TYPES[] = {
    {"f16", "mma_f16", "uint32_t", "mma_sum_f16", "uint32_t"},
    {"bf16", "mma_bf16", "uint32_t", NULL, NULL},
    {"tf32", "mma_tf32", "uint32_t", NULL, NULL},
    {"s8", "mma_s8", "uint32_t", NULL, NULL},
    {"u8", "mma_u8", "uint32_t", NULL, NULL},
    {"e4m3", "mma_e4m3", "uint32_t", NULL, NULL},
    {"e5m2", "mma_e5m2", "uint32_t", NULL, NULL},
    {"f64", "mma_f64", "double", "mma_sum_f64", "double"},
    {"f32", NULL, NULL, "mma_sum_f32", "float"},
    {"s32", NULL, NULL, "mma_sum_s32", "int32_t"},
};

/* Words that change nothing here: cache hints, the scope of atomics, rounding modes. */
static const char *const PTX_WORDS[] = {
    "ca", "cg", "cs", "cv", "lu", "wb", "wt", "nc", "param", "const", "local", "gpu", "sys", "gl", "rn", "ftz",
    "approx", "full", "aligned", "L1", "L2", "L2::64B", "L2::128B", "L2::256B", "L1::no_allocate", "L1::evict_last",
    "L1::evict_first", "L1::evict_normal", "L1::evict_unchanged", "L2::cache_hint", "noftz", "weak",
};

#define PTX_XYZ(name, code) {name ".x", code ".x"}, {name ".y", code ".y"}, {name ".z", code ".z"}
#define PTX_IN_CLUSTER(name, axis, code, by) {name axis, "(" code axis " " by " simt_cluster_dim()" axis ")"}
#define PTX_OF_CLUSTER(name, code, by)                                                                                 \
    PTX_IN_CLUSTER(name, ".x", code, by), PTX_IN_CLUSTER(name, ".y", code, by), PTX_IN_CLUSTER(name, ".z", code, by)
static const struct {
    const char *name, *code;
} PTX_SPECIALS[] = {
    {"laneid", "simt_ptx::lane()"},
    {"warpid", "simt_ptx::thread() / 32"},
    {"nwarpid", "64u"},
    {"gridid", "0ull"},
    {"clock_hi", "(uint32_t)((uint64_t)clock64() >> 32)"},
    {"smid", "simt_ptx::sm()"},
    {"nsmid", "simt_ptx::sms()"},
    {"clock", "(uint32_t)clock64()"},
    {"clock64", "(uint64_t)clock64()"},
    {"globaltimer", "(uint64_t)simt_nanoseconds()"},
    PTX_XYZ("tid", "simt_thread_idx()"),
    PTX_XYZ("ntid", "simt_block_dim()"),
    PTX_XYZ("ctaid", "simt_block_idx()"),
    PTX_XYZ("nctaid", "simt_grid_dim()"),
    {"cluster_ctarank", "simt_ptx::cluster_rank()"},
    {"cluster_nctarank", "simt_ptx::cluster_size()"},
    PTX_OF_CLUSTER("cluster_ctaid", "simt_block_idx()", "%"),
    PTX_XYZ("cluster_nctaid", "simt_cluster_dim()"),
    PTX_OF_CLUSTER("clusterid", "simt_block_idx()", "/"),
    PTX_OF_CLUSTER("nclusterid", "simt_grid_dim()", "/"),
    {"lanemask_eq", "(1u << simt_ptx::lane())"},
    {"lanemask_lt", "((1u << simt_ptx::lane()) - 1)"},
    {"lanemask_le", "((2u << simt_ptx::lane()) - 1)"},
    {"lanemask_gt", "~((2u << simt_ptx::lane()) - 1)"},
    {"lanemask_ge", "~((1u << simt_ptx::lane()) - 1)"},
};

#endif
