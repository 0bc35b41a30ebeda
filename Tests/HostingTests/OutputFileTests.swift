import Foundation
import Glibc
import Testing
import VitrineFramePacing

@testable import VitrineHosting

@Suite("An output file is written completely or not at all")
struct OutputFileTests {
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "vitrine-output-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test("The old file remains until the new one is complete, and no temporary file is left")
  func replaces() throws {
    try withFolder { folder in
      let path = folder + "/report ä.json"
      try "older and longer".write(toFile: path, atomically: false, encoding: .utf8)
      let file = try OutputFile(path)
      try file.write("new".utf8)
      #expect(try text(path) == "older and longer")
      try file.write("er".utf8)
      try file.close()
      #expect(try text(path) == "newer")
      #expect(try names(in: folder) == ["report ä.json"])
    }
  }

  @Test("An unfinished file leaves the old one unchanged and no temporary file")
  func unfinished() throws {
    try withFolder { folder in
      let path = folder + "/report.json"
      try "old".write(toFile: path, atomically: false, encoding: .utf8)
      do {
        let file = try OutputFile(path)
        try file.write("new".utf8)
      }
      #expect(try text(path) == "old")
      #expect(try names(in: folder) == ["report.json"])
    }
  }

  @Test("Another program's file with a similar name is not changed")
  func similarNames() throws {
    try withFolder { folder in
      let neighbour = "\(folder)/a.json.vitrine-\(getpid())-0.part"
      for name in [neighbour, folder + "/a.json.part"] {
        try "mine".write(toFile: name, atomically: false, encoding: .utf8)
      }
      let file = try OutputFile(folder + "/a.json")
      try file.write("yours".utf8)
      try file.close()
      #expect(try text(neighbour) == "mine")
      #expect(try text(folder + "/a.json.part") == "mine")
      #expect(try text(folder + "/a.json") == "yours")
      #expect(try names(in: folder).count == 3)
    }
  }

  @Test("While a file is written, its folder has no other name, so that nothing is left if the process is killed")
  func unnamed() throws {
    try withFolder { folder in
      let path = folder + "/report.json"
      try "old".write(toFile: path, atomically: false, encoding: .utf8)
      for name in ["report.json", "new.json"] {
        let file = try OutputFile("\(folder)/\(name)")
        #expect(file.replacesFile == (name == "report.json"))
        try file.write("new".utf8)
        #expect(try names(in: folder) == ["report.json"])
        withExtendedLifetime(file) {}
      }
    }
  }

  @Test("A temporary file of a killed process is removed, and no other file")
  func abandonedFiles() throws {
    try withFolder { folder in
      // No process has the highest number, which is beyond the system's limit.
      let (dead, alive) = (Int32.max, getpid())
      let kept = [
        "a.json", "a.json.part", "a.json.\(dead)-0.part", "a.json.vitrine-\(alive)-0.part", "a.json.vitrine-0-0.part",
        "a.json.vitrine-\(dead)-0", "a.json.vitrine-\(dead).part", "a.json.vitrine--\(dead)-0.part",
        "a.json.vitrine-\(dead)-0-0.part", "b.json.vitrine-\(dead)-0.part",
      ]
      for name in kept + ["a.json.vitrine-\(dead)-0.part", "a.json.vitrine-\(dead)-7.part"] {
        try "mine".write(toFile: folder + "/" + name, atomically: false, encoding: .utf8)
      }
      let locked = "a.json.vitrine-\(dead)-1.part"
      let writer = open(folder + "/" + locked, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      defer { close(writer) }
      #expect(flock(writer, LOCK_EX | LOCK_NB) == 0)
      #expect(mkdir("\(folder)/a.json.vitrine-\(dead)-2.part", 0o700) == 0)
      try OutputFile(folder + "/a.json").close()
      #expect(try names(in: folder) == (kept + [locked, "a.json.vitrine-\(dead)-2.part"]).sorted())
    }
  }

  @Test("A file that cannot be written is reported with the system's reason, and nothing is left behind")
  func errors() throws {
    try withFolder { folder in
      let absent = #expect(throws: OutputError.self) { try OutputFile(folder + "/absent/report.json") }
      #expect(absent?.description == "cannot be written: No such file or directory")
      let isFolder = #expect(throws: OutputError.self) { try OutputFile(folder) }
      #expect(isFolder?.description == "cannot be written: Is a directory")
      let remaining = try names(in: folder)
      #expect(remaining.isEmpty)
    }
  }

  @Test("A symbolic link remains and its target is written, and a full device is an error")
  func links() throws {
    try withFolder { folder in
      #expect(symlink("target", folder + "/link") == 0)
      let file = try OutputFile(folder + "/link")
      try file.write("through".utf8)
      try file.close()
      #expect(try text(folder + "/target") == "through")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/link") == "target")
      #expect(symlink("/dev/full", folder + "/full") == 0)
      let full = try OutputFile(folder + "/full")
      let error = #expect(throws: OutputError.self) { try full.write("x".utf8) }
      #expect(error?.code == ENOSPC)
    }
  }

  @Test("Checking a path reports the error that writing would have, and changes nothing")
  func checkWritable() throws {
    try withFolder { folder in
      try "old".write(toFile: folder + "/file", atomically: false, encoding: .utf8)
      for (name, target) in [
        ("to file", "file"), ("to free", "free"), ("to link", "to free"), ("to full", "/dev/full"), ("to folder", "."),
        ("to absent", "absent/x"), ("loop", "loop"),
      ] {
        #expect(symlink(target, folder + "/" + name) == 0)
      }
      #expect(mkfifo(folder + "/fifo", 0o600) == 0)
      let before = try names(in: folder)
      for name in ["file", "free", "to file", "to free", "to link", "to full", "fifo"] {
        #expect(throws: Never.self, "\(name)") { try OutputFile.checkWritable(folder + "/" + name) }
      }
      #expect(throws: Never.self) { try OutputFile.checkWritable("-") }
      let refused = [
        ("absent/x", ENOENT), ("", EISDIR), ("file/x", ENOTDIR), ("to folder", EISDIR), ("to absent", ENOENT),
        ("loop", ELOOP), (String(repeating: "a", count: 255), ENAMETOOLONG),
      ]
      for (name, code) in refused {
        let error = #expect(throws: OutputError.self, "\(name)") { try OutputFile.checkWritable(folder + "/" + name) }
        #expect(error?.code == code, "\(name)")
      }
      #expect(try names(in: folder) == before)
      #expect(try text(folder + "/file") == "old")
    }
  }

  @Test("Settings with a file that cannot be written are rejected with the name of the option")
  func destinations() {
    var options = HostingOptions()
    #expect(throws: Never.self) { try options.validateDestinations() }
    options.screenshot = "/absent/shot.png"
    let reason = "/absent/shot.png: cannot be written: No such file or directory; give a path"
    #expect(
      #expect(throws: UsageError.self) { try options.validateDestinations() }?.description.hasPrefix(
        "--screenshot " + reason) == true)
    options.screenshot = "/"
    #expect(
      #expect(throws: UsageError.self) { try options.validateDestinations() }?.description.hasPrefix(
        "--screenshot /: cannot be written: Is a directory; ") == true)
  }
}
