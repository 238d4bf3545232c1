/*
 * source.cpp - finds the source line of a program point, with elfutils' libdw.
 */
#include <cstring>
#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fstream>
#include <thread>
#include <unistd.h>
#include "internal.hpp"

namespace simt {

/* The debug information of this process; opened once. */
static Dwfl *open_self()
{
    static char *debug_path = nullptr;
    static Dwfl_Callbacks callbacks = {dwfl_linux_proc_find_elf, dwfl_standard_find_debuginfo, nullptr, &debug_path};
    Dwfl *d = dwfl_begin(&callbacks);
    if (d && (dwfl_linux_proc_report(d, getpid()) != 0 || dwfl_report_end(d, nullptr, nullptr) != 0)) {
        dwfl_end(d);
        d = nullptr;
    }
    return d;
}

/* Makes a path relative to the current directory, as the user wrote it. */
static std::string shorten(const char *file)
{
    char here[4096];
    std::string f = file;
    while (f.compare(0, 2, "./") == 0)
        f.erase(0, 2);
    if (getcwd(here, sizeof here) && f.compare(0, strlen(here), here) == 0 && f[strlen(here)] == '/')
        f.erase(0, strlen(here) + 1);
    return f;
}

bool is_ours(const char *file)
{
    const size_t length = strlen(file);
    if (strncmp(file, "simt/", 5) == 0 && strcmp(file + length - 2, ".h") == 0) /* in the grader's kit */
        return true;
    return strstr(file, "simt/include/") || strstr(file, "include/simt/") || strstr(file, "simtcc/libraries/") ||
           strstr(file, "/include/curand_") || strncmp(file, "/usr/include/", 13) == 0;
}

/*
 * Returns the line of the program point, or, if that is in a header of the simulator that was
 * inlined, the line of the innermost call in a file of the user.
 */
static Place find_place(Dwfl *dwfl, uintptr_t pc)
{
    Place p;
    Dwfl_Module *module = dwfl ? dwfl_addrmodule(dwfl, pc) : nullptr;
    if (!module)
        return p;
    if (Dwfl_Line *line = dwfl_module_getsrc(module, pc)) {
        const char *file = dwfl_lineinfo(line, nullptr, &p.line, &p.column, nullptr, nullptr);
        const char *folder = dwfl_line_comp_dir(line);
        if (file)
            p.file = file;
        /* A C file's name is relative to the folder of its compilation; a kernel's name (#line) to the top folder. */
        if (file && *file != '/' && ::access(file, R_OK) != 0 && folder &&
            ::access((std::string(folder) + "/" + file).c_str(), R_OK) == 0)
            p.file = std::string(folder) + "/" + file;
    }
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = dwfl_module_addrdie(module, pc, &bias), *scopes = nullptr;
    if (unit) {
        Dwarf_Files *files = nullptr;
        dwarf_getsrcfiles(unit, &files, nullptr);
        Dwarf_Die *inner = nullptr;
        int n = dwarf_getscopes(unit, pc - bias, &inner);
        if (n > 0)
            n = dwarf_getscopes_die(&inner[0], &scopes);
        for (int i = 0; i < n; ++i) {
            Dwarf_Attribute a;
            Dwarf_Word file = 0, line = 0, column = 0;
            if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine)
                continue;
            if (dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_file, &a), &file) != 0 ||
                dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_line, &a), &line) != 0)
                continue;
            dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_column, &a), &column);
            p.calls += format("%d:%d:%d ", (int)file, (int)line, (int)column);
            const char *name = is_ours(p.file.c_str()) ? dwarf_filesrc(files, file, nullptr, nullptr) : nullptr;
            if (name) {
                p.file = name;
                p.line = (int)line;
                p.column = (int)column;
            }
        }
        free(inner);
        free(scopes);
    }
    p.file = shorten(p.file.c_str());
    return p;
}

static Dwfl *dwfl;

void source_add(int file, const std::string &name, uintptr_t base)
{
    std::thread([&] {           /* as in place_of */
        if (!dwfl)
            dwfl = open_self();
        if (!dwfl)
            return;
        dwfl_report_begin_add(dwfl);
        if (!dwfl_report_elf(dwfl, (name + std::to_string(base)).c_str(), name.c_str(), dup(file), base, false))
            fprintf(stderr, "simt: no lines of %s: %s\n", name.c_str(), dwfl_errmsg(-1));
        dwfl_report_end(dwfl, nullptr, nullptr);
    }).join();
}

std::string symbol_of(const void *function)
{
    if (!dwfl)
        dwfl = open_self();
    Dwfl_Module *module = dwfl ? dwfl_addrmodule(dwfl, (Dwarf_Addr)function) : nullptr;
    const char *name = module ? dwfl_module_addrname(module, (Dwarf_Addr)function) : nullptr;
    return name ? name : "";
}

std::string variable_at(uintptr_t a, uintptr_t *base, size_t *size)
{
    std::string found;
    std::thread([&] {           /* as in place_of */
        if (!dwfl)
            dwfl = open_self();
        Dwfl_Module *module = dwfl ? dwfl_addrmodule(dwfl, a) : nullptr;
        for (int i = module ? dwfl_module_getsymtab(module) : 0; i-- > 0 && found.empty();) {
            GElf_Sym symbol;
            GElf_Addr from;
            const char *name = dwfl_module_getsym_info(module, i, &symbol, &from, nullptr, nullptr, nullptr);
            if (!name || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || a - from >= symbol.st_size)
                continue;
            int status = 0;
            char *readable = abi::__cxa_demangle(name, nullptr, nullptr, &status);
            found = readable && status == 0 ? readable : name;
            free(readable);
            *base = from;
            *size = symbol.st_size;
        }
    }).join();
    return found;
}

/* The translator makes a static variable of the kernel for each __shared__ one (translate/shared.c), for example
   _ZZ1kPiE10simt_key_s. */
size_t static_shared_of(const void *kernel)
{
    const std::string symbol = symbol_of(kernel);
    const std::string before = symbol.compare(0, 2, "_Z") == 0
                                   ? "_ZZ" + symbol.substr(2) + "E"
                                   : "_ZZ" + std::to_string(symbol.size()) + symbol + "E";
    Dwfl_Module *module = dwfl ? dwfl_addrmodule(dwfl, (Dwarf_Addr)kernel) : nullptr;
    size_t align = 1;
    std::vector<size_t> sizes;
    for (int i = module ? dwfl_module_getsymtab(module) : 0; i-- > 0;) {
        GElf_Sym about;
        GElf_Addr at;
        const char *name = dwfl_module_getsym_info(module, i, &about, &at, nullptr, nullptr, nullptr);
        if (!name || strncmp(name, before.c_str(), before.size()) || !strstr(name + before.size(), "simt_key_"))
            continue;
        const unsigned *size_and_align = (const unsigned *)at;
        sizes.push_back(size_and_align[0]);
        align = std::max<size_t>(align, size_and_align[1]);
    }
    size_t bytes = 0;           /* the sum does not depend on the order */
    for (const size_t size : sizes)
        bytes += (size + align - 1) / align * align;
    return bytes;
}

Place place_of(uint32_t pc)
{
    static std::mutex lock;
    static auto &known = *new std::unordered_map<uint32_t, Place>;  /* never freed: used until the program ends */
    std::lock_guard<std::mutex> hold(lock);
    auto i = known.find(pc);
    if (i != known.end())
        return i->second;
    Place p;
    /* A kernel thread's stack is too small for libdw, so this runs in a separate OS thread. */
    std::thread([&] {
        if (!dwfl)
            dwfl = open_self();
        const uintptr_t elsewhere = module_pc(pc);
        p = find_place(dwfl, (elsewhere ? elsewhere : program_base() + pc) - 1); /* the call is before its return */
    }).join();
    known[pc] = p;
    return p;
}

/* The program may run in another folder than it was compiled in.  Then the source file is
   searched below the program's folder, and above it. */
static std::ifstream open_source(const std::string &name)
{
    for (size_t from = 0;;) {
        std::ifstream in(name.substr(from));
        if (in)
            return in;
        size_t slash = name.find('/', from);
        if (slash == std::string::npos)
            break;
        from = slash + 1;
    }
    return std::ifstream("../" + name);
}

std::string line_text(const Place &p)
{
    std::ifstream in = open_source(p.file);
    std::string text;
    for (int i = 0; i < p.line; ++i)
        if (!std::getline(in, text))
            return "";
    size_t from = text.find_first_not_of(" \t");
    size_t to = text.find_last_not_of(" \t\r");
    return from == std::string::npos ? "" : text.substr(from, to - from + 1);
}

} // namespace simt
