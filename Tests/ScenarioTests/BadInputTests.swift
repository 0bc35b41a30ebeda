import Foundation
import Glibc
import PhotoLibrary
import TestSupport
import Testing

extension Scenarios {
  @Suite("Bad input is a state of its item, and nothing hangs")
  struct BadInputTests {
    @Test("Each file has its verdict, with the reason, and the reason stands in its line alone")
    func verdicts() throws {
      let library = try BadLibrary()
      let end = try VitrineRun.end(["--verdicts", "-"], on: library.folder)
      #expect(end.status == 0 && end.complaints.isEmpty, "\(end)")
      let table = try VerdictTable(end.output)
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

    /// All of the items fit into this window, so that all are asked for.
    static let wholeWindow = ["--headless", "--columns", "12", "--size", "1000x800", "--report", "-"]

    @Test("The gallery shows them all, and counts those that are broken, once each")
    func gallery() throws {
      let library = try BadLibrary()
      let end = try VitrineRun.end(Self.wholeWindow + ["--clock", "virtual", "--duration", "2"], on: library.folder)
      #expect(end.status == 0 && end.complaints.isEmpty, "\(end)")
      try expectAll(of: library, in: end)
    }

    @Test("And so it does beside a live clock, where headers and pictures come in any order")
    func liveGallery() throws {
      let library = try BadLibrary()
      let run = try VitrineRun(Self.wholeWindow, on: library.folder)
      _ = try run.waitForRest()
      run.process.signal(SIGTERM)
      let end = try run.end()
      #expect(end.status == 130 && end.complaints.isEmpty, "\(end)")
      try expectAll(of: library, in: end)
    }

    private func expectAll(of library: BadLibrary, in end: ProcessEnd) throws {
      let figures = try RunFigures(end.output).figures
      #expect(figures.library.items == library.expected.count)
      #expect(figures.library.failed == library.failedCount)
      #expect(figures.launch.firstFullScreenMs != nil)
    }

    @Test(
      "A broken picture that is given by name opens its folder and is shown as broken",
      arguments: [
        "empty.jpg", "fifo.jpg", "dangling.jpg",
      ])
    func givenByName(name: String) throws {
      let library = try BadLibrary()
      let end = try VitrineRun.end(
        ["--headless", "--clock", "virtual", "--frames", "10", "--report", "-"] + VitrineRun.smallWindow,
        paths: [library.folder.bytes(of: Array(name.utf8))])
      if name == "dangling.jpg" {
        #expect(end.status == 2 && end.complaints.contains("no such file"), "\(end)")
      } else {
        #expect(end.status == 0 && end.complaints.isEmpty, "\(end)")
        #expect(try RunFigures(end.output).figures.library.items == library.expected.count)
      }
    }

    /// Starts the program as somebody who is not root, where that can be done from here.
    static let asNobody: [String]? = {
      guard getuid() == 0 else { return [] }
      guard let setpriv = BuiltProgram.tool("setpriv") else { return nil }
      let wrapper = [setpriv, "--reuid=65534", "--regid=65534", "--clear-groups"]
      let end = try? VitrineRun.end(["--version"], wrapper: wrapper)
      return end?.status == 0 ? wrapper : nil
    }()

    @Test(
      "A file and a folder that may not be read are told, and the rest is shown",
      .enabled(if: asNobody != nil, "root may read everything, and nobody else can run the program here"))
    func denied() throws {
      let wrapper = try #require(Self.asNobody)
      let folder = try TemporaryFolder()
      try folder.write(PictureMaker.png, to: "good.png")
      try folder.write(PictureMaker.png, to: "secret.png", mode: 0)
      try folder.makeFolder("closed")
      try folder.write(PictureMaker.png, to: "closed/inside.png")
      try folder.setMode(0, of: "closed")
      let end = try VitrineRun.end(["--verdicts", "-"], on: folder, wrapper: wrapper)
      #expect(end.status == 0 && end.complaints.isEmpty, "\(end)")
      let table = try VerdictTable(end.output)
      #expect(table.lines.map(\.verdict) == ["ok", "error"])
      #expect(table.line("secret.png", in: folder)?.reason == "no permission to read")
      let report = try VitrineRun.report(["--clock", "virtual", "--frames", "20"], on: folder, wrapper: wrapper)
      #expect(report.figures.library.items == 2 && report.figures.library.failed == 1)
      let closed = try VitrineRun.end([], paths: [folder.bytes(of: Array("closed".utf8))], wrapper: wrapper)
      #expect(closed.status == 2 && closed.complaintLines.count == 1, "\(closed)")
      #expect(closed.complaints.contains("closed: no permission to read it"), "\(closed)")
    }

    @Test("A folder whose own name is no text is shown like any other")
    func nameOfTheFolder() throws {
      let outer = try TemporaryFolder()
      let name: [UInt8] = [0x62, 0xFF, 0x0A, 0xC3, 0x28]
      try outer.makeFolder(name)
      try outer.write(PictureMaker.png, to: name + Array("/a.png".utf8))
      let end = try VitrineRun.end(
        ["--headless", "--clock", "virtual", "--duration", "0.5", "--report", "-"], paths: [outer.bytes(of: name)])
      #expect(end.status == 0 && end.complaints.isEmpty, "\(end)")
      let figures = try RunFigures(end.output).figures
      #expect(figures.library.items == 1 && figures.library.failed == 0 && figures.images.decoded == 1)
      let verdicts = try VitrineRun.end(["--verdicts", "-"], paths: [outer.bytes(of: name)])
      #expect(verdicts.text == "\(outer.path)/b%FF%0A%C3%28/a.png\tok\t12\t8\t1\t\n")
      _ = outer
    }

    @Test("Decoding processes that somebody kills are replaced, and no file is blamed")
    func decodersKilled() throws {
      let folder = try DigestTests.library(count: 30)
      let run = try VitrineRun(Self.wholeWindow, on: folder)
      let look = ProcessLook(number: run.process.number)
      let decoders = try run.process.wait(for: "decoding processes") {
        let children = look.children
        return children.count >= 2 ? children : nil
      }
      for decoder in decoders { kill(decoder, SIGKILL) }
      _ = try run.waitForRest()
      run.process.signal(SIGTERM)
      let end = try run.end()
      #expect(end.status == 130 && end.complaints.isEmpty, "\(end)")
      let figures = try RunFigures(end.output).figures
      #expect(figures.library.items == 35 && figures.library.failed == 2)
      // The two that are broken may have been asked for before their headers were read.
      #expect(figures.images.decoded >= 33 && figures.images.failed <= 2)
    }

    @Test("Files that are deleted while they are shown are a state of their items")
    func filesDeleted() throws {
      let folder = try TemporaryFolder()
      try folder.write(try PictureMaker().gradient(1, width: 320, height: 240), to: "0.jpg")
      for number in 1..<400 { try folder.hardLink("\(number).jpg", to: "0.jpg") }
      let run = try VitrineRun(
        ["--headless", "--scroll", "jump", "--duration", "2", "--report", "-"] + VitrineRun.smallWindow, on: folder)
      let look = ProcessLook(number: run.process.number)
      try run.process.wait(for: "decoding processes") {
        look.threadNames.contains("signals") && !look.children.isEmpty ? () : nil
      }
      for number in 0..<400 { unlink(folder.path(of: "\(number).jpg")) }
      #expect(run.process.isRunning)
      let end = try run.end()
      #expect(end.status == 0 && end.complaints.isEmpty, "\(end)")
      let figures = try RunFigures(end.output).figures
      #expect(figures.library.items <= 400 && figures.library.failed <= figures.library.items)
    }

    @Test("A folder that is moved away or deleted while it is read ends the reading, not the program")
    func folderDeleted() throws {
      for moves in [true, false] {
        let outer = try TemporaryFolder()
        try outer.makeFolder("pictures/inner")
        try outer.write(try PictureMaker().gradient(1), to: "0.jpg")
        for number in 0..<3_000 { try outer.hardLink("pictures/inner/\(number).jpg", to: "0.jpg") }
        let run = try VitrineRun(
          ["--headless", "--duration", "1", "--report", "-"] + VitrineRun.smallWindow,
          paths: [outer.bytes(of: Array("pictures".utf8))])
        let look = ProcessLook(number: run.process.number)
        try run.process.wait(for: "the scan") { look.threadNames.contains("vitrine-scan") ? () : nil }
        if moves {
          #expect(rename(outer.path(of: "pictures"), outer.path(of: "elsewhere")) == 0)
        } else {
          try FileManager.default.removeItem(atPath: outer.path(of: "pictures"))
        }
        let end = try run.end()
        #expect(end.status == 0 && end.complaints.isEmpty, "\(end)")
        let figures = try RunFigures(end.output).figures
        #expect(figures.library.items <= 3_000 && figures.library.failed <= figures.library.items)
      }
    }

    @Test("Files that are replaced, cut and lengthened while they are decoded hurt nobody")
    func filesRewritten() throws {
      let folder = try TemporaryFolder()
      let picture = try PictureMaker().gradient(1, width: 320, height: 240)
      for number in 0..<60 { try folder.write(picture, to: "\(number).jpg") }
      let run = try VitrineRun(
        ["--headless", "--scroll", "jump", "--duration", "2", "--report", "-"] + VitrineRun.smallWindow, on: folder)
      var round = 0
      let deadline = Deadline()
      while run.process.isRunning {
        if deadline.hasPassed { throw WaitTimeoutError(what: "the end of a run of two seconds") }
        for number in 0..<60 {
          switch (round + number) % 3 {
          case 0: truncate(folder.path(of: "\(number).jpg"), off_t(picture.count / 2))
          case 1: try folder.write(picture + picture, to: "\(number).jpg")
          default: try folder.write(PictureMaker.png, to: "\(number).jpg")
          }
        }
        round += 1
      }
      let end = try run.end()
      #expect(end.status == 0 && end.complaints.isEmpty, "\(end)")
      #expect(round > 1)
      #expect(try RunFigures(end.output).figures.library.items == 60)
    }
  }
}
