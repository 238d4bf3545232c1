// Names that C++17 removed or reserved: the program defines byte and size, and has using namespace std.
#include <cstdio>
#include <cstddef>
#include <iterator>
#include <memory>
using namespace std;
typedef unsigned char byte;
static int size = 3;
