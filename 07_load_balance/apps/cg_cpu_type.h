/* cg_cpu_type.h - the loops of cg_cpu.c for values of type T; NAME(f) is f's name for that type. */

static void NAME(start)(const cg_vectors_t *v, size_t k)
{
    (void)k;
    T *x = v->x, *r = v->r, *p = v->p;
    const T *b = v->b, *inverse = v->inverse;
    double *partial = v->partial;
    PIECES(v) {
        double rz = 0, rr = 0;
        for ROWS(v) {
            x[row] = 0;
            r[row] = b[row];
            p[row] = inverse[row] * r[row];
            rz += (double)r[row] * p[row];
            rr += (double)r[row] * r[row];
        }
        partial[2 * i] = rz, partial[2 * i + 1] = rr;
    }
    sum_pieces(partial, pieces, &v->steps[0].rz, &v->steps[0].rr);
}

static void NAME(dot)(const cg_vectors_t *v, size_t k)
{
    const T *p = v->p, *ap = v->ap;
    double *partial = v->partial;
    PIECES(v) {
        double pap = 0;
        for ROWS(v) pap += (double)p[row] * ap[row];
        partial[2 * i] = pap, partial[2 * i + 1] = 0;
    }
    double unused;
    sum_pieces(partial, pieces, &v->steps[k].pap, &unused);
}

static void NAME(update)(const cg_vectors_t *v, size_t k)
{
    const T alpha = (T)cg_alpha(v->steps, k, *v->first, v->tolerance);
    T *x = v->x, *r = v->r;
    const T *p = v->p, *ap = v->ap, *inverse = v->inverse;
    double *partial = v->partial;
    PIECES(v) {
        double rz = 0, rr = 0;
        for ROWS(v) {
            if (alpha != 0) {
                x[row] += alpha * p[row];
                r[row] -= alpha * ap[row];
            }
            rz += (double)r[row] * (inverse[row] * r[row]);
            rr += (double)r[row] * r[row];
        }
        partial[2 * i] = rz, partial[2 * i + 1] = rr;
    }
    sum_pieces(partial, pieces, &v->steps[k + 1].rz, &v->steps[k + 1].rr);
}

static void NAME(direction)(const cg_vectors_t *v, size_t k)
{
    if (cg_alpha(v->steps, k, *v->first, v->tolerance) == 0) return;
    const T beta = (T)(v->steps[k + 1].rz / v->steps[k].rz);
    const T *r = v->r, *inverse = v->inverse;
    T *p = v->p;
    PIECES(v) {
        for ROWS(v) p[row] = inverse[row] * r[row] + beta * p[row];
    }
}
