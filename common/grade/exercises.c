/* exercises.c - see exercises.h */
#include "exercises.h"

static const grade_chapter_t CHAPTERS[] = {
    {1, "01_reduce", "reduce", "n numbers, fp32 and fp64", "n = 0, 1 and around 32, 256, 1024", "memory that is not aligned",
     {{'r', "48", "{20000-60000}"}, {'r', "4", "{2000-9000}"}, {'e', "4", "0"}, {'e', "4", "1"}, {'e', "8", "{31-33}"},
      {'e', "4", "{255-257}"}, {'e', "4", "{1023-1025}"}, {'s', "48", "{5000-20000}+{1-3}"}}},
    {2, "02_memcpy_vectorized", "memcpy", "aligned copies", "0, 1 and a few bytes", "source and target beside alignment",
     {{'r', "4", "{40000-90000},4,0,0"}, {'r', "4", "{8000-9000},1,0,0"}, {'e', "4", "0,1,0,0"}, {'e', "4", "1,1,0,0"},
      {'e', "4", "{2-70},1,0,0"}, {'e', "4", "{4000-4200},1,{0-15},{0-15}"}, {'s', "4", "{9000-20000},1,{1-15},0"},
      {'s', "4", "{9000-20000},1,0,{1-15}"}, {'s', "4", "{9000-20000},2,{1-31},{1-31}"}}},
    {3, "03_gemv", "gemv", "both layouts, fp32 and fp64", "no rows, no columns, one of each", "narrow, wide and misaligned matrices",
     {{'r', "48", "row,{150-250},{150-250}"}, {'r', "48", "col,{150-250},{150-250}"}, {'e', "4", "row,{1-40},0"},
      {'e', "4", "col,1,{1-70}"}, {'e', "8", "row,{31-33},1"}, {'e', "4", "col,{255-257},{1-3}"}, {'e', "4", "row,0,5"},
      {'s', "4", "row,{1000-2000},{5-17}"}, {'s', "8", "col,{3-6},{1000-2000}"}, {'s', "4", "row,{60-90},{60-90}+{1-3}"},
      {'s', "4", "col,{60-90},{60-90}+{1-3}"}}},
    {4, "04_spmv_scalar", "spmv_scalar", "random matrices, fp32 and fp64", "no rows, no nonzeros, one row, one column",
     "empty rows, one long row, misaligned arrays",
     {{'r', "48", "random:{900-1500},{900-1500},{5000-9000}"}, {'r', "4", "poisson2d:{30-40},{30-40}"}, {'e', "4", "empty:0,5"},
      {'e', "4", "empty:{3-40},{3-40}"}, {'e', "8", "dense:1,{30-300}"}, {'e', "4", "dense:{255-257},1"},
      {'s', "4", "empty_rows:{1000-3000},{5-9}"}, {'s', "8", "one_dense_row:{300-500}"},
      {'s', "4", "random:{500-900},{500-900},{3000-5000}+{1-3}"}}},
    {5, "05_spmv_vector", "spmv_vector", "random matrices, fp32 and fp64", "no rows, no nonzeros, one row, one column",
     "empty rows, uneven rows, any lanes, misaligned arrays",
     {{'r', "48", "random:{900-1500},{900-1500},{5000-9000}"}, {'r', "4", "even:{300-600},{600-900},{20-40}"}, {'e', "4", "empty:0,5"},
      {'e', "4", "empty:{3-40},{3-40}"}, {'e', "8", "dense:1,{30-300}"}, {'e', "4", "dense:{255-257},1"},
      {'s', "4", "empty_rows:{1000-3000},{5-9}"}, {'s', "8", "powerlaw:{900-1500},{900-1500},{6000-9000}"},
      {'s', "4", "random:{500-900},{500-900},{3000-5000}+{1-3}/32"}, {'s', "4", "diagonal:{500-900}/16"}}},
    {6, "06_spmv_lightspmv", "spmv_lightspmv", "random matrices, fp32 and fp64", "no rows, no nonzeros, one row, one column",
     "empty rows, one long row, any lanes, misaligned arrays",
     {{'r', "48", "random:{900-1500},{900-1500},{5000-9000}"}, {'r', "4", "even:{300-600},{600-900},{20-40}"}, {'e', "4", "empty:0,5"},
      {'e', "4", "empty:{3-40},{3-40}"}, {'e', "8", "dense:1,{30-300}"}, {'e', "4", "dense:{255-257},1"},
      {'s', "4", "empty_rows:{1000-3000},{5-9}"}, {'s', "8", "one_dense_row:{1000-2000}"},
      {'s', "4", "random:{500-900},{500-900},{3000-5000}+{1-3}/32"}, {'s', "4", "diagonal:{500-900}/16"}}},
    {7, "07_load_balance", "load_balance", "random matrices, fp32 and fp64", "no rows, no nonzeros, one row, one column",
     "empty rows, one long row, misaligned arrays",
     {{'r', "48", "random:{900-1500},{900-1500},{5000-9000}"}, {'r', "4", "even:{300-600},{600-900},{20-40}"}, {'e', "4", "empty:0,5"},
      {'e', "4", "empty:{3-40},{3-40}"}, {'e', "8", "dense:1,{30-3000}"}, {'e', "4", "dense:{255-257},1"},
      {'s', "4", "empty_rows:{6000-9000},{500-700}"}, {'s', "8", "one_dense_row:{1000-3000}"},
      {'s', "4", "powerlaw:{500-900},{500-900},{3000-5000}+{1-3}"}}},
};

static const exercise_t EXERCISES[] = {
    {1, 1, "exercise.cu", "a sum of your own", {{'A', "4", "{100000-120000}"}},
     {{METRIC_LD_SECTORS, 'A', "v8", 1.1, 20}, {METRIC_LD_REQUESTS, 'A', "v8", 1.1, 20}}, "33554433", "v8"},
    {1, 2, "exercise2.cu", "wide loads, and no tree in shared memory", {{'A', "4", "{100000-120000}"}},
     {{METRIC_LD_REQUESTS, 'A', "v10", 1.1, 20}, {METRIC_SHARED, 'A', "v10", 1.1, 20}}, "33554433", "v10"},
    {2, 1, "exercise.cu", "every vector of the source once", {{'A', "4", "{300000-400000},4,{1-3},0"}},
     {{METRIC_LD_SECTORS, 'A', "v8", 0.6, 20}, {METRIC_LD_REQUESTS, 'A', "v8", 1.1, 20}}, "134217731,1,0,5", "v8"},
    {2, 2, "exercise2.cu", "sixteen bytes a thread", {{'A', "4", "{300000-400000},4,0,0"}},
     {{METRIC_LD_REQUESTS, 'A', "v5", 1.1, 20}, {METRIC_LD_SECTORS, 'A', "v5", 1.1, 20}}, "134217728,4,0,0", "v5"},
    {3, 1, "exercise.cu", "neighbours read neighbours, in either layout",
     {{'A', "4", "row,{3000-4000},16"}, {'B', "4", "col,{3000-4000},16"}},
     {{METRIC_LD_SECTORS, 'A', "v4", 1.4, 20}, {METRIC_LD_SECTORS, 'B', "v9", 1.2, 20}}, "row,1048576,32", "v4"},
    {3, 2, "exercise2.cu", "wide loads where a matrix allows them",
     {{'A', "4", "row,{400-500},512"}, {'B', "4", "row,{400-500},509"}},
     {{METRIC_LD_REQUESTS, 'A', "v3", 1.2, 20}, {METRIC_LD_SECTORS, 'B', "v2", 1.2, 20}}, "row,8192,8192", "v3"},
    {4, 1, "exercise.cu", "an ELL that knows where a row ends", {{'A', "4", "random:{4000-5000},{4000-5000},30000"}},
     {{METRIC_LD_SECTORS, 'A', "v1", 0.7, 20}, {METRIC_LD_SECTORS, 'A', "v4", 0.97, 20}}, "random:2000000,2000000,20000000", "v4"},
    {4, 2, "exercise2.cu", "four rows of an ELL in one load", {{'A', "4", "poisson2d:{50-60},64"}},
     {{METRIC_LD_REQUESTS, 'A', "v4", 0.55, 20}, {METRIC_LD_SECTORS, 'A', "v4", 2, 20}}, "poisson2d:2048,2048", "v4"},
    {5, 1, "exercise.cu", "rows of one nonzero", {{'A', "4", "diagonal:{15000-25000}"}, {'B', "4", "even:{2000-3000},{2000-3000},16"}},
     {{METRIC_LD_REQUESTS, 'A', "v3", 0.55, 20}, {METRIC_LD_REQUESTS, 'B', "v3", 1.1, 20}}, "diagonal:8000000", "v3"},
    {5, 2, "exercise2.cu", "a vector of your own", {{'A', "4", "even:{4000-6000},{4000-6000},8"}},
     {{METRIC_LD_REQUESTS, 'A', "v3", 1.1, 20}, {METRIC_LD_SECTORS, 'A', "v3", 1.1, 20}}, "even:2000000,2000000,8", "v3"},
    {6, 1, "exercise.cu", "large tickets first, small ones last", {{'A', "4", "rmat:12,16"}},
     {{METRIC_ATOMICS, 'A', "v6", 0.5, 20}, {METRIC_MAX_WARP, 'A', "v5", 0.99, 20}}, "rmat:20,16", "v6"},
    {6, 2, "exercise2.cu", "one question for a warp", {{'A', "4", "random:{8000-9000},{8000-9000},60000"}},
     {{METRIC_ATOMICS, 'A', "v6", 1.1, 20}, {METRIC_LD_REQUESTS, 'A', "v6", 1.1, 20}}, "rmat:20,16", "v6"},
    {7, 1, "exercise.cu", "a warp for every 256 nonzeros", {{'A', "4", "one_dense_row:{15000-20000}"}, {'B', "4", "powerlaw:{4000-5000},{4000-5000},60000"}},
     {{METRIC_MAX_WARP, 'A', NULL, 3, 20}, {METRIC_MAX_WARP, 'B', NULL, 3, 20}}, "one_dense_row:1000000", "v2"},
    {7, 2, "exercise2.cu", "a segmented sum of your own", {{'A', "4", "powerlaw:{4000-5000},{4000-5000},60000"}},
     {{METRIC_ATOMICS, 'A', "v2", 1.2, 20}, {METRIC_LD_REQUESTS, 'A', "v2", 1.2, 20}}, "powerlaw:2000000,2000000,20000000", "v2"},
};

const grade_chapter_t *grade_chapter(int chapter)
{
    for (size_t i = 0; i < sizeof CHAPTERS / sizeof *CHAPTERS; ++i)
        if (CHAPTERS[i].number == chapter) return &CHAPTERS[i];
    return NULL;
}

const exercise_t *grade_exercise(int chapter, int number)
{
    for (size_t i = 0; i < sizeof EXERCISES / sizeof *EXERCISES; ++i)
        if (EXERCISES[i].chapter == chapter && EXERCISES[i].number == number) return &EXERCISES[i];
    return NULL;
}

const exercise_t *grade_exercises(size_t *count)
{
    *count = sizeof EXERCISES / sizeof *EXERCISES;
    return EXERCISES;
}

const char *grade_metric_name(grade_metric_t m)
{
    static const char *const NAMES[] = {"sectors loaded", "load requests", "shared wavefronts", "global atomics",
                                        "busiest warp / mean warp"};
    return NAMES[m];
}
