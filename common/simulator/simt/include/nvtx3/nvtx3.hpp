/* nvtx3.hpp - the C++ interface of nvToolsExt.h: ranges and marks, which have no effect. */
#ifndef SIMT_NVTX3_HPP
#define SIMT_NVTX3_HPP

#include <cstdint>
#include "../nvToolsExt.h"

namespace nvtx3 {
inline namespace v1 {

/* What an event may be called, coloured, told: each is taken, and nothing is kept. */
class color {
public:
    constexpr explicit color(uint32_t) {}
    constexpr color(...) {}
};
struct rgb {
    constexpr rgb(uint8_t, uint8_t, uint8_t) {}
    operator color() const { return color(0u); }
};
struct argb {
    constexpr argb(uint8_t, uint8_t, uint8_t, uint8_t) {}
    operator color() const { return color(0u); }
};
struct category { constexpr explicit category(uint32_t) {} };
struct payload { template <class T> constexpr explicit payload(T) {} };
struct message { template <class T> message(const T &) {} };
struct domain {
    struct global {};
    template <class D = global> static const domain &get()
    {
        static const domain d;
        return d;
    }
};
template <class D = domain::global> struct registered_string_in {
    template <class T> explicit registered_string_in(const T &) {}
    template <class M> static const registered_string_in &get()
    {
        static const registered_string_in s(M::message);
        return s;
    }
};
using registered_string = registered_string_in<>;
template <class D = domain::global> struct named_category_in {
    named_category_in(uint32_t, const char *) {}
    template <class C> static const named_category_in &get()
    {
        static const named_category_in c(C::id, C::name);
        return c;
    }
    operator category() const { return category(0u); }
};
using named_category = named_category_in<>;
struct event_attributes { template <class... A> explicit event_attributes(const A &...) {} };

struct range_handle {};
/* A range from its constructor to its destructor. */
template <class D = domain::global> struct scoped_range_in {
    template <class... A> explicit scoped_range_in(const A &...) {}
    ~scoped_range_in() {}
    scoped_range_in(const scoped_range_in &) = delete;
    scoped_range_in &operator=(const scoped_range_in &) = delete;
};
using scoped_range = scoped_range_in<>;
using thread_range = scoped_range;
template <class D = domain::global> struct unique_range_in {
    template <class... A> explicit unique_range_in(const A &...) {}
    ~unique_range_in() {}
    unique_range_in(unique_range_in &&) = default;
    unique_range_in &operator=(unique_range_in &&) = default;
};
using unique_range = unique_range_in<>;
template <class D = domain::global, class... A> range_handle start_range_in(const A &...) { return {}; }
template <class... A> range_handle start_range(const A &...) { return {}; }
template <class D = domain::global> void end_range_in(range_handle) {}
inline void end_range(range_handle) {}
template <class D = domain::global, class... A> void mark_in(const A &...) {}
template <class... A> void mark(const A &...) {}

} // namespace v1
} // namespace nvtx3

#define NVTX3_FUNC_RANGE() ((void)0)
#define NVTX3_FUNC_RANGE_IN(D) ((void)0)
#define NVTX3_FUNC_RANGE_IF(condition) ((void)(condition))
#define NVTX3_V1_FUNC_RANGE() ((void)0)

#endif
