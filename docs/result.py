"""result.py - the small table below a step's Result: the step beside the one it is from, for make_pages.py.

{{ result("v3", "us:stencil,web sectors:law") }}: times in µs on an H200 and counts of the simulator, a row for each
measure and matrix; {{ result("v8", "us:dense", "v6") }} compares with another step, "v7 v6" with both.
"""
from tables import Mistake, number, pretty, record

# word: column, English, Chinese
MEASURES = {"us": ("cold_us", "time, µs", "时间，µs"), "ms": ("setup_ms", "set-up, ms", "准备，ms"),
            "sectors": ("ld_sectors", "sectors read", "读取的扇区"), "requests": ("ld_requests", "load requests", "加载请求"),
            "atomics": ("atomic_requests", "atomic requests", "原子请求"),
            "wavefronts": ("sh_ld_wavefronts", "wavefronts of shared loads", "共享内存加载的波次"),
            "stored": ("st_sectors", "sectors written", "写入的扇区"), "lanes": ("active_lanes", "active lanes", "活跃的 lane"),
            "maxwarp": ("warp_max_mean", "busiest warp / mean", "最忙的 warp / 平均"),
            "maxblock": ("block_max_mean", "busiest block / mean", "最忙的线程块 / 平均"),
            "efficiency": ("efficiency", "efficiency", "效率")}
# word: English, Chinese, record and case of what is measured, of what is counted
MATRICES = {"web": ("webbase-1M", "webbase-1M", ("h200/07_load_balance_experiment1", "like:webbase-1M"), None),
            "stencil": ("stencil", "模板", ("h200/07_load_balance", "stencil27:100,100,100"), None),
            "dense": ("one dense row", "一个稠密行", ("h200/07_load_balance_experiment1", "one_dense_row:1000000"),
                      ("simt/07_load_balance_experiment1", "one_dense_row:20000")),
            "empty": ("mostly empty rows", "多数行为空", ("h200/07_load_balance_experiment1", "empty_rows:1000000,50"),
                      ("simt/07_load_balance_experiment1", "empty_rows:200000,50")),
            "rmat": ("R-MAT", "R-MAT", ("h200/07_load_balance_experiment1", "rmat:20,16"),
                     ("simt/07_load_balance_experiment1", "rmat:12,12")),
            "cnr": ("cnr-2000", "cnr-2000", ("h200/07_load_balance_experiment1", "cnr-2000"),
                    ("simt/07_load_balance_experiment1", "cnr-2000(rows/32)")),
            "law": ("power law", "幂律", None, ("simt/07_load_balance_experiment1", "powerlaw:20000,20000,62000")),
            "mesh": ("small mesh", "小网格", None, ("simt/07_load_balance", "poisson2d:48,48"))}


def ratio(old, new):
    """old / new with two decimals, a dash where one of them is 0."""
    return f"{number(old) / number(new):.2f}" if number(old) and number(new) else "-"


def result(chinese, parent, step, rows, against=None):
    """The table of one step: a row for each measure:matrix; matrix/fp64 is that matrix in double."""
    olds = (against or parent or "").split()
    heads = ["", *olds, step, *(f"{old} / {step}" for old in olds)]
    lines = ["| " + " | ".join(heads).lstrip() + " |", "| :-- |" + " --: |" * (len(heads) - 1)]
    for word in rows.split():
        measure, _, matrices = word.partition(":")
        for name in matrices.split(","):
            matrix, _, dtype = name.partition("/")
            if measure not in MEASURES or matrix not in MATRICES:
                raise Mistake(f"result: no {measure}:{name}; it has {', '.join(MEASURES)} of {', '.join(MATRICES)}")
            column, *called = MEASURES[measure]
            source = MATRICES[matrix][2 if measure in ("us", "ms", "efficiency") else 3]
            if source is None:
                raise Mistake(f"result: nothing like {measure} is known of {matrix}")
            found = record(source[0], dtype or "fp32")
            label = [called[chinese], MATRICES[matrix][chinese], *([dtype] if dtype else [])]
            new, *before = (found.find(v, [source[1]])[column] for v in (step, *olds))
            cells = [("，" if chinese else ", ").join(label), *map(pretty, before), pretty(new),
                     *(ratio(old, new) for old in before)]
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)
