import Foundation
import Glibc
import Testing
import VitrinePhotoLibrary
import VitrineTestSupport

extension CommandLineScenarios {
  @Suite("Bad input is reported for its item, and the program does not hang")
  struct BadInputTests {
    @Test("Each file has a verdict, and an error has its reason on the same line")
    func verdicts() throws {
      let library = try BadLibrary()
      let result = try VitrineRun.run(["--verdicts", "-"], on: library.folder)
      #expect(result.status == 0 && result.errorOutput.isEmpty, "\(result)")
      let table = try VerdictTable(result.output)
      for item in library.expected {
        let line = try #require(
          table.line(item.name, in: library.folder), "\(String(decoding: item.name, as: UTF8.self))")
        #expect(line.verdict == (item.isShown ? "ok" : "error"), "\(line)")
        #expect(item.reason.isEmpty || line.reason.contains(item.reason), "\(line)")
        #expect(item.isShown ? line.width != nil && line.height != nil : !line.reason.isEmpty, "\(line)")
      }
      let expected = Set(library.expected.map { PhotoPath(library.folder.bytes(of: $0.name)).escaped })
      #expect(Set(table.lines.map(\.path.escaped)).symmetricDifference(expected).sorted() == [])
      #expect(table.lines.count == expected.count)
    }

    /// Options for a window that all items fit into, so that every item is loaded.
    static let wholeWindow = ["--headless", "--columns", "12", "--size", "1000x800", "--report", "-"]

    @Test("The gallery lists every item and counts each broken one once")
    func gallery() throws {
      let library = try BadLibrary()
      let result = try VitrineRun.run(Self.wholeWindow + ["--clock", "virtual", "--duration", "2"], on: library.folder)
      #expect(result.status == 0 && result.errorOutput.isEmpty, "\(result)")
      try expectCounts(of: library, in: result)
    }

    @Test("On a live clock, where headers and images arrive in any order, the counts are the same")
    func liveGallery() throws {
      let library = try BadLibrary()
      let run = try VitrineRun(Self.wholeWindow, on: library.folder)
      _ = try run.waitUntilIdle()
      run.process.signal(SIGTERM)
      let result = try run.waitForExit()
      #expect(result.status == 130 && result.errorOutput.isEmpty, "\(result)")
      try expectCounts(of: library, in: result)
    }

    private func expectCounts(of library: BadLibrary, in result: ProcessResult) throws {
      let figures = try RunFigures(result.output).figures
      #expect(figures.library.items == library.expected.count)
      #expect(figures.library.failed == library.failedCount)
      #expect(figures.launch.firstFullScreenMs != nil)
    }

    @Test(
      "Opening a broken image by name opens its folder and shows the image as broken",
      arguments: [
        "empty.jpg", "fifo.jpg", "dangling.jpg",
      ])
    func openedByName(name: String) throws {
      let library = try BadLibrary()
      let result = try VitrineRun.run(
        ["--headless", "--clock", "virtual", "--frames", "10", "--report", "-"] + VitrineRun.smallWindow,
        paths: [library.folder.bytes(of: Array(name.utf8))])
      if name == "dangling.jpg" {
        #expect(result.status == 2 && result.errorOutput.contains("no such file"), "\(result)")
      } else {
        #expect(result.status == 0 && result.errorOutput.isEmpty, "\(result)")
        #expect(try RunFigures(result.output).figures.library.items == library.expected.count)
      }
    }

    // MARK: Permissions and names

    /// The command that runs a program as a user other than root, or nil if that is not possible.
    static let unprivilegedWrapper: [String]? = {
      guard getuid() == 0 else { return [] }
      guard let setpriv = BuiltProgram.toolPath("setpriv") else { return nil }
      let wrapper = [setpriv, "--reuid=65534", "--regid=65534", "--clear-groups"]
      let result = try? VitrineRun.run(["--version"], wrapper: wrapper)
      return result?.status == 0 ? wrapper : nil
    }()

    @Test(
      "An unreadable file is reported, an unreadable folder is skipped, and the other files are shown",
      .enabled(if: unprivilegedWrapper != nil, "root can read every file, and no other user can run the program"))
    func permissionDenied() throws {
      let wrapper = try #require(Self.unprivilegedWrapper)
      let folder = try TemporaryFolder()
      try folder.write(PictureMaker.png, to: "good.png")
      try folder.write(PictureMaker.png, to: "secret.png", mode: 0)
      try folder.makeFolder("closed")
      try folder.write(PictureMaker.png, to: "closed/inside.png")
      try folder.setMode(0, of: "closed")
      let result = try VitrineRun.run(["--verdicts", "-"], on: folder, wrapper: wrapper)
      #expect(
        result.status == 0 && result.errorOutput == "vitrine: \(folder.path)/closed may not be read\n", "\(result)")
      let table = try VerdictTable(result.output)
      #expect(table.lines.map(\.verdict) == ["ok", "error"])
      #expect(table.line("secret.png", in: folder)?.reason == "no permission to read")
      let report = try VitrineRun.report(["--clock", "virtual", "--frames", "20"], on: folder, wrapper: wrapper)
      #expect(report.figures.library.items == 2 && report.figures.library.failed == 1)
      let closed = try VitrineRun.run([], paths: [folder.bytes(of: Array("closed".utf8))], wrapper: wrapper)
      #expect(closed.status == 2 && closed.errorLines.count == 1, "\(closed)")
      #expect(closed.errorOutput.contains("closed: no permission to read it"), "\(closed)")
    }

    @Test("A folder whose name is not UTF-8 is shown like any other")
    func folderName() throws {
      let outer = try TemporaryFolder()
      let name: [UInt8] = [0x62, 0xFF, 0x0A, 0xC3, 0x28]
      try outer.makeFolder(name)
      try outer.write(PictureMaker.png, to: name + Array("/a.png".utf8))
      let result = try VitrineRun.run(
        ["--headless", "--clock", "virtual", "--duration", "0.5", "--report", "-"], paths: [outer.bytes(of: name)])
      #expect(result.status == 0 && result.errorOutput.isEmpty, "\(result)")
      let figures = try RunFigures(result.output).figures
      #expect(figures.library.items == 1 && figures.library.failed == 0 && figures.images.decoded == 1)
      let verdicts = try VitrineRun.run(["--verdicts", "-"], paths: [outer.bytes(of: name)])
      #expect(verdicts.text == "\(outer.path)/b%FF%0A%C3%28/a.png\tok\t12\t8\t1\t\n")
      _ = outer
    }

    // MARK: Changes during a run

    @Test("Decoding processes that are killed are replaced, and no file is marked as broken")
    func decodersKilled() throws {
      let folder = try TemporaryFolder.photoLibrary(count: 30)
      let run = try VitrineRun(Self.wholeWindow, on: folder)
      let inspector = ProcessInspector(processID: run.process.id)
      let decoders = try run.process.wait(for: "decoding processes") {
        let children = inspector.children
        return children.count >= 2 ? children : nil
      }
      for decoder in decoders { kill(decoder, SIGKILL) }
      _ = try run.waitUntilIdle()
      run.process.signal(SIGTERM)
      let result = try run.waitForExit()
      #expect(result.status == 130 && result.errorOutput.isEmpty, "\(result)")
      let figures = try RunFigures(result.output).figures
      #expect(figures.library.items == 35 && figures.library.failed == 2)
      // The two broken files may have been requested before their headers were read.
      #expect(figures.images.decoded >= 33 && figures.images.failed <= 2)
    }

    @Test("Files that are deleted while they are shown become failed items")
    func filesDeleted() throws {
      let folder = try TemporaryFolder()
      try folder.write(try PictureMaker().gradient(1, width: 320, height: 240), to: "0.jpg")
      for number in 1..<400 { try folder.hardLink("\(number).jpg", to: "0.jpg") }
      let run = try VitrineRun(
        ["--headless", "--scroll", "jump", "--duration", "2", "--report", "-"] + VitrineRun.smallWindow, on: folder)
      let inspector = ProcessInspector(processID: run.process.id)
      try run.process.wait(for: "decoding processes") {
        inspector.threadNames.contains("signals") && !inspector.children.isEmpty ? () : nil
      }
      for number in 0..<400 { unlink(folder.path(of: "\(number).jpg")) }
      #expect(run.process.isRunning)
      let result = try run.waitForExit()
      #expect(result.status == 0 && result.errorOutput.isEmpty, "\(result)")
      let figures = try RunFigures(result.output).figures
      #expect(figures.library.items <= 400 && figures.library.failed <= figures.library.items)
    }

    @Test("Moving or deleting a folder while it is scanned ends the scan, not the program")
    func folderDeleted() throws {
      for moves in [true, false] {
        let outer = try TemporaryFolder()
        try outer.makeFolder("pictures/inner")
        try outer.write(try PictureMaker().gradient(1), to: "0.jpg")
        for number in 0..<3_000 { try outer.hardLink("pictures/inner/\(number).jpg", to: "0.jpg") }
        let run = try VitrineRun(
          ["--headless", "--duration", "1", "--report", "-"] + VitrineRun.smallWindow,
          paths: [outer.bytes(of: Array("pictures".utf8))])
        let inspector = ProcessInspector(processID: run.process.id)
        try run.process.wait(for: "the scan") { inspector.threadNames.contains("vitrine-scan") ? () : nil }
        if moves {
          #expect(rename(outer.path(of: "pictures"), outer.path(of: "elsewhere")) == 0)
        } else {
          try FileManager.default.removeItem(atPath: outer.path(of: "pictures"))
        }
        let result = try run.waitForExit()
        #expect(result.status == 0 && result.errorOutput.isEmpty, "\(result)")
        let figures = try RunFigures(result.output).figures
        #expect(figures.library.items <= 3_000 && figures.library.failed <= figures.library.items)
      }
    }

    @Test("Replacing, truncating and extending files while they are decoded does not stop the program")
    func filesRewritten() throws {
      let folder = try TemporaryFolder()
      let picture = try PictureMaker().gradient(1, width: 320, height: 240)
      for number in 0..<60 { try folder.write(picture, to: "\(number).jpg") }
      let run = try VitrineRun(
        ["--headless", "--scroll", "jump", "--duration", "2", "--report", "-"] + VitrineRun.smallWindow, on: folder)
      var round = 0
      let deadline = Deadline()
      while run.process.isRunning {
        if deadline.hasPassed { throw WaitTimeoutError(event: "the exit of a run of two seconds") }
        for number in 0..<60 {
          switch (round + number) % 3 {
          case 0: truncate(folder.path(of: "\(number).jpg"), off_t(picture.count / 2))
          case 1: try folder.write(picture + picture, to: "\(number).jpg")
          default: try folder.write(PictureMaker.png, to: "\(number).jpg")
          }
        }
        round += 1
      }
      let result = try run.waitForExit()
      #expect(result.status == 0 && result.errorOutput.isEmpty, "\(result)")
      #expect(round > 1)
      #expect(try RunFigures(result.output).figures.library.items == 60)
    }
  }
}
