/* program.c - see program.h */
#include "program.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

/* ---- options ------------------------------------------------------------------------------------ */

enum { OPT_RANKS = 3000, OPT_INPUT, OPT_WEAK, OPT_PER_RANK, OPT_TRANSPORT, OPT_CUTS, OPT_PARTS, OPT_ORDER, OPT_CUT };

static const struct argp_option EXTRA_OPTIONS[] = {
    {"ranks", OPT_RANKS, "LIST", 0, "Measure with these numbers of ranks: 1,2,4 (default: all that were started)", 0},
    {"input", OPT_INPUT, "HOW", 0,
     "scatter (default): rank 0 reads the matrix and sends each rank its rows; each: every rank reads or generates its "
     "own rows", 0},
    {"weak", OPT_WEAK, NULL, 0,
     "Weak scaling: --matrix is the stencil of one rank; with P ranks its last size is P times as large", 0},
    {"per-rank", OPT_PER_RANK, NULL, 0, "Also print the rows, nonzeros and exchanged entries of x of each rank", 0},
    {"transport", OPT_TRANSPORT, "NAME", 0,
     "How ranks exchange entries of x: mpi, shared (memory, CPUs only), direct or nccl (GPUs only), or auto (default): "
     "the first of direct, nccl, shared and mpi that all ranks can use", 0},
    {"cuts", OPT_CUTS, "FILE", 0, "Do not multiply; write the cuts and the bytes that ranks would exchange to FILE", 0},
    {"order", OPT_ORDER, "NAME", 0,
     "natural (default), or metis: METIS renumbers rows and columns if the busiest rank then receives less", 0},
    {"cut", OPT_CUT, "NAME", 0,
     "1d (default): each rank has a range of rows; 2d: the ranks form a grid and each has a block of rows and columns; "
     "auto: the one with fewer bytes to read and move", 0},
    {"parts", OPT_PARTS, "LIST", 0, "With --cuts: count for these numbers of ranks: 1,8,1024 (default: --ranks)", 0},
    {0},
};

/* Parses "1,2,4" into numbers[MOST_WORLDS]; returns how many. */
static int parse_list(const char *arg, int *numbers, struct argp_state *state, const char *option)
{
    int count = 0;
    for (const char *s = arg; count < MOST_WORLDS; ++s) {
        char *end;
        const long n = strtol(s, &end, 10);
        if (end == s || n < 1 || n > 1 << 20 || (*end && *end != ','))
            argp_error(state, "%s: \"%s\" must be a list of whole numbers, such as 1,2,4", option, arg);
        numbers[count++] = (int)n;
        s = end;
        if (!*s) return count;
    }
    argp_error(state, "%s: at most %d numbers", option, MOST_WORLDS);
    return 0;
}

static error_t parse_extra(int key, char *arg, struct argp_state *state)
{
    extra_t *e = state->input;
    switch (key) {
    case OPT_RANKS: e->worlds = parse_list(arg, e->ranks, state, "--ranks"); return 0;
    case OPT_PARTS: e->parts_count = parse_list(arg, e->parts, state, "--parts"); return 0;
    case OPT_INPUT:
        if (strcmp(arg, "each") && strcmp(arg, "scatter"))
            argp_error(state, "--input: \"%s\" must be scatter or each", arg);
        e->each = strcmp(arg, "each") == 0;
        return 0;
    case OPT_WEAK: e->weak = true; return 0;
    case OPT_PER_RANK: e->per_rank = true; return 0;
    case OPT_TRANSPORT:
        for (e->transport = DIST_AUTO; strcmp(arg, dist_transport_name(e->transport)); ++e->transport)
            if (e->transport == DIST_DIRECT)
                argp_error(state, "--transport: \"%s\" must be auto, mpi, nccl, shared or direct", arg);
        return 0;
    case OPT_CUTS: e->cuts = arg; return 0;
    case OPT_CUT:
        if (strcmp(arg, "1d") && strcmp(arg, "2d") && strcmp(arg, "auto"))
            argp_error(state, "--cut: \"%s\" must be 1d, 2d or auto", arg);
        e->cut = strcmp(arg, "1d") == 0 ? CUT_1D : strcmp(arg, "2d") == 0 ? CUT_2D : CUT_AUTO;
        return 0;
    case OPT_ORDER:
        if (strcmp(arg, "natural") && strcmp(arg, "metis"))
            argp_error(state, "--order: \"%s\" must be natural or metis", arg);
        e->metis = *arg == 'm';
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* ---- main --------------------------------------------------------------------------------------- */

static void list_variants(const program_t *p)
{
    for (int i = 0; i < VARIANT_COUNT; ++i)
        if (VARIANTS[i].where != CPU_ONLY || p->backend == DIST_CPU)
            printf("%-16s %s\n", VARIANTS[i].id, VARIANTS[i].idea);
}

static bool known_variants(const program_t *p, const options_t *o)
{
    for (int i = 0; i < VARIANT_COUNT; ++i) {
        char id[64];
        for (int ranks = 1; ranks <= 1024; ++ranks) {
            step_name(id, sizeof id, &VARIANTS[i], ranks);
            if (cli_selects(o, VARIANTS[i].id) || cli_selects(o, id)) return true;
        }
    }
    err_say("%s: --only: no row is called '%s'; --list prints the names", p->name, o->only);
    return false;
}

static int refuse(const program_t *p, const char *why)
{
    fprintf(stderr, "%s: %s\n", p->name, why);
    return EX_USAGE;
}

/* Names the options that exclude each other, in a sentence; NULL if all fit together. */
static const char *contradiction(const options_t *o, const extra_t *e)
{
    if (e->parts_count && !e->cuts) return "--parts needs --cuts FILE, which counts without multiplying";
    if (e->cuts && e->each) return "--cuts needs the entire matrix on rank 0: leave out --input each and --weak";
    if (e->metis && e->each)
        return "--order metis needs the entire matrix on rank 0: leave out --input each and --weak";
    if (e->cut != CUT_1D && e->each)
        return "--cut 2d and auto need the entire matrix on rank 0: leave out --input each and --weak";
    if (e->metis && !order_has_metis())
        return "--order metis: the program was built without METIS: install libmetis-dev (or run ./bootstrap) and "
               "build it again";
    if (o->exact && e->each)
        return "--exact generates new values on rank 0: leave out --input each and --weak";
    if (o->as_listed && e->each)
        return "--symmetric describes the file that rank 0 reads: leave out --input each and --weak";
    return NULL;
}

/* Every rank parses the command line, but only one may print errors.  Returns the old stderr, to be restored. */
static int silence_all_but_one(void)
{
    const int kept = dup(STDERR_FILENO);
    const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        const char *rank = getenv(names[i]);
        if (rank && atoi(rank) > 0 && (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)))
            exit(EX_OSERR);
    }
    return kept;
}

/* Uses all ranks that were started if --ranks or --parts is not given.  Returns an exit status. */
static int settle_ranks(const program_t *p, extra_t *e, int rank, int started)
{
    if (!e->worlds) e->ranks[e->worlds++] = started;
    if (!e->parts_count) memcpy(e->parts, e->ranks, sizeof e->parts), e->parts_count = e->worlds;
    bool too_many = false;
    for (int i = 0; i < e->worlds; ++i) too_many = too_many || e->ranks[i] > started;
    if (too_many && rank == 0)
        fprintf(stderr, "%s: --ranks names more than the %d ranks that were started: raise mpirun -n\n", p->name,
                started);
    return too_many ? EX_USAGE : 0;
}

/* Opens a world for each number of ranks; NULL if this rank does not belong to it. */
static int open_worlds(const run_t *r, dist_world_t **worlds, const int *ranks, int count, int rank)
{
    const dist_world_options_t o = {.backend = r->p->backend, .transport = r->e->transport};
    int failed = 0;
    for (int i = 0; i < count; ++i) {
        MPI_Comm comm;
        err_t err;
        worlds[i] = NULL;
        MPI_Comm_split(MPI_COMM_WORLD, rank < ranks[i] ? 0 : MPI_UNDEFINED, rank, &comm);
        if (comm != MPI_COMM_NULL) {
            if (dist_world_open(&worlds[i], comm, &o, &err)) {
                if (rank == 0) fprintf(stderr, "%s: %s\n", r->p->name, err.text);
                failed = 1;
            }
            MPI_Comm_free(&comm);
        }
        wait_for_all();
    }
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return failed;
}

/* Rank 0 writes the head of the results file.  Returns an exit status. */
static int open_report(run_t *r, dist_world_t *const *worlds, int count, err_t *err)
{
    device_facts_t facts = {.backend = "cpu", .name = "none: ranks on CPUs"};
    device_ceilings_t ceilings;
    const bool on_gpu = r->p->backend == DIST_CUDA;
    if (on_gpu && (device_open(&facts, err) || (r->gpu && device_ceilings(&ceilings, err)))) return 1;
    if (!(r->report = report_open(r->o->format, r->o->record, err))) return EX_IOERR;
    harness_header(r->report, r->p->record_name, r->o, &facts, on_gpu && r->gpu ? &ceilings : NULL);
    report_meta(r->report, "cores", "%ld", sysconf(_SC_NPROCESSORS_ONLN));
    for (int i = 0; i < count; ++i) {
        char key[32];
        snprintf(key, sizeof key, "world_%d", worlds[i]->ranks);
        report_meta(r->report, key, "%s", worlds[i]->why);
    }
    return 0;
}

/* Opens the worlds and the results file; finds out whether a product of each world can be in a graph.  Returns an exit
 * status, the same on every rank. */
static int open_run(run_t *r, dist_world_t **worlds, int rank)
{
    const extra_t *e = r->e;
    err_t err = {{0}};
    device_configure(false, r->o->shuffle); /* the simulator only checks: no counts are needed */
    int failed = open_worlds(r, worlds, e->ranks, e->worlds, rank);
    r->graphs = r->p->backend == DIST_CUDA;
    for (int i = 0; i < e->worlds; ++i) r->graphs = r->graphs && (!worlds[i] || worlds[i]->transport != DIST_MPI);
    MPI_Allreduce(MPI_IN_PLACE, &r->graphs, 1, MPI_C_BOOL, MPI_LAND, MPI_COMM_WORLD);
    if (!failed && rank == 0 && (failed = open_report(r, worlds, e->worlds, &err)))
        fprintf(stderr, "%s: %s\n", r->p->name, err.text);
    MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return failed;
}

/* Counts the rows for the progress line. */
static void count_rows(run_t *r, const char *const *matrices)
{
    size_t count = 0;
    for (int k = 0; matrices[k]; ++k) count += r->o->dtype_set ? 1 : 2;
    for (int i = 0; i < r->e->worlds; ++i)
        for (int v = 0; v < VARIANT_COUNT; ++v) r->total += count * selected(r, &VARIANTS[v], r->e->ranks[i]);
    if (!r->total && r->report) /* only rank 0 has a report */
        fprintf(stderr,
                "%s: none of the selected rows can run here: halo_graph needs one GPU per rank and NCCL or the direct "
                "transport; csr, csrl and by_rank need spmv_mpi and fp32 or fp64\n",
                r->p->name);
}

/* Runs every row of every matrix; with --cuts rank 0 prints the table of the cuts.  Returns an exit status. */
static int run_all(run_t *r, dist_world_t **worlds, int rank)
{
    const char *const given[] = {r->o->matrix, NULL}, *const *matrices = r->o->matrix ? given : r->p->matrices;
    int status = 0;
    if (r->e->cuts) return rank == 0 ? run_cuts(r, matrices) : 0;
    count_rows(r, matrices);
    for (int k = 0; matrices[k] && !status; ++k)
        status = run_matrix(r, matrices[k], worlds, r->e->ranks, r->e->worlds, rank);
    return !status && r->failures ? 1 : status;
}

int program_main(const program_t *p, int argc, char **argv)
{
    options_t o;
    extra_t e = {0};
    const struct argp extra_argp = {.options = EXTRA_OPTIONS, .parser = parse_extra};
    const int said = silence_all_but_one();
    cli_parse(&o, argc, argv, p->doc, &extra_argp, &e);
    if (o.size || o.sweep || o.experiment || o.once || o.explain || o.trace)
        return refuse(p, "--size, --sweep, --experiment, --once, --explain and --trace do not apply: choose the "
                         "input by --matrix");
    if (o.list) {
        list_variants(p);
        return 0;
    }
    if (!known_variants(p, &o)) return EX_USAGE;
    e.each = e.each || e.weak;
    const char *why = contradiction(&o, &e);
    if (why) return refuse(p, why);

    MPI_Init(&argc, &argv);
    dup2(said, STDERR_FILENO); /* from here on every rank may print errors */
    close(said);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    dist_world_t *worlds[MOST_WORLDS] = {0};
    run_t r = {.p = p, .o = &o, .e = &e, .talk = o.format == REPORT_TABLE ? stdout : stderr,
               .gpu = p->backend == DIST_CPU || strcmp(device_backend(), "cuda") == 0};
    int status = settle_ranks(p, &e, rank, ranks);
    if (!status) status = open_run(&r, worlds, rank);
    if (!status) status = run_all(&r, worlds, rank);
    MPI_Allreduce(MPI_IN_PLACE, &status, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    report_close(r.report);
    for (int i = 0; i < e.worlds; ++i) dist_world_close(worlds[i]);
    MPI_Finalize();
    return status;
}
