#include "cusparse.h" /* the same as cusparse.h. */
