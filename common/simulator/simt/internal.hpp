/*
 * internal.hpp - included by every source of simt: the shared data, then the functions that folders offer to each
 * other.  README.md describes the files.
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
