/*
 * internal.hpp - what every source of simt includes: the shared data, then what each folder offers to the others.
 * README.md says which file does what.
 */
#ifndef SIMT_INTERNAL_HPP
#define SIMT_INTERNAL_HPP

#include "state.hpp"
#include "run/run.hpp"
#include "check/check.hpp"
#include "count/count.hpp"
#include "api/api.hpp"
#include "programs/programs.hpp"

#endif
