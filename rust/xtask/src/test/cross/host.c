/* Loads a library and asks for a symbol: host.exe LIBRARY SYMBOL */
#include <stdio.h>
#include <windows.h>

int main(int count, char **arguments) {
    if (count != 3) {
        return 2;
    }
    HMODULE library = LoadLibraryA(arguments[1]);
    if (!library) {
        printf("the library cannot be loaded: error %lu\n", GetLastError());
        return 1;
    }
    if (!GetProcAddress(library, arguments[2])) {
        printf("there is no %s\n", arguments[2]);
        return 1;
    }
    printf("%s is there\n", arguments[2]);
    return 0;
}
