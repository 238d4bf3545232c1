// Words that C++17 took away or took for itself: byte and size are of the program, and there is using namespace std.
#include <cstdio>
#include <cstddef>
#include <iterator>
#include <memory>
using namespace std;
typedef unsigned char byte;
static int size = 3;
