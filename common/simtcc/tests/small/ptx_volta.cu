// A shape of mma that only Volta has, and that the simulator does not know.
__global__ void k(float *d)
{
    unsigned a = 0, b = 0;
    float x = 0;
    asm("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%0}, {%1}, {%2}, {%0};"
        : "+f"(x)
        : "r"(a), "r"(b));
    *d = x;
}
int main() {}
