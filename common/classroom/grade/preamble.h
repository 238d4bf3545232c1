/*
 * preamble.h - compiled before every submission: includes the headers that a submission may use besides those of
 * entrance.h. The build precompiles it (preamble.h.gch), which halves the time to compile a submission.
 */
#include <algorithm>
#include <assert.h>
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <device_launch_parameters.h>
#include <float.h>
#include <limits.h>
#include <limits>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <type_traits>
#include <utility>
#include <vector_types.h>
