import Foundation
import Testing

extension Scenarios {
  @Suite("No file of the user's is changed, or so much as opened for writing")
  struct UntouchedFilesTests {
    /// Ways of running that read every file.
    static func ways(_ output: TemporaryFolder) -> [[String]] {
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

    @Test("Contents, modes, owners, times and links are the same before and after")
    func unchanged() throws {
      let library = try BadLibrary()
      let output = try TemporaryFolder()
      let before = try FolderState(library.folder)
      #expect(before.entries.count > library.expected.count)
      for way in Self.ways(output) {
        let end = try VitrineRun.end(way, on: library.folder)
        #expect(end.status == 0 && end.complaints.isEmpty, "\(end)")
        #expect(try FolderState(library.folder).differences(from: before) == [])
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: output.path).sorted().filter { $0 != "cache" }
          == ["a.json", "a.png", "a.tsv"])
    }

    /// What strace needs to be allowed to do.
    static let canTrace: Bool = {
      guard let strace = BuiltProgram.tool("strace") else { return false }
      let end = try? ChildProcess(
        [strace, "-o", "/dev/null", "true"].map { Array($0.utf8) }, environment: BuiltProgram.environment(home: "/")
      ).waitForEnd()
      return end?.status == 0
    }()

    @Test(
      "The system calls of the program and its decoding processes open nothing of the user's for writing, and map nothing",
      .enabled(if: canTrace, "strace is not installed, or may not trace here"))
    func systemCalls() throws {
      let strace = try #require(BuiltProgram.tool("strace"))
      // Names that survive strace's quoting, so that none is missed.
      let folder = try DigestTests.library(count: 24)
      let output = try TemporaryFolder()
      for way in Self.ways(output) {
        let logs = try TemporaryFolder()
        let wrapper = [
          strace, "-f", "-y", "-qq", "-s", "4096", "-o", logs.path(of: "log"), "-e",
          "trace=open,openat,openat2,creat,rename,renameat,renameat2,unlink,unlinkat,truncate,ftruncate,chmod,fchmod,"
            + "fchmodat,chown,fchown,fchownat,mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat,mknod,mknodat,utimensat,"
            + "setxattr,fsetxattr,write,pwrite64,writev,mmap",
        ]
        let end = try VitrineRun.end(way, on: folder, wrapper: wrapper)
        #expect(end.status == 0, "\(end)")
        let log = try SystemCallLog(path: logs.path(of: "log"))
        let touching = log.calls(naming: folder.path)
        // The trace sees what it is to see: every picture is opened, in order to be read.
        for number in 0..<24 { #expect(touching.contains { $0.opens("photo \(number).jpg") }) }
        #expect(touching.filter { !$0.isReading }.map(\.line) == [])
      }
    }
  }
}
