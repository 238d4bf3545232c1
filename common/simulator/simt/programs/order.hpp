/* order.hpp - shared by order.cpp and order_copies.cpp: the stream or graph to which operations belong. */
#ifndef SIMT_ORDER_HPP
#define SIMT_ORDER_HPP

#include "internal.hpp"

namespace simt {

extern __thread cudaStream_t stream_now;        /* operations that begin now belong to this stream */
extern __thread bool in_graph;                  /* operations are a graph's nodes; the host does not wait */
extern std::atomic<bool> several;               /* a stream has been created */
const Region *region_of(uintptr_t a);           /* the heap, or that of variables; NULL: neither */

} // namespace simt

#endif
