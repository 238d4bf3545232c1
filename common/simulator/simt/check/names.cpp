/*
 * names.cpp - the names of buffers in reports.
 *
 * In the course a buffer has the name of the kernel's parameter that points to it, if exactly one does; else the name
 * that the program has given it (simt_name_buffer).  In other programs a buffer has the name of the variable that
 * received the pointer in the source line of the allocation, `a` in cudaMalloc(&a, bytes).  A __device__ variable is
 * called by its name.
 */
#include <cctype>
#include <cstring>
#include "internal.hpp"

namespace simt {

/* Returns the position of the line's n-th allocation, or of the last one if there are fewer; npos if there is none. */
static size_t allocation_in(const std::string &line, size_t n)
{
    size_t found = std::string::npos, left = n;
    for (size_t at = line.find("cuda"); at != std::string::npos; at = line.find("cuda", at + 1)) {
        if (line.compare(at, 10, "cudaMalloc") != 0 && line.compare(at, 13, "cudaHostAlloc") != 0)
            continue;
        found = at;
        if (left-- == 0)
            break;
    }
    return found;
}

/* Returns the number of an allocation among those of its line, by the order of the calls' addresses.  Columns cannot be
   used, because they are those of the preprocessed text. */
static size_t number_in_line(const Place &place, uintptr_t pc)
{
    size_t n = 0;
    for (const uintptr_t other : allocating_places())
        if (other < pc && pc - other < 4096) {
            const Place p = place_of(short_pc(other));
            n += p.line == place.line && p.file == place.file;
        }
    return n;
}

/* Returns "d_a" for CHECK(cudaMalloc((void **)&d_a, bytes)); "" if the line has no such variable. */
static std::string variable_in(const std::string &line, size_t number)
{
    const size_t from = allocation_in(line, number);
    const size_t open = from == std::string::npos ? from : line.find('(', from);
    const size_t end = line.find(',', open == std::string::npos ? 0 : open);
    const size_t at = line.find('&', open == std::string::npos ? 0 : open);
    if (open == std::string::npos || end == std::string::npos || at == std::string::npos || at > end)
        return "";
    const size_t first = line.find_first_not_of(" (", at + 1);
    size_t last = first;
    int depth = 0;
    for (; last < end && (depth > 0 || line[last] != ')'); ++last)
        depth += line[last] == '[' ? 1 : line[last] == ']' ? -1 : 0;
    while (last > first && isspace((unsigned char)line[last - 1]))
        --last;
    return first >= end ? "" : line.substr(first, last - first);
}

void name_allocation(Allocation *a)
{
    if (!a->pc)
        return;
    const Place place = place_of(short_pc(a->pc));
    const std::string variable = variable_in(line_text(place), number_in_line(place, a->pc));
    if (!variable.empty())
        a->name = variable;
    else if (!place.file.empty() && !is_ours(place.file.c_str())) /* a line of a header would not help */
        a->name += " of " + at_line(short_pc(a->pc));
}

/* Returns the launch's arguments that are heap addresses, in the order of the parameters (std::tuple stores the last
   one first).  Empty if their number is not that of the pointer parameters. */
static std::vector<uintptr_t> pointers_of(const Launch *l, size_t names)
{
    std::vector<uintptr_t> found;
    for (size_t at = l->pointers_bytes / 8; at-- > 0;) {
        uintptr_t word;
        memcpy(&word, (const char *)l->args + 8 * at, sizeof word);
        if (heap.contains(word))
            found.push_back(word);
    }
    return found.size() == names ? found : std::vector<uintptr_t>();
}

bool heap_find_for(const Launch *l, uintptr_t a, Allocation *out)
{
    if (!heap_find(a, out))
        return false;
    if (!l->pointers)
        return true;
    std::vector<std::string> names;
    for (const char *from = l->pointers; *from != '\t'; from += *from == ',') {
        const size_t length = strcspn(from, ",\t");
        names.emplace_back(from, length);
        from += length;
    }
    const std::vector<uintptr_t> to = pointers_of(l, names.size());
    size_t at = names.size();
    for (size_t i = 0; i < to.size(); ++i) {
        if (to[i] - out->base >= out->size)
            continue;
        if (at < names.size())  /* two parameters point into it */
            return true;
        at = i;
    }
    if (at == names.size() || (a < to[at] && a >= out->base))
        return true;
    out->size -= to[at] - out->base;
    out->base = to[at];
    out->name = names[at];
    return true;
}

/* Names a __device__ or __managed__ variable. */
static std::string variable_place(uintptr_t a, unsigned size, const char *otherwise)
{
    uintptr_t base;
    size_t bytes;
    const char *kept = kept_at(a, &base, &bytes);
    const std::string name = kept ? kept : variable_at(a, &base, &bytes);
    if (name.empty())
        return otherwise;
    return bytes <= size || !size ? name : format("%s[%zu]", name.c_str(), (size_t)(a - base) / size);
}

std::string place_in_memory(uintptr_t a, unsigned size)
{
    if (program.contains(a) || module_region(a) || is_constant(a))
        return variable_place(a, size, "a __device__ variable");
    if (managed.contains(a))
        return variable_place(a, size, "a __managed__ variable");
    Allocation al;
    if (!heap.contains(a) || !heap_find(a, &al))
        return format("%p", (void *)a);
    if (a - al.base >= al.size)
        return "beside " + al.name;
    std::string name = size ? format("%s[%zu]", al.name.c_str(), (size_t)(a - al.base) / size)
                            : format("byte %zu of %s", (size_t)(a - al.base), al.name.c_str());
    return al.live ? name : name + ", on which cudaFree has been called";
}

} // namespace simt
