// A semicolon is missing.
__global__ void k(int *p)
{
    *p = 1
}
int main() {}
