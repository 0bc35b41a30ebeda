import Geometry
import Rendering
import TestSupport
import Testing

extension Scenarios {
  @Suite("A list of pictures on the web is a library like any other")
  struct WebListTests {
    /// A server with a list of pictures, of which one is missing and one is a web page.
    private func server(_ count: Int) throws -> WebServer {
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

    @Test("In real time it is downloaded, decoded and shown, and what cannot be had is a state of its picture")
    func realTime() throws {
      let server = try server(24)
      defer { server.stop() }
      let report = try VitrineRun.report(
        VitrineRun.smallWindow + ["--clock", "timer", "--duration", "6", server.address("/list.json")])
      #expect(report.figures.library.items == 24 && report.figures.images.decodedOnRenderThread == 0)
      #expect(report.figures.images.decoded == 22 && report.figures.images.failed == 2)
      #expect(Set(server.requests.map(\.path)).count == 25)
    }

    @Test("On the virtual clock equal runs show equal frames, and are not told how long servers take")
    func virtual() throws {
      let server = try server(60)
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

    @Test("A list that cannot be had is an empty window with the reason, no end of the program")
    func absent() throws {
      let server = try WebServer { _, connection in connection.sendResponse(404) }
      defer { server.stop() }
      let report = try VitrineRun.report(
        VitrineRun.smallWindow + ["--clock", "virtual", "--frames", "5", server.address("/list.json")])
      #expect(report.figures.library.items == 0)
    }
  }
}
