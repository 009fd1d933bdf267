/* Runs a TestU01 battery on the little-endian 32-bit words of standard input.
 *
 *     battery SmallCrush|Crush [reversed]
 *
 * Exit status: 0 if every p-value lies in [1e-4, 1 - 1e-4], 1 if one does not, 2 on wrong use or lack of words. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <testu01/bbattery.h>
#include <testu01/swrite.h>
#include <testu01/unif01.h>

static const double LIMIT = 1e-4;

static unsigned int word(void)
{
    static unsigned char bytes[1 << 16];
    static size_t next = sizeof bytes;

    if (next == sizeof bytes) {
        if (fread(bytes, 1, sizeof bytes, stdin) != sizeof bytes) {
            fputs("battery: out of words\n", stderr);
            exit(2);
        }
        next = 0;
    }
    const unsigned char *b = bytes + next;
    next += 4;
    return b[0] | (unsigned int)b[1] << 8 | (unsigned int)b[2] << 16 | (unsigned int)b[3] << 24;
}

/* TestU01 looks at the high bits hardest; this shows it the low ones. */
static unsigned int reversed_word(void)
{
    unsigned int x = word();

    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    x = (x >> 8 & 0x00ff00ff) | (x & 0x00ff00ff) << 8;
    return x >> 16 | x << 16;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int reversed = argc == 3 && strcmp(argv[2], "reversed") == 0;
    void (*battery)(unif01_Gen *) = NULL;

    if (strcmp(name, "SmallCrush") == 0)
        battery = bbattery_SmallCrush;
    else if (strcmp(name, "Crush") == 0)
        battery = bbattery_Crush;
    if (battery == NULL || argc > 3 || (argc == 3 && !reversed)) {
        fputs("usage: battery SmallCrush|Crush [reversed]\n", stderr);
        return 2;
    }

    swrite_Basic = FALSE;
    swrite_Host = FALSE;
    unif01_Gen *gen = reversed ? unif01_CreateExternGenBits("words, bits reversed", reversed_word)
                               : unif01_CreateExternGenBits("words", word);
    battery(gen);
    unif01_DeleteExternGenBits(gen);

    double low = 1, high = 1; /* the smallest p and the smallest 1 - p */
    for (int i = 0; i < bbattery_NTests; i++) {
        double p = bbattery_pVal[i];
        if (p < low)
            low = p;
        if (1 - p < high)
            high = 1 - p;
    }
    printf(" Smallest p: %.2g; smallest 1 - p: %.2g\n", low, high);
    return low < LIMIT || high < LIMIT;
}
