/* pagerank_cpu_type.h - the loops of pagerank_cpu.c for values of type T; NAME(f) is f's name for that type. */

static void NAME(start)(const pagerank_vectors_t *v, size_t k)
{
    (void)k;
    const T all = (T)(1 / (double)v->pages);
    const T *dangling = v->dangling;
    T *x = v->x;
    PIECES(v) {
        double lost = 0, change = 0;
        for ROWS(v) {
            x[row] = all;
            lost += (double)dangling[row] * all;
            change += 2 / (double)v->pages;
        }
        v->partial[2 * i] = lost, v->partial[2 * i + 1] = change;
    }
    sum_pieces(v->partial, pieces, &v->steps[0].dangling, &v->steps[0].change);
}

static void NAME(step)(const pagerank_vectors_t *v, size_t k)
{
    const bool ended = pagerank_ends(v->steps, k, v->tolerance);
    const T damping = (T)v->damping;
    const T everywhere = (T)((v->damping * v->steps[k].dangling + (1 - v->damping)) / (double)v->pages);
    const T *px = v->px, *dangling = v->dangling;
    T *x = v->x;
    PIECES(v) {
        double lost = 0, change = 0;
        for ROWS(v) {
            const T before = x[row];
            if (!ended) x[row] = damping * px[row] + everywhere;
            lost += (double)dangling[row] * x[row];
            change += fabs((double)x[row] - before);
        }
        v->partial[2 * i] = lost, v->partial[2 * i + 1] = change;
    }
    sum_pieces(v->partial, pieces, &v->steps[k + 1].dangling, &v->steps[k + 1].change);
}
