/* Rust's compiler names the entry main. emscripten's start on another thread calls it by the name that clang gives main. */
int entry(int count, char **arguments) __asm__("main");

int main(int count, char **arguments) {
    return entry(count, arguments);
}
