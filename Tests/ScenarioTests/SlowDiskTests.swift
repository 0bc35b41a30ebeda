import Foundation
import Testing
import VitrineTestSupport

extension CommandLineScenarios {
  @Suite("Disks and networks that need long for each call", .enabled(if: BuiltProgram.isInstalled("gcc")))
  struct SlowDiskTests {
    /// The calls for the photographs of a run, which a preloaded library counts and delays.
    private struct SlowDisk {
      /// The number of calls of the thread that draws.
      var frameThreadCalls = 0
      /// The number of calls of other threads.
      var calls = 0
      /// The maximum numbers of calls in progress at a time: of the scan, and of all threads.
      var (scanMaximum, maximum) = (0, 0)

      private let tools: TemporaryFolder

      /// Compiles the library, in which opening a file or reading its status takes 5 ms if its name begins with "slow-".
      init() throws {
        tools = try TemporaryFolder()
        try tools.write(
          Array(
            """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <fcntl.h>
            #include <pthread.h>
            #include <stdarg.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <string.h>
            #include <sys/stat.h>
            #include <sys/syscall.h>
            #include <unistd.h>
            static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
            static void change(int by) {
              static int scan, all;
              char name[16] = "";
              pthread_getname_np(pthread_self(), name, sizeof name);
              const int is_scan = strcmp(name, "vitrine-scan") == 0 || strcmp(name, "vitrine-headers") == 0;
              pthread_mutex_lock(&mutex);
              all += by;
              if (is_scan) scan += by;
              FILE *log = by > 0 ? fopen(getenv("SLOW_LOG"), "a") : NULL;
              if (log) {
                fprintf(log, "%d %d %d\\n", syscall(SYS_gettid) == getpid(), scan, all);
                fclose(log);
              }
              pthread_mutex_unlock(&mutex);
            }
            #define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
            #define SLOWLY(path, call) \\
              if (!strstr(path, "slow-")) return call; \\
              change(1); \\
              usleep(5000); \\
              const int result = call; \\
              change(-1); \\
              return result;
            int openat(int folder, const char *path, int flags, ...) {
              va_list rest;
              va_start(rest, flags);
              const mode_t mode = va_arg(rest, mode_t);
              va_end(rest);
              SLOWLY(path, NEXT(openat)(folder, path, flags, mode))
            }
            int open(const char *path, int flags, ...) {
              va_list rest;
              va_start(rest, flags);
              const mode_t mode = va_arg(rest, mode_t);
              va_end(rest);
              SLOWLY(path, NEXT(open)(path, flags, mode))
            }
            int fstatat(int folder, const char *path, struct stat *status, int flags) {
              SLOWLY(path, NEXT(fstatat)(folder, path, status, flags))
            }
            """.utf8), to: "shim.c")
        let result = try ChildProcess(
          [
            "gcc", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", tools.path(of: "shim.so"),
            tools.path(of: "shim.c"),
            "-ldl",
          ].map { Array($0.utf8) }, environment: BuiltProgram.environment(home: tools.path)
        ).waitForExit()
        try #require(result.status == 0, "\(result)")
      }

      /// Runs the program, and counts.
      mutating func run(_ options: [String], on folder: TemporaryFolder) throws -> ProcessResult {
        let log = tools.path(of: "log")
        try tools.write([], to: "log")
        let result = try VitrineRun(
          options, on: folder, environment: ["LD_PRELOAD": tools.path(of: "shim.so"), "SLOW_LOG": log]
        ).waitForExit()
        (frameThreadCalls, calls, scanMaximum, maximum) = (0, 0, 0, 0)
        for line in try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n") {
          let words = line.split(separator: " ")
          guard words.count == 3, let scan = Int(words[1]), let all = Int(words[2]) else { continue }
          if words[0] == "1" { frameThreadCalls += 1 } else { calls += 1 }
          (scanMaximum, maximum) = (max(scanMaximum, scan), max(maximum, all))
        }
        return result
      }
    }

    @Test("The frame thread never waits for a slow disk, and the calls in progress are limited")
    func slowDisk() throws {
      let folder = try TemporaryFolder()
      let maker = try PictureMaker()
      for number in 0..<150 {
        try folder.write(try maker.gradient(number), to: "slow-\(String(1_000 + number)).jpg")
      }
      let workers = 2
      var disk = try SlowDisk()
      let cache = try TemporaryFolder()
      // The second run restores the library, and compares it with the files.
      for _ in 0..<2 {
        let result = try disk.run(
          [
            "--headless", "--workers", "\(workers)", "--frames", "90", "--scroll", "steady:200", "--cache-dir",
            cache.path,
            "--report", "-",
          ], on: folder)
        #expect(result.status == 0, "\(result)")
        #expect(disk.frameThreadCalls == 0 && disk.calls > 0)
        #expect(disk.scanMaximum <= 2, "one thread lists, another one reads headers")
        // As many processes again decode ahead.
        #expect(disk.maximum <= 2 + 2 * workers)
      }
    }
  }
}
