// Starts the decoding or reading program next to it, whose name ends with `.real`, with the environment of a file next to it.
//
// Vitrine gives these programs an environment of its own, in which nothing can be preloaded.
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **arguments) {
  (void)count;
  char program[PATH_MAX], file[PATH_MAX], line[8192];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 8);
  if (length < 0) return 127;
  program[length] = 0;
  strcpy(file, program);
  strcpy(strrchr(file, '/') + 1, "faults.env");
  strcat(program, ".real");
  FILE *variables = fopen(file, "re");
  while (variables != NULL && fgets(line, sizeof line, variables) != NULL) {
    line[strcspn(line, "\n")] = 0;
    char *value = strchr(line, '=');
    if (value == NULL) continue;
    *value++ = 0;
    setenv(line, value, 1);
  }
  if (variables != NULL) fclose(variables);
  execv(program, arguments);
  return 127;
}
