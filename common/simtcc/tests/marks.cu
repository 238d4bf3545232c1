// NVTX in C and in C++: marks and ranges, which the simulator ignores.
#include <cstdio>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvtx3.hpp>
struct library {
    static constexpr const char *name = "library";
};
struct copying {
    static constexpr const char *message = "copying";
};
static int twice(int x)
{
    NVTX3_FUNC_RANGE();
    return 2 * x;
}
int main()
{
    nvtxRangePushA("all");
    const nvtx3::event_attributes blue{"a part", nvtx3::rgb{0, 0, 255}, nvtx3::payload{7}, nvtx3::category{3}};
    nvtx3::scoped_range part{blue};
    nvtx3::scoped_range_in<library> inner{nvtx3::registered_string_in<library>::get<copying>()};
    auto open = nvtx3::start_range("open");
    nvtx3::mark_in<library>("here");
    nvtx3::end_range(open);
    nvtx3::unique_range moved("moved");
    nvtx3::unique_range to = static_cast<nvtx3::unique_range &&>(moved);
    nvtxRangePop();
    printf("marks %d\n", twice(2));
}
