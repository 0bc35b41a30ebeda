import Foundation
import Glibc
import TestSupport
import Testing

extension Scenarios {
  @Suite("What the system limits or does not answer")
  struct LimitTests {
    /// Words that start a program under a limit of the shell's.
    private static func limited(_ limit: String) -> [String] { ["sh", "-c", "ulimit \(limit); exec \"$0\" \"$@\""] }

    @Test(
      "Within a limit that suffices for little, every picture is shown, and a line says what is smaller",
      arguments: ["-n 40", "-n 48", "-v 700000", "-v 1000000"])
    func small(limit: String) throws {
      let folder = try DigestTests.library(count: 40)
      let end = try VitrineRun.end(
        ["--headless", "--workers", "6", "--scroll", "jump", "--frames", "60", "--report", "-"], on: folder,
        wrapper: Self.limited(limit))
      #expect(end.status == 0 && end.complaintLines.count == 1, "\(end)")
      #expect(end.complaints.contains("ulimit \(limit.prefix(2))"), "\(end)")
      let figures = try RunFigures(end.output).figures
      #expect(figures.images.failed == 0 && figures.images.decoded > 0, "\(end)")
    }

    @Test("Within one that suffices for nothing the program says so and ends", arguments: ["-n 16", "-v 400000"])
    func tooSmall(limit: String) throws {
      let end = try VitrineRun.end(["--headless", "--frames", "2"], wrapper: Self.limited(limit))
      #expect(end.status == 1 && end.output.isEmpty && end.complaintLines.count == 1, "\(end)")
      #expect(end.complaints.contains("ulimit \(limit.prefix(2))"), "\(end)")
    }

    /// A library that is loaded before libc and in which whatever opens a file whose name holds "hangs" never returns.
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
      let end = try ChildProcess(
        ["gcc", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", path, folder.path(of: "shim.c")].map {
          Array($0.utf8)
        },
        environment: BuiltProgram.environment(home: folder.path)
      ).waitForEnd()
      try #require(end.status == 0, "\(end)")
      return path
    }

    @Test(
      "While a file system does not answer, a signal ends the program in order",
      .enabled(if: BuiltProgram.has("gcc"), "gcc is not installed"),
      arguments: [
        (["--headless", "--report", "-"], "b hangs/"), (["--headless", "--report", "-"], "b hangs.jpg"),
        (["--headless", "--report", "-", "--clock", "virtual"], "b hangs/"),
        (["--headless", "--report", "-", "--clock", "virtual"], "b hangs.jpg"),
        (["--verdicts", "-"], "b hangs.jpg"),
      ])
    func hanging(options: [String], name: String) throws {
      let tools = try TemporaryFolder()
      let shim = try Self.makeShim(in: tools)
      let folder = try DigestTests.library(count: 2)
      if name.hasSuffix("/") {
        try folder.makeFolder(String(name.dropLast()))
      } else {
        try folder.write(PictureMaker.png, to: name)
      }
      let mark = tools.path(of: "mark")
      let run = try VitrineRun(options, on: folder, settings: ["LD_PRELOAD": shim, "HANGING": mark])
      try run.process.wait(for: "a file that does not open") {
        FileManager.default.fileExists(atPath: mark) ? () : nil
      }
      run.process.signal(SIGTERM)
      // The file does not open to the end: it is the program that gives up.
      let end = try run.end()
      #expect(end.status == 130 && end.complaints.isEmpty, "\(end)")
      if options.contains("--report") { #expect(try RunFigures(end.output).figures.schema == 1) }
    }
  }
}
