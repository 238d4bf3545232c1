/* order.hpp - what order.cpp and order_copies.cpp share: where an operation is. */
#ifndef SIMT_ORDER_HPP
#define SIMT_ORDER_HPP

#include "internal.hpp"

namespace simt {

extern __thread cudaStream_t stream_now;        /* what is done now is done in this one */
extern __thread bool in_graph;                  /* it is a node's: the host does not wait for it */
extern std::atomic<bool> several;               /* a stream has been created */
const Region *region_of(uintptr_t a);           /* the heap, or that of variables; NULL: neither */

} // namespace simt

#endif
