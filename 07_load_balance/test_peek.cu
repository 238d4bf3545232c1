/* test_peek.cu - what a plan of v39 holds, and where its columns, values and rows of places are on the GPU. */
#include "f_sell/v39_sell_plan.h"

extern "C" void peek_at_slices(const void *plan, size_t *steps, size_t *places, const void *arrays[3])
{
    const sell_plan_t *p = (const sell_plan_t *)plan;
    uint4 last = {};
    if (p->slices) cudaMemcpy(&last, &p->slice[p->slices - 1], sizeof last, cudaMemcpyDeviceToHost);
    *steps = last.x + (size_t)last.y;
    *places = p->places;
    arrays[0] = p->columns;
    arrays[1] = p->values;
    arrays[2] = p->place_row;
}
