/*
 * load.c - libspmv under load: many plans, a long time, extreme shapes, the largest matrix that fits.  `make test` runs
 * only a small part (test_spmv_load); common/workshop/tests/soak.sh and load_on_gpu.sh run the rest.
 *
 *     load_spmv plans 10000      creates, executes and destroys so many small plans
 *     load_spmv leak 10000       the same without destroying the plans: memory must be reported as growing
 *     load_spmv tall 1000000000  rows x 1 with 3 nonzeros; wide: 1 x columns with 3; diagonal: N x N
 *     load_spmv fit 90           16 nonzeros per row, arrays that fill 90 % of the free memory of host or GPU
 *
 * Standard output gets a TSV line for each sample, and at the end a verdict: right or wrong, flat or growing.
 * Exit status: 0 right and flat, 1 not (255: a small plan is wrong), 2 too little memory, 64 wrong arguments.
 */
#include <dirent.h>
#include <inttypes.h>
#include <sys/resource.h>
#include <sysexits.h>
#include <unistd.h>

#include "library.h"

#include "clock.h"
#include "hostmem.h"

static bool gpu; /* plans, x and y are on the GPU */
static bool leak; /* plans are not destroyed */
static double start;

/* ---- memory and files of a process ----------------------------------------------------------------------- */

typedef struct holds {
    double resident_mb, peak_mb, gpu_mb;
    int files;
} holds_t;

static holds_t look(void)
{
    holds_t h = {0};
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%*d %ld", &pages) == 1) h.resident_mb = (double)pages * (double)sysconf(_SC_PAGESIZE) / 1e6;
    if (f) fclose(f);
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder)) ++h.files;
    if (folder) closedir(folder);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    h.peak_mb = (double)usage.ru_maxrss * 1024 / 1e6;
    size_t free_bytes = 0, total = 0;
    if (gpu && cudaMemGetInfo(&free_bytes, &total) == cudaSuccess) h.gpu_mb = (double)(total - free_bytes) / 1e6;
    return h;
}

static int refused(const char *what)
{
    fprintf(stderr, "load_spmv: %s\n", what);
    return 2;
}

/* ---- many plans --------------------------------------------------------------------------------- */

static const char *const RECIPES[] = {"empty:0,0", "empty:17,19", "identity:33", "band:100,3", "one_dense_row:500",
                                      "empty_rows:100,7", "powerlaw:300,300,4000", "dense:33,31", "like:ash219"};
enum { SMALL = sizeof RECIPES / sizeof *RECIPES, SAMPLES = 50, KINDS = 4 };

/* Creates, uses and destroys a plan of that kind; checks y. */
static void one_plan(example_t *e, int kind)
{
    spmv_plan_t *plan = plan_of(e, (spmv_options_t){.backend = gpu ? SPMV_BACKEND_GPU : SPMV_BACKEND_CPU,
                                                    .setup = (spmv_setup_t)(kind & 1), .copy = kind >> 1});
    check_product(plan, e, 1, 0, false);
    if (!leak) spmv_destroy(plan);
}

/* Returns the largest numbers in samples [from, to). */
static holds_t most(const holds_t *s, size_t from, size_t to)
{
    holds_t m = {0};
    for (size_t i = from; i < to; ++i) {
        m.resident_mb = fmax(m.resident_mb, s[i].resident_mb);
        m.gpu_mb = fmax(m.gpu_mb, s[i].gpu_mb);
        m.files = s[i].files > m.files ? s[i].files : m.files;
    }
    return m;
}

/* The last fifth may hold no more than the second, plus a MB of either memory, because libraries round sizes. */
static int verdict(const holds_t *s, size_t n, size_t plans)
{
    const holds_t early = most(s, n / 5, 2 * n / 5), late = most(s, n - n / 5, n);
    const bool flat = n >= 10 && late.resident_mb <= early.resident_mb + 1 && late.gpu_mb <= early.gpu_mb + 1 &&
                      late.files <= early.files;
    printf("# %zu plans in %.1f s: all right; memory %.1f -> %.1f MB, GPU %.1f -> %.1f MB, files %d -> %d: %s\n",
           plans, clock_now() - start, early.resident_mb, late.resident_mb, early.gpu_mb, late.gpu_mb, early.files,
           late.files, flat ? "flat" : "GROWING");
    return flat ? 0 : 1;
}

/* Makes `plans` plans, at least 50. */
static int many(size_t plans)
{
    example_t examples[SMALL];
    holds_t samples[SAMPLES];
    size_t n = 0, done = 0;
    for (int i = 0; i < SMALL; ++i) examples[i] = example_from(RECIPES[i], SPMV_F32, 32, false);
    printf("seconds\tplans\tresident_mb\tgpu_mb\tfiles\n");
    while (n < SAMPLES) {
        one_plan(&examples[done % SMALL], (int)(done / SMALL % KINDS));
        ++done;
        if (done * SAMPLES < (n + 1) * plans) continue;
        samples[n] = look();
        printf("%.1f\t%zu\t%.2f\t%.2f\t%d\n", clock_now() - start, done, samples[n].resident_mb, samples[n].gpu_mb,
               samples[n].files);
        fflush(stdout);
        ++n;
    }
    for (int i = 0; i < SMALL; ++i) example_free(&examples[i]);
    return verdict(samples, n, done);
}

/* ---- one matrix by formula ---------------------------------------------------------------------- */

typedef enum shape_kind { TALL, WIDE, DIAGONAL, SIXTEEN } shape_kind_t;
static const char *const SHAPES[] = {"tall", "wide", "diagonal", "fit"};

typedef struct shape {
    shape_kind_t kind;
    int64_t n; /* the length of the long side */
    int64_t rows, cols, nnz;
} shape_t;

static shape_t shape_of(shape_kind_t kind, int64_t n)
{
    switch (kind) {
    case TALL: return (shape_t){kind, n, n, 1, 3};
    case WIDE: return (shape_t){kind, n, 1, n, 3};
    case DIAGONAL: return (shape_t){kind, n, n, n, n};
    default: return (shape_t){kind, n, n, n, 16 * n};
    }
}

/* Returns the row of tall's nonzero k, or the column of wide's: the first, the middle and the last.  All numbers are
 * small integers, so that sums in fp32 are exact. */
static int64_t place(const shape_t *s, int64_t k) { return k == 0 ? 0 : k == 1 ? s->n / 2 : s->n - 1; }
static int64_t offset(const shape_t *s, int64_t r)
{
    if (s->kind == TALL) return (r > place(s, 0)) + (r > place(s, 1)) + (r > place(s, 2));
    return s->kind == WIDE ? 3 * r : s->kind == DIAGONAL ? r : 16 * r;
}
static int32_t column(const shape_t *s, int64_t k)
{
    if (s->kind == WIDE) return (int32_t)place(s, k);
    return (int32_t)(s->kind == TALL ? 0 : s->kind == DIAGONAL ? k : (k / 16 + k % 16) % s->n);
}
static float value(int64_t k) { return (float)(k % 5 + 1); }
static float x_at(int64_t c) { return (float)(c % 7 + 1); }
static float y_at(const shape_t *s, int64_t r)
{
    float sum = 0;
    for (int64_t k = offset(s, r); k < offset(s, r + 1); ++k) sum += value(k) * x_at(column(s, k));
    return sum;
}

typedef enum part { OFFSETS, COLUMNS, VALUES, X, Y, PARTS } part_t;
static const char *const PART_NAMES[] = {"row_offsets", "col_indices", "values", "x", "y"};

static int offset_bits(const shape_t *s) { return s->nnz > INT32_MAX ? 64 : 32; }
static size_t part_size(const shape_t *s, part_t part)
{
    return part == OFFSETS ? (size_t)offset_bits(s) / 8 : 4;
} /* of an element */
static size_t part_bytes(const shape_t *s, part_t part)
{
    const int64_t count[PARTS] = {s->rows + 1, s->nnz, s->nnz, s->cols, s->rows};
    return (size_t)count[part] * part_size(s, part);
}

static double all_bytes(const shape_t *s)
{
    double bytes = 0;
    for (int p = 0; p < PARTS; ++p) bytes += (double)part_bytes(s, (part_t)p);
    return bytes;
}

enum { CHUNK = 1 << 22 }; /* elements that the host makes at a time */

/* Writes elements [from, from + count) of that part into buffer. */
static void make(const shape_t *s, part_t part, int64_t from, int64_t count, void *buffer)
{
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < count; ++i) {
        if (part == OFFSETS && part_size(s, part) == 8) ((int64_t *)buffer)[i] = offset(s, from + i);
        else if (part == OFFSETS) ((int32_t *)buffer)[i] = (int32_t)offset(s, from + i);
        else if (part == COLUMNS) ((int32_t *)buffer)[i] = column(s, from + i);
        else ((float *)buffer)[i] = part == VALUES ? value(from + i) : part == X ? x_at(from + i) : NAN;
    }
}

static void *part_open(const shape_t *s, part_t part, void *buffer, err_t *err)
{
    const size_t bytes = part_bytes(s, part), size = part_size(s, part);
    char *all = gpu ? device_alloc(bytes, PART_NAMES[part], err) : malloc(bytes);
    if (!all && !gpu) err_set(err, "out of memory for %.1f GB of %s", (double)bytes / 1e9, PART_NAMES[part]);
    for (size_t done = 0; all && done < bytes; done += CHUNK * size) {
        const size_t n = bytes - done < CHUNK * size ? bytes - done : CHUNK * size;
        make(s, part, (int64_t)(done / size), (int64_t)(n / size), gpu ? buffer : all + done);
        if (gpu && device_ok(cudaMemcpy(all + done, buffer, n, cudaMemcpyHostToDevice), PART_NAMES[part], err)) {
            device_free(all);
            return NULL;
        }
    }
    return all;
}

/* Counts the elements of y that differ from the formula. */
static int64_t count_wrong(const shape_t *s, const float *y, float *buffer)
{
    int64_t wrong = 0;
    for (int64_t from = 0; from < s->rows; from += CHUNK) {
        const int64_t count = s->rows - from < CHUNK ? s->rows - from : CHUNK;
        if (gpu && cudaMemcpy(buffer, y + from, (size_t)count * 4, cudaMemcpyDeviceToHost)) return s->rows;
        const float *got = gpu ? buffer : y + from;
#pragma omp parallel for schedule(static) reduction(+ : wrong)
        for (int64_t i = 0; i < count; ++i) wrong += !(got[i] == y_at(s, from + i));
    }
    return wrong;
}

/* Creates a plan with that set-up, executes it twice and checks y.  Returns 0 right, 1 wrong, 2 refused. */
static int run_plan(const shape_t *s, void *const part[PARTS], spmv_setup_t setup, void *buffer)
{
    const spmv_csr_t A = {s->rows, s->cols, s->nnz, SPMV_F32, offset_bits(s), gpu ? SPMV_DEVICE : SPMV_HOST,
                          part[OFFSETS], part[COLUMNS], part[VALUES]};
    const spmv_options_t o = {.setup = setup};
    const char *name = setup == SPMV_SETUP_NONE ? "none" : "plan";
    spmv_plan_t *plan;
    err_t err = {""};
    double t[3] = {clock_now(), 0, 0};
    spmv_status_t status = spmv_create(&plan, &A, &o, NULL);
    t[1] = clock_now();
    for (int i = 0; i < 2 && status == SPMV_OK; ++i) {
        t[2] = clock_now();
        status = spmv_execute(plan, 1, part[X], 0, part[Y], NULL);
        if (status == SPMV_OK && gpu && device_sync(&err)) status = SPMV_GPU_ERROR;
    }
    const double now = clock_now();
    const int64_t wrong = status == SPMV_OK ? count_wrong(s, part[Y], buffer) : 0;
    const holds_t h = look();
    printf("%s\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%s\t%.1f\t%.1f\t%.2f\t%.1f\t%.1f\t", SHAPES[s->kind], s->rows,
           s->cols, s->nnz, name, all_bytes(s) / 1e9, 1e3 * (t[1] - t[0]), 1e3 * (now - t[2]), h.peak_mb / 1e3,
           h.gpu_mb / 1e3);
    if (status != SPMV_OK) printf("refused: %s\n", err.text[0] ? err.text : spmv_last_error());
    else printf(wrong ? "%" PRId64 " rows WRONG\n" : "ok\n", wrong);
    fflush(stdout);
    spmv_destroy(plan);
    return status == SPMV_NO_MEMORY ? 2 : status != SPMV_OK || wrong > 0;
}

/* Checks the free memory before anything is allocated. */
static int fits(const shape_t *s, const char *what, err_t *err)
{
    size_t available = 0, total = 0;
    const double bytes = all_bytes(s);
    if (!gpu) return hostmem_fits(bytes, what, err);
    if (device_ok(cudaMemGetInfo(&available, &total), "cudaMemGetInfo", err)) return -1;
    if (bytes <= (double)available) return 0;
    return err_set(err, "%s needs %.1f GB, the GPU has %.1f GB free", what, bytes / 1e9, (double)available / 1e9);
}

static int one_matrix(shape_kind_t kind, int64_t n)
{
    const shape_t s = shape_of(kind, n);
    void *part[PARTS] = {NULL}, *buffer = malloc((size_t)CHUNK * 8);
    char what[96];
    err_t err = {""};
    snprintf(what, sizeof what, "%s: %" PRId64 " x %" PRId64 " with %" PRId64 " nonzeros", SHAPES[kind], s.rows, s.cols,
             s.nnz);
    int status = buffer ? 0 : refused("out of memory");
    if (!status && fits(&s, what, &err)) status = refused(err.text);
    for (int p = 0; p < PARTS && !status; ++p)
        if (!(part[p] = part_open(&s, (part_t)p, buffer, &err))) status = refused(err.text);
    if (!status) {
        printf("shape\trows\tcols\tnnz\tsetup\tgb\tcreate_ms\texecute_ms\thost_peak_gb\tgpu_gb\tstatus\n");
        status = run_plan(&s, part, SPMV_SETUP_NONE, buffer);
        /* A plan may need more memory than is free; it must then return an error, and that is a correct result. */
        if (!status && run_plan(&s, part, SPMV_SETUP_PLAN, buffer) == 1) status = 1;
    }
    for (int p = 0; p < PARTS; ++p)
        if (gpu) device_free(part[p]);
        else free(part[p]);
    free(buffer);
    return status;
}

/* Returns the rows of a matrix whose arrays take that share of the free memory. */
static int64_t rows_that_fit(double percent)
{
    size_t available = hostmem_bytes(), total = 0;
    if (gpu && cudaMemGetInfo(&available, &total) != cudaSuccess) return 0;
    const shape_t unit = shape_of(SIXTEEN, 1 << 20);
    const double rows = (double)available * percent / 100 / (all_bytes(&unit) / (1 << 20));
    return rows < 16 ? 16 : rows > INT32_MAX ? INT32_MAX : (int64_t)rows;
}

static int usage(void)
{
    fputs(
        "load_spmv plans N | leak N | tall N | wide N | diagonal N | fit PERCENT   [cpu | gpu]\n"
        "libspmv under load, on the CPU (or on gpu: the GPU, or its simulator).  N up to 2147483647, PERCENT up to 1000.\n"
        "Exit status: 0 right and flat, 1 not, 2 refused for want of memory, 64 wrong arguments\n",
        stderr);
    return EX_USAGE;
}

int main(int argc, char **argv)
{
    char *end = NULL;
    err_t err;
    device_facts_t facts;
    const double number = argc > 2 ? strtod(argv[2], &end) : 0;
    if (argc < 3 || argc > 4 || !end || *end || !(number >= 1 && number <= INT32_MAX)) return usage();
    if (argc == 4 && strcmp(argv[3], "cpu") && strcmp(argv[3], "gpu")) return usage();
    gpu = argc == 4 && strcmp(argv[3], "gpu") == 0;
    if (gpu && device_open(&facts, &err)) return refused(err.text);
    start = clock_now();
    leak = strcmp(argv[1], "leak") == 0;
    if (leak || strcmp(argv[1], "plans") == 0) return many((size_t)number);
    if (strcmp(argv[1], "fit") == 0) return number > 1000 ? usage() : one_matrix(SIXTEEN, rows_that_fit(number));
    for (int kind = TALL; kind < SIXTEEN; ++kind)
        if (strcmp(argv[1], SHAPES[kind]) == 0 && number >= 3) return one_matrix((shape_kind_t)kind, (int64_t)number);
    return usage();
}
