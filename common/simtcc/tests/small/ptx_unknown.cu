// Inline PTX that the simulator does not know.
__global__ void k(int *p)
{
    int x;
    asm volatile("wgmma.fence.sync.aligned;\n"
                 "mov.u32 %0, 1;"
                 : "=r"(x));
    *p = x;
}
int main() {}
