import Foundation
import Glibc
import Testing
import VitrineTestSupport

extension CommandLineScenarios {
  @Suite("Limits of the system, and file systems that do not respond")
  struct LimitTests {
    /// Returns a wrapper that starts a program under a limit of the shell.
    private static func wrapper(limit: String) -> [String] { ["sh", "-c", "ulimit \(limit); exec \"$0\" \"$@\""] }

    @Test(
      "Under a low limit every image is shown, and a message names the limit",
      arguments: ["-n 40", "-n 48", "-v 700000", "-v 1000000"])
    func small(limit: String) throws {
      let folder = try TemporaryFolder.photoLibrary(count: 40)
      // Whether a broken file is requested before its header is read depends on the speed of the machine.
      for name in ["empty.jpg", "text.png"] { try FileManager.default.removeItem(atPath: folder.path + "/" + name) }
      let result = try VitrineRun.run(
        ["--headless", "--workers", "6", "--scroll", "jump", "--frames", "60", "--report", "-"], on: folder,
        wrapper: Self.wrapper(limit: limit))
      #expect(result.status == 0 && result.errorLines.count == 1, "\(result)")
      #expect(result.errorOutput.contains("ulimit \(limit.prefix(2))"), "\(result)")
      #expect(result.errorOutput.contains("thumbnails are not stored") == limit.hasPrefix("-n"), "\(result)")
      let figures = try RunFigures(result.output).figures
      #expect(figures.images.failed == 0 && figures.images.decoded > 0, "\(result)")
    }

    @Test("Under a limit that is too low the program prints a message and exits", arguments: ["-n 16", "-v 400000"])
    func tooSmall(limit: String) throws {
      let result = try VitrineRun.run(["--headless", "--frames", "2"], wrapper: Self.wrapper(limit: limit))
      #expect(result.status == 1 && result.output.isEmpty && result.errorLines.count == 1, "\(result)")
      #expect(result.errorOutput.contains("ulimit \(limit.prefix(2))"), "\(result)")
    }

    /// Compiles a preloaded library in which opening a file never returns if its name contains "hangs".
    private static func makeShim(in folder: TemporaryFolder) throws -> String {
      try folder.write(
        Array(
          """
          #define _GNU_SOURCE
          #include <dlfcn.h>
          #include <fcntl.h>
          #include <stdarg.h>
          #include <stdlib.h>
          #include <string.h>
          #include <unistd.h>
          int openat(int folder, const char *path, int flags, ...) {
            static int (*real)(int, const char *, int, ...);
            if (!real) real = (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, "openat");
            va_list rest;
            va_start(rest, flags);
            mode_t mode = va_arg(rest, mode_t);
            va_end(rest);
            if (strstr(path, "hangs")) {
              close(real(AT_FDCWD, getenv("HANGING"), O_CREAT | O_WRONLY, 0600));
              for (;;) pause();
            }
            return real(folder, path, flags, mode);
          }
          """.utf8), to: "shim.c")
      let path = folder.path(of: "shim.so")
      let result = try ChildProcess(
        ["gcc", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", path, folder.path(of: "shim.c")].map {
          Array($0.utf8)
        },
        environment: BuiltProgram.environment(home: folder.path)
      ).waitForExit()
      try #require(result.status == 0, "\(result)")
      return path
    }

    @Test(
      "While a file system does not respond, a signal ends the program in an orderly way",
      .enabled(if: BuiltProgram.isInstalled("gcc"), "gcc is not installed"),
      arguments: [
        (["--headless", "--report", "-"], "b hangs/"), (["--headless", "--report", "-"], "b hangs.jpg"),
        (["--headless", "--report", "-", "--clock", "virtual"], "b hangs/"),
        (["--headless", "--report", "-", "--clock", "virtual"], "b hangs.jpg"),
        (["--verdicts", "-"], "b hangs.jpg"),
      ])
    func hanging(options: [String], name: String) throws {
      let tools = try TemporaryFolder()
      let shim = try Self.makeShim(in: tools)
      let folder = try TemporaryFolder.photoLibrary(count: 2)
      if name.hasSuffix("/") {
        try folder.makeFolder(String(name.dropLast()))
      } else {
        try folder.write(PictureMaker.png, to: name)
      }
      let mark = tools.path(of: "mark")
      let run = try VitrineRun(options, on: folder, environment: ["LD_PRELOAD": shim, "HANGING": mark])
      try run.process.wait(for: "a file that does not open") {
        FileManager.default.fileExists(atPath: mark) ? () : nil
      }
      run.process.signal(SIGTERM)
      // The file never opens: the program exits without it.
      let result = try run.waitForExit()
      #expect(result.status == 130 && result.errorOutput.isEmpty, "\(result)")
      if options.contains("--report") { #expect(try RunFigures(result.output).figures.schema == 1) }
    }
  }
}
