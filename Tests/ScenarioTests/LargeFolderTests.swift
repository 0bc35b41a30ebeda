import Glibc
import Testing

extension Scenarios {
  @Suite("A large folder is shown while it is read")
  struct LargeFolderTests {
    static let count = 5_000

    static func library() throws -> TemporaryFolder {
      let folder = try TemporaryFolder()
      try folder.write(try PictureMaker().gradient(1), to: "0.jpg")
      for number in 1..<count { try folder.hardLink("\(number).jpg", to: "0.jpg") }
      return folder
    }

    @Test("The first frame is there before the folder is read, and the last name is found")
    func firstFrame() throws {
      let folder = try Self.library()
      let first = try VitrineRun.report(["--frames", "1"], on: folder)
      #expect(first.figures.frames.count == 1)
      #expect(first.figures.library.items < Self.count)
      let run = try VitrineRun(["--headless", "--report", "-"] + VitrineRun.smallWindow, on: folder)
      _ = try run.waitForRest()
      run.process.signal(SIGTERM)
      let figures = try RunFigures(run.end().output).figures
      #expect(figures.library.items == Self.count && figures.library.failed == 0)
      #expect(figures.launch.firstFullScreenMs != nil)
      // Only what is seen and what is near is decoded.
      #expect(figures.images.requested < 500)
    }

    @Test("On the virtual clock it is the same library")
    func virtualClock() throws {
      let folder = try Self.library()
      let options = VitrineRun.smallWindow + ["--clock", "virtual", "--scroll", "steady:4000", "--duration", "0.5"]
      let first = try VitrineRun.report(options, on: folder)
      #expect(first.figures.library.items == Self.count)
      #expect(try VitrineRun.report(options, on: folder).figures.frameDigest == first.figures.frameDigest)
    }
  }
}
