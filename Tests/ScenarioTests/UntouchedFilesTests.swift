import Foundation
import Testing

extension Scenarios {
  @Suite("The user's files are not changed, and not opened for writing")
  struct UntouchedFilesTests {
    /// Returns command lines that read every file.
    static func commandLines(writingTo output: TemporaryFolder) -> [[String]] {
      [
        [
          "--headless", "--clock", "virtual", "--scroll", "jump", "--duration", "1", "--report",
          output.path(of: "a.json"),
        ],
        [
          "--headless", "--frames", "30", "--cache-dir", output.path(of: "cache"), "--screenshot",
          output.path(of: "a.png"),
        ],
        ["--verdicts", output.path(of: "a.tsv")],
      ]
    }

    @Test("Contents, permissions, owners, times and links are the same before and after a run")
    func unchanged() throws {
      let library = try BadLibrary()
      let output = try TemporaryFolder()
      let before = try FolderState(library.folder)
      #expect(before.entries.count > library.expected.count)
      for arguments in Self.commandLines(writingTo: output) {
        let result = try VitrineRun.run(arguments, on: library.folder)
        #expect(result.status == 0 && result.errorOutput.isEmpty, "\(result)")
        #expect(try FolderState(library.folder).differences(from: before) == [])
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: output.path).sorted().filter { $0 != "cache" }
          == ["a.json", "a.png", "a.tsv"])
    }

    /// Whether strace is installed and permitted to trace a process.
    static let canTrace: Bool = {
      guard let strace = BuiltProgram.toolPath("strace") else { return false }
      let result = try? ChildProcess(
        [strace, "-o", "/dev/null", "true"].map { Array($0.utf8) }, environment: BuiltProgram.environment(home: "/")
      ).waitForExit()
      return result?.status == 0
    }()

    @Test(
      "No system call of the program or its decoding processes opens the user's files for writing or maps them",
      .enabled(if: canTrace, "strace is not installed or not permitted to trace"))
    func systemCalls() throws {
      let strace = try #require(BuiltProgram.toolPath("strace"))
      // strace does not escape these names, so that none is missed.
      let folder = try TemporaryFolder.photoLibrary(count: 24)
      let output = try TemporaryFolder()
      for arguments in Self.commandLines(writingTo: output) {
        let logs = try TemporaryFolder()
        let wrapper = [
          strace, "-f", "-y", "-qq", "-s", "4096", "-o", logs.path(of: "log"), "-e",
          "trace=open,openat,openat2,creat,rename,renameat,renameat2,unlink,unlinkat,truncate,ftruncate,chmod,fchmod,"
            + "fchmodat,chown,fchown,fchownat,mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat,mknod,mknodat,utimensat,"
            + "setxattr,fsetxattr,write,pwrite64,writev,mmap",
        ]
        let result = try VitrineRun.run(arguments, on: folder, wrapper: wrapper)
        #expect(result.status == 0, "\(result)")
        let log = try SystemCallLog(path: logs.path(of: "log"))
        let accesses = log.calls(naming: folder.path)
        // The trace is complete: every image is opened for reading.
        for number in 0..<24 { #expect(accesses.contains { $0.opens("photo \(number).jpg") }) }
        #expect(accesses.filter { !$0.isReadOnlyOpen }.map(\.line) == [])
      }
    }
  }
}

extension Scenarios {
  @Suite("A missing home directory is not created")
  struct MissingHomeTests {
    /// Runs the program and returns the paths that exist afterwards in the parent folder of its home directory.
    func createdPaths(after options: [String], environment: [String] = [], display: XServer? = nil) throws -> [String] {
      let parent = try TemporaryFolder()
      let variables = (["HOME=/home"] + environment).map { $0.replacingOccurrences(of: "=/", with: "=\(parent.path)/") }
      let pictures = try TemporaryFolder.photoLibrary(count: 2)
      let run = try VitrineRun(
        options + ["--frames", "2"], on: options.contains("--sample") ? nil : pictures, display: display,
        wrapper: ["env"] + variables)
      let result = try run.waitForExit()
      #expect(result.status == 0, "\(result)")
      return try FileManager.default.subpathsOfDirectory(atPath: parent.path).sorted()
    }

    @Test(
      "The window's frame and settings are not stored, except in a state folder whose parent exists",
      .enabled(if: XServer.isInstalled, "Xvfb and xdotool are not installed"))
    func window() throws {
      let server = try XServer()
      let options = ["--renderer", "software"]
      #expect(try createdPaths(after: options, display: server) == [])
      #expect(try createdPaths(after: options, environment: ["XDG_STATE_HOME=/absent/state"], display: server) == [])
      #expect(
        try createdPaths(after: options, environment: ["XDG_STATE_HOME=/state"], display: server)
          == ["state", "state/vitrine", "state/vitrine/settings.json", "state/vitrine/window"])
    }

    @Test("Sample photographs are not stored")
    func samples() throws { #expect(try createdPaths(after: ["--headless", "--sample", "1"]) == []) }
  }
}

extension Scenarios {
  @Suite(
    "No message bus is started",
    .enabled(if: UntouchedFilesTests.canTrace, "strace is not installed or not permitted to trace"))
  struct MessageBusTests {
    /// Runs the program without a bus, and expects that it does not start one.
    func expectNoBus(_ options: [String], environment: [String], display: XServer? = nil) throws {
      let strace = try #require(BuiltProgram.toolPath("strace"))
      let folder = try TemporaryFolder()
      let logs = try TemporaryFolder()
      let wrapper = [strace, "-f", "-qq", "-o", logs.path(of: "log"), "-e", "trace=execve", "env"] + environment
      let result = try VitrineRun(options + ["--frames", "2"], on: folder, display: display, wrapper: wrapper)
        .waitForExit()
      #expect(result.status == 0, "\(result)")
      let log = try SystemCallLog(path: logs.path(of: "log"))
      // The trace is complete: it contains the program.
      #expect(!log.calls(naming: BuiltProgram.path).isEmpty)
      #expect(log.calls(naming: "dbus-launch").map(\.line) == [])
    }

    static let environments = [["DISPLAY=:64123"], ["DISPLAY=:64123", "DBUS_SESSION_BUS_ADDRESS="]]

    @Test("Headless, with and without a display", arguments: environments)
    func headless(environment: [String]) throws { try expectNoBus(["--headless"], environment: environment) }

    @Test("In a window", .enabled(if: XServer.isInstalled, "Xvfb and xdotool are not installed"))
    func window() throws {
      try expectNoBus(["--renderer", "software", "--no-cache"], environment: [], display: try XServer())
    }
  }
}
