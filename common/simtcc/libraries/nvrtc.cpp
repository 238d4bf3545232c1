/*
 * nvrtc.cpp - NVRTC: writes the source to a file, calls simtcc -ptx, and returns the result.
 *
 * It calls $SIMTCC, or the simtcc that built the program, or the one of PATH.  For each name expression it appends a
 * pointer with a name of its own to the source; the symbol to which it points is the lowered name.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>
#include "cuda.h"
#include "nvrtc.h"

/* The path of simtcc: written by simtcc when it links the program, or by the installation. */
extern "C" const char simt_simtcc[];
/* Defined in programs of simtcc --unchecked. */
extern "C" char simt_unchecked_code __attribute__((weak));

struct _nvrtcProgram {
    std::string source, name, log, text;
    std::vector<std::pair<std::string, std::string>> headers;   /* name, text */
    std::vector<std::string> expressions;
    std::map<std::string, std::string> lowered;
};

static std::string read_all(const std::string &name)
{
    std::ifstream in(name, std::ios::binary);
    return std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
}

/* Writes a file, and creates the folders that its name contains ("util/sum.h"). */
static bool write_file(const std::string &folder, const std::string &name, const std::string &text)
{
    const std::filesystem::path path = folder + "/" + name;
    std::error_code none;
    std::filesystem::create_directories(path.parent_path(), none);
    std::ofstream out(path, std::ios::binary);
    return static_cast<bool>(out << text);
}

static std::string with_names(const _nvrtcProgram &p)
{
    std::string text = "#line 1 \"" + p.name + "\"\n" + p.source + "\n";
    for (size_t i = 0; i < p.expressions.size(); ++i) {
        const std::string e = p.expressions[i][0] == '&' ? p.expressions[i].substr(1) : p.expressions[i];
        text += "extern \"C\" { __attribute__((used)) void *simt_named_" + std::to_string(i) +
                " = simt::named(" + e + "); }\n";
    }
    return text;
}

/* simtcc's command line: it takes the options that simtcc has, too, and drops those that concern a GPU. */
static std::vector<std::string> words(const std::string &folder, int n, const char *const *options)
{
    const char *own = getenv("SIMTCC");
    const char *simtcc = own ? own : access(simt_simtcc, X_OK) == 0 ? simt_simtcc : "simtcc";
    std::vector<std::string> w{simtcc, "-ptx", "-w", "-x", "cu",
                               folder + "/source.cu", "-o", folder + "/module", "-I", folder,
                               "-D__CUDACC_RTC__"};
    if (&simt_unchecked_code) w.push_back("--unchecked");
    static const char *const WITH_VALUE[] = {"-I", "-D", "-U", "-include", "--include-path", "--define-macro",
                                             "--undefine-macro", "--pre-include"};
    for (int i = 0; i < n; ++i) {
        const std::string o = options[i];
        const bool apart = std::find(std::begin(WITH_VALUE), std::end(WITH_VALUE), o) != std::end(WITH_VALUE);
        const bool taken = apart || o.rfind("-I", 0) == 0 || o.rfind("-D", 0) == 0 || o.rfind("-U", 0) == 0 ||
                           o.rfind("--std", 0) == 0 || o.rfind("-std", 0) == 0 || o.rfind("--include-path=", 0) == 0 ||
                           o.rfind("--define-macro=", 0) == 0 || o.rfind("--pre-include=", 0) == 0;
        if (taken)
            w.push_back(o);
        if (apart && i + 1 < n)
            w.push_back(options[++i]);
    }
    return w;
}

/* Runs simtcc and returns its exit status; -1: it was not found.  Its output goes to the file. */
static int call(const std::vector<std::string> &words, const std::string &said)
{
    std::vector<char *> argv;
    for (const std::string &w : words)
        argv.push_back(const_cast<char *>(w.c_str()));
    argv.push_back(nullptr);
    fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        const int file = open(said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(file, 1);
        dup2(file, 2);
        setenv("SIMTCC_QUIET", "yes", 1);
        execvp(argv[0], argv.data());
        _exit(127);
    }
    int status = -1;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status) == 127 ? -1 : WEXITSTATUS(status);
}

/* Loads the module to find the names of the symbols to which the appended pointers point. */
static bool find_names(_nvrtcProgram *p)
{
    CUmodule module;
    if (p->expressions.empty())
        return true;
    if (cuModuleLoadData(&module, p->text.c_str()) != CUDA_SUCCESS)
        return false;
    for (size_t i = 0; i < p->expressions.size(); ++i) {
        const char *name = simt_named(module, ("simt_named_" + std::to_string(i)).c_str());
        if (!name)
            return false;
        p->lowered[p->expressions[i]] = name;
    }
    return cuModuleUnload(module) == CUDA_SUCCESS;
}

static nvrtcResult compile(_nvrtcProgram *p, const std::string &folder, int n, const char *const *options)
{
    bool written = write_file(folder, "source.cu", with_names(*p));
    for (const auto &h : p->headers)
        written = written && write_file(folder, h.first, h.second);
    if (!written)
        return NVRTC_ERROR_PROGRAM_CREATION_FAILURE;
    const std::vector<std::string> w = words(folder, n, options);
    const int status = call(w, folder + "/said");
    p->log = read_all(folder + "/said");
    if (status == -1) {
        p->log = w[0] + " cannot be run: NVRTC calls simtcc, which must be installed when the program runs "
                        "(SIMTCC=FILE names it)\n";
        fprintf(stderr, "simt: nvrtcCompileProgram: %s", p->log.c_str());
        return NVRTC_ERROR_INTERNAL_ERROR;
    }
    if (status != 0)
        return status == 64 ? NVRTC_ERROR_INVALID_OPTION : NVRTC_ERROR_COMPILATION;
    p->text = read_all(folder + "/module");
    return find_names(p) ? NVRTC_SUCCESS : NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram p, int n, const char *const *options)
{
    const char *place = getenv("TMPDIR");
    std::string folder = std::string(place ? place : "/tmp") + "/simt_nvrtc_XXXXXX";
    if (!p)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!mkdtemp(&folder[0]))
        return NVRTC_ERROR_PROGRAM_CREATION_FAILURE;
    const nvrtcResult result = compile(p, folder, n, options);
    std::error_code none;
    std::filesystem::remove_all(folder, none);
    return result;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int n,
                               const char *const *headers, const char *const *names)
{
    if (!program || !source || n < 0 || (n > 0 && (!headers || !names)))
        return NVRTC_ERROR_INVALID_INPUT;
    *program = new _nvrtcProgram();
    (*program)->source = source;
    (*program)->name = name ? name : "default_program";
    for (int i = 0; i < n; ++i)
        (*program)->headers.push_back({names[i], headers[i]});
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program)
{
    delete *program;
    *program = nullptr;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram p, size_t *size) { return *size = p->log.size() + 1, NVRTC_SUCCESS; }
nvrtcResult nvrtcGetProgramLog(nvrtcProgram p, char *log) { return strcpy(log, p->log.c_str()), NVRTC_SUCCESS; }
nvrtcResult nvrtcGetPTXSize(nvrtcProgram p, size_t *size) { return *size = p->text.size() + 1, NVRTC_SUCCESS; }
nvrtcResult nvrtcGetPTX(nvrtcProgram p, char *text)
{
    if (p->text.empty())
        return NVRTC_ERROR_INVALID_PROGRAM;
    return strcpy(text, p->text.c_str()), NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram p, size_t *size) { return nvrtcGetPTXSize(p, size); }
nvrtcResult nvrtcGetCUBIN(nvrtcProgram p, char *text) { return nvrtcGetPTX(p, text); }

nvrtcResult nvrtcAddNameExpression(nvrtcProgram p, const char *expression)
{
    if (!p->text.empty())
        return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    p->expressions.push_back(expression);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram p, const char *expression, const char **name)
{
    const auto i = p->lowered.find(expression);
    if (i == p->lowered.end())
        return p->text.empty() ? NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION
                               : NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    *name = i->second.c_str();
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcVersion(int *major, int *minor) { return *major = 13, *minor = 0, NVRTC_SUCCESS; }
nvrtcResult nvrtcGetNumSupportedArchs(int *n) { return *n = 1, NVRTC_SUCCESS; }
nvrtcResult nvrtcGetSupportedArchs(int *archs) { return archs[0] = 90, NVRTC_SUCCESS; }

const char *nvrtcGetErrorString(nvrtcResult result)
{
    static const char *const NAMES[] = {
        "NVRTC_SUCCESS", "NVRTC_ERROR_OUT_OF_MEMORY", "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
        "NVRTC_ERROR_INVALID_INPUT", "NVRTC_ERROR_INVALID_PROGRAM", "NVRTC_ERROR_INVALID_OPTION",
        "NVRTC_ERROR_COMPILATION", "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
        "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION", "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
        "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID", "NVRTC_ERROR_INTERNAL_ERROR"};
    return (unsigned)result < sizeof NAMES / sizeof *NAMES ? NAMES[result] : "unknown error";
}
