# lists.sed - inserts constructors from a list of values before the destructors of Thrust's vectors.
1i #include <initializer_list>
s/^ *~vector_base(void);/    vector_base(std::initializer_list<T> list) : vector_base(list.begin(), list.end()) {}\
    vector_base(std::initializer_list<T> list, const Alloc \&a) : vector_base(list.begin(), list.end(), a) {}\
    vector_base \&operator=(std::initializer_list<T> list) { return assign(list.begin(), list.end()), *this; }\
    void assign(std::initializer_list<T> list) { assign(list.begin(), list.end()); }\
&/
s/^ *~\(device_vector\|host_vector\)(void)/    \1(std::initializer_list<T> list) : Parent(list) {}\
    \1(std::initializer_list<T> list, const Alloc \&a) : Parent(list, a) {}\
    \1 \&operator=(std::initializer_list<T> list) { return Parent::operator=(list), *this; }\
&/
