#include "cusparse.h" /* cusparse_v2.h is the same as cusparse.h. */
