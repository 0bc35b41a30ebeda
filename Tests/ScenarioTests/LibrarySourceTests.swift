import Glibc
import Testing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport

extension CommandLineScenarios {
  @Suite("Synthetic images are generated in memory by number and seed")
  struct SyntheticLibraryTests {
    static let virtualRun = VitrineRun.smallWindow + ["--clock", "virtual", "--scroll", "jump", "--duration", "1.2"]

    @Test("A million items are listed in the third frame, without memory for each")
    func millionItems() throws {
      let report = try VitrineRun.report(
        VitrineRun.smallWindow
          + ["--synthetic", "1000000", "--group", "month", "--clock", "virtual", "--frames", "3"])
      #expect(report.figures.library.items == 1_000_000 && report.figures.library.failed == 0)
      #expect((479...482).contains(report.figures.library.sections))
      #expect(report.figures.memory.catalogueBytesPerItem == 0)
      #expect(report.figures.memory.residentPeakBytes < 300 << 20)
    }

    @Test("Equal runs show equal frames, also on one core, and another seed shows others")
    func digests() throws {
      func digest(_ options: [String] = [], wrapper: [String] = []) throws -> String {
        let report = try VitrineRun.report(["--synthetic", "100000"] + Self.virtualRun + options, wrapper: wrapper)
        #expect(report.figures.library.items == 100_000)
        #expect(report.figures.images.decoded > 50 && report.figures.images.failed == 0)
        return try #require(report.figures.frameDigest)
      }
      let plain = try digest()
      #expect(try digest(["--workers", "2"]) == plain)
      #expect(try digest(wrapper: BuiltProgram.toolPath("taskset").map { [$0, "-c", "0"] } ?? []) == plain)
      #expect(try digest(["--seed", "2"]) != plain)
    }

    @Test(
      "Every layout grouped by months shows equal frames in two runs",
      arguments: ["grid", "justified", "mosaic", "list"])
    func layouts(layout: String) throws {
      let options = [
        "--headless", "--size", "420x320", "--clock", "virtual", "--duration", "1.2", "--scroll", "jump",
        "--layout", layout, "--group", "month", "--synthetic", "20000",
      ]
      let first = try VitrineRun.report(options)
      #expect(first.figures.library.items == 20_000)
      #expect((400...482).contains(first.figures.library.sections))
      #expect(first.figures.images.decoded > 20 && first.figures.images.failed == 0)
      #expect(try VitrineRun.report(options).figures.frameDigest == first.figures.frameDigest)
    }

    @Test("Images are generated on threads of the program, not on the render thread, and no process is started")
    func threads() throws {
      let run = try VitrineRun(["--headless", "--synthetic", "30000", "--report", "-"] + VitrineRun.smallWindow)
      _ = try run.waitUntilIdle()
      let inspector = ProcessInspector(processID: run.process.id)
      #expect(inspector.children.isEmpty)
      #expect(inspector.threadNames.contains { $0.hasPrefix("decode") })
      run.process.signal(SIGTERM)
      let figures = try RunFigures(run.waitForExit().output).figures
      #expect(figures.images.decoded > 20 && figures.images.failed == 0)
      #expect(figures.images.decodedOnRenderThread == 0)
      #expect(figures.library.items == 30_000)
      #expect(figures.launch.firstFullScreenMs != nil)
    }
  }
}

extension CommandLineScenarios {
  @Suite("A list of images on the web is a library like any other")
  struct WebListTests {
    /// Starts a server with a list of images, of which one is missing and one is a web page.
    private func makeServer(count: Int) throws -> WebServer {
      let maker = try PictureMaker()
      let pictures = try (0..<8).map { try maker.gradient($0) }
      let entries = (0..<count).map {
        #"{"id": "\#($0)", "url": "p/\#($0).jpg", "title": "No \#($0)", "width": 96, "height": 72, "date": "2024-0\#($0 % 9 + 1)-05"}"#
      }
      let list = Array("{\"items\": [\(entries.joined(separator: ",\n")), 3]}".utf8)
      return try WebServer { request, connection in
        guard request.path != "/list.json" else { return connection.sendResponse(body: list) }
        let number = request.path.split(separator: "/").last?.split(separator: ".").first.flatMap { Int($0) } ?? 0
        switch number {
        case 3: connection.sendResponse(404)
        case 5: connection.sendResponse(body: Array("<html>".utf8))
        default: connection.sendResponse(body: pictures[number % 8])
        }
      }
    }

    @Test("In real time images are downloaded, decoded and shown, and an unavailable image is a failed item")
    func realTime() throws {
      let server = try makeServer(count: 24)
      defer { server.stop() }
      let report = try VitrineRun.report(
        VitrineRun.smallWindow + ["--clock", "timer", "--duration", "6", server.address("/list.json")])
      #expect(report.figures.library.items == 24 && report.figures.images.decodedOnRenderThread == 0)
      #expect(report.figures.images.decoded == 22 && report.figures.images.failed == 2)
      #expect(Set(server.requests.map(\.path)).count == 25)
    }

    @Test("On the virtual clock equal runs show equal frames, independent of the duration of downloads")
    func virtualClock() throws {
      let server = try makeServer(count: 60)
      defer { server.stop() }
      func digest() throws -> String {
        let report = try VitrineRun.report(
          VitrineRun.smallWindow + [
            "--clock", "virtual", "--scroll", "jump", "--duration", "1.2", "--group", "month",
            server.address("/list.json"),
          ])
        #expect(report.figures.library.items == 60 && report.figures.library.sections == 9)
        #expect(report.figures.images.decoded > 30)
        return try #require(report.figures.frameDigest)
      }
      #expect(try digest() == digest())
    }

    @Test("A list that is not available is an empty library, and the program continues")
    func missingList() throws {
      let server = try WebServer { _, connection in connection.sendResponse(404) }
      defer { server.stop() }
      let report = try VitrineRun.report(
        VitrineRun.smallWindow + ["--clock", "virtual", "--frames", "5", server.address("/list.json")])
      #expect(report.figures.library.items == 0)
    }
  }
}
