import Foundation
import Testing

extension Scenarios {
  @Suite(
    "What the program calls of its libraries, counted from within",
    .enabled(if: DoorShim.isBuildable, "gcc is not installed"))
  struct DoorTests {
    private static let run = ["--headless"] + windowRun
    private static let windowRun =
      VitrineRun.smallWindow + [
        "--clock", "virtual", "--synthetic", "400", "--scroll", "steady:300", "--frames", "60",
        "--no-cache", "--report", "-",
      ]

    @Test(
      "A headless run draws SDL's textures through SDL_Renderer; painted in memory it calls none of that",
      arguments: [([], "sdl"), (["--renderer", "software"], "sdl"), (["--renderer", "memory"], "memory")])
    func headless(options: [String], drawnBy: String) throws {
      let (end, calls) = try DoorShim().end(Self.run + options)
      try #require(end.status == 0 && end.complaints.isEmpty, "\(end)")
      let display = try RunFigures(end.output).figures.display
      #expect(display.drawnBy == drawnBy && display.renderer == "software")
      for name in ["SDL_CreateTexture", "SDL_RenderCopy", "SDL_RenderFillRect", "SDL_RenderPresent"] {
        let count = try #require(calls[name])
        #expect(count.others == 0 && (count.drawing > 0) == (drawnBy == "sdl"), "\(name) \(count)")
      }
      // A frame of forty cells, each with a picture and a caption, copies each; textures are made once.
      if drawnBy == "sdl" {
        let (made, copied) = (calls["SDL_CreateTexture"]?.drawing ?? 0, calls["SDL_RenderCopy"]?.drawing ?? 0)
        #expect(copied > 60 * 40 && made < copied / 4, "\(made) \(copied)")
      }
    }

    @Test(
      "A renderer that fails in mid-run is followed by the next one, with one line, and no frame is lost",
      arguments: ["SDL_RenderCopy:900", "SDL_CreateTexture:90", "SDL_RenderPresent:30", "SDL_RenderFillRect:100"])
    func failure(failure: String) throws {
      let output = try TemporaryFolder()
      let shim = try DoorShim()
      let (failed, _) = try shim.end(Self.run + ["--screenshot", output.path(of: "failed.png")], failure: failure)
      let whole = try VitrineRun.end(Self.run + ["--renderer", "memory", "--screenshot", output.path(of: "whole.png")])
      try #require(failed.status == 0 && whole.status == 0, "\(failed) \(whole)")
      #expect(failed.complaintLines.count == 1, "\(failed)")
      #expect(failed.complaints.contains("SDL's software renderer failed") && failed.complaints.contains("injected"))
      let (figures, expected) = (try RunFigures(failed.output).figures, try RunFigures(whole.output).figures)
      #expect(figures.display.drawnBy == "memory" && figures.display.rendererReason?.contains("injected") == true)
      #expect(figures.frames.count == 60 && figures.frameDigest == expected.frameDigest)
      let difference = Screenshot.difference(
        try Screenshot.read(output.path(of: "failed.png"), width: 640, height: 480),
        try Screenshot.read(output.path(of: "whole.png"), width: 640, height: 480))
      #expect(difference == (largest: 0, pixels: 0))
    }

    @Test(
      "OpenGL that fails in mid-run is followed by painting in memory in the same window",
      .enabled(if: XServer.isInstalled, "Xvfb and xdotool are not installed"))
    func hardwareFailure() throws {
      let output = try TemporaryFolder()
      let (failed, calls) = try DoorShim().end(
        Self.windowRun + ["--renderer", "opengl", "--screenshot", output.path(of: "failed.png")],
        display: try XServer(), failure: "SDL_RenderCopy:900")
      let whole = try VitrineRun.end(Self.run + ["--renderer", "memory", "--screenshot", output.path(of: "whole.png")])
      try #require(failed.status == 0 && whole.status == 0, "\(failed) \(whole)")
      // The second of two tries; then no more.
      #expect(calls["SDL_RenderCopy"]?.drawing == 901)
      #expect(failed.complaintLines.count == 1 && failed.complaints.contains("OpenGL failed"), "\(failed)")
      let (figures, expected) = (try RunFigures(failed.output).figures, try RunFigures(whole.output).figures)
      #expect(figures.display.drawnBy == "memory" && figures.frames.count == 60)
      #expect(figures.frameDigest == expected.frameDigest)
      let difference = Screenshot.difference(
        try Screenshot.read(output.path(of: "failed.png"), width: 640, height: 480),
        try Screenshot.read(output.path(of: "whole.png"), width: 640, height: 480))
      #expect(difference == (largest: 0, pixels: 0))
    }

    @Test("No emoji is unpacked on the thread that draws, as FreeType's caller counts and as is counted from within")
    func emoji() throws {
      struct Report: Decodable {
        struct Text: Decodable {
          var emojiUnpacked: Int
          var emojiUnpackedOnRenderThread: Int
        }
        var text: Text?
        var frameDigest: String?
      }
      let options = [
        "--demo", "emoji", "--headless", "--clock", "virtual", "--size", "640x480", "--scroll", "jump", "--duration",
        "2", "--report", "-",
      ]
      let (end, calls) = try DoorShim().end(options)
      try #require(end.status == 0, "\(end)")
      let report = try JSONDecoder().decode(Report.self, from: Data(end.output))
      // Without the font there are none in colour.
      guard let text = report.text else { return }
      #expect(text.emojiUnpacked > 50 && text.emojiUnpackedOnRenderThread == 0)
      #expect(calls["FT_Load_Glyph_colour"] == DoorShim.Calls(drawing: 0, others: text.emojiUnpacked))
      let again = try VitrineRun.end(options)
      #expect(try JSONDecoder().decode(Report.self, from: Data(again.output)).frameDigest == report.frameDigest)
    }

    @Test("SDL2_image is handed no foreign byte: it reads no picture, and writes the screenshot")
    func noForeignBytes() throws {
      let folder = try DigestTests.library(count: 12)
      let output = try TemporaryFolder()
      let (end, calls) = try DoorShim().end(
        VitrineRun.smallWindow + [
          "--headless", "--clock", "virtual", "--frames", "40", "--no-cache", "--report", "-", "--screenshot",
          output.path(of: "shot.png"),
        ], on: folder)
      try #require(end.status == 0, "\(end)")
      #expect(try RunFigures(end.output).figures.images.decoded > 10)
      let readers = calls.filter { $0.key.hasPrefix("IMG_Load") }
      #expect(readers.count > 10 && readers.values.allSatisfy { $0 == DoorShim.Calls() }, "\(readers)")
      #expect(calls["IMG_SavePNG_RW"] == DoorShim.Calls(drawing: 1, others: 0))
    }
  }
}
