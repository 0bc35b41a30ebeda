import Foundation
import Testing

extension Scenarios {
  @Suite(
    "The program's calls into its libraries, counted by a preloaded library",
    .enabled(if: LibraryCallCounter.isBuildable, "gcc is not installed"))
  struct LibraryCallTests {
    private static let run = ["--headless"] + windowRun
    private static let windowRun =
      VitrineRun.smallWindow + [
        "--clock", "virtual", "--synthetic", "400", "--scroll", "steady:300", "--frames", "60",
        "--no-cache", "--report", "-",
      ]

    @Test(
      "A headless run draws through SDL_Renderer, and the memory renderer does not call it",
      arguments: [([], "sdl"), (["--renderer", "software"], "sdl"), (["--renderer", "memory"], "memory")])
    func headless(options: [String], drawnBy: String) throws {
      let (result, calls) = try LibraryCallCounter().run(Self.run + options)
      try #require(result.status == 0 && result.errorOutput.isEmpty, "\(result)")
      let display = try RunFigures(result.output).figures.display
      #expect(display.drawnBy == drawnBy && display.renderer == "software")
      for name in ["SDL_CreateTexture", "SDL_RenderCopy", "SDL_RenderFillRect", "SDL_RenderPresent"] {
        let count = try #require(calls[name])
        #expect(count.otherThreads == 0 && (count.renderThread > 0) == (drawnBy == "sdl"), "\(name) \(count)")
      }
      // A frame of forty cells copies an image and a caption for each cell, and creates each texture only once.
      if drawnBy == "sdl" {
        let (made, copied) = (calls["SDL_CreateTexture"]?.renderThread ?? 0, calls["SDL_RenderCopy"]?.renderThread ?? 0)
        #expect(copied > 60 * 40 && made < copied / 4, "\(made) \(copied)")
      }
    }

    @Test(
      "A renderer that fails during a run is replaced by the next one, with one message, and no frame is lost",
      arguments: ["SDL_RenderCopy:900", "SDL_CreateTexture:90", "SDL_RenderPresent:30", "SDL_RenderFillRect:100"])
    func failure(failure: String) throws {
      let output = try TemporaryFolder()
      let counter = try LibraryCallCounter()
      let (failed, _) = try counter.run(Self.run + ["--screenshot", output.path(of: "failed.png")], failure: failure)
      let whole = try VitrineRun.run(Self.run + ["--renderer", "memory", "--screenshot", output.path(of: "whole.png")])
      try #require(failed.status == 0 && whole.status == 0, "\(failed) \(whole)")
      #expect(failed.errorLines.count == 1, "\(failed)")
      #expect(failed.errorOutput.contains("SDL's software renderer failed") && failed.errorOutput.contains("injected"))
      let (figures, expected) = (try RunFigures(failed.output).figures, try RunFigures(whole.output).figures)
      #expect(figures.display.drawnBy == "memory" && figures.display.rendererReason?.contains("injected") == true)
      #expect(figures.frames.count == 60 && figures.frameDigest == expected.frameDigest)
      let difference = Screenshot.difference(
        try Screenshot.read(output.path(of: "failed.png"), width: 640, height: 480),
        try Screenshot.read(output.path(of: "whole.png"), width: 640, height: 480))
      #expect(difference == (largest: 0, pixels: 0))
    }

    @Test(
      "OpenGL that fails during a run is replaced by the memory renderer in the same window",
      .enabled(if: XServer.isInstalled, "Xvfb and xdotool are not installed"))
    func hardwareFailure() throws {
      let output = try TemporaryFolder()
      let (failed, calls) = try LibraryCallCounter().run(
        Self.windowRun + ["--renderer", "opengl", "--screenshot", output.path(of: "failed.png")],
        display: try XServer(), failure: "SDL_RenderCopy:900")
      let whole = try VitrineRun.run(Self.run + ["--renderer", "memory", "--screenshot", output.path(of: "whole.png")])
      try #require(failed.status == 0 && whole.status == 0, "\(failed) \(whole)")
      // The failed call is the second of two attempts.
      #expect(calls["SDL_RenderCopy"]?.renderThread == 901)
      #expect(failed.errorLines.count == 1 && failed.errorOutput.contains("OpenGL failed"), "\(failed)")
      let (figures, expected) = (try RunFigures(failed.output).figures, try RunFigures(whole.output).figures)
      #expect(figures.display.drawnBy == "memory" && figures.frames.count == 60)
      #expect(figures.frameDigest == expected.frameDigest)
      let difference = Screenshot.difference(
        try Screenshot.read(output.path(of: "failed.png"), width: 640, height: 480),
        try Screenshot.read(output.path(of: "whole.png"), width: 640, height: 480))
      #expect(difference == (largest: 0, pixels: 0))
    }

    @Test(
      "No emoji is decoded on the render thread, by the preloaded library's count and by the report",
      .enabled(if: BuiltProgram.hasExamples, "the package Examples is not built"))
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
      let (result, calls) = try LibraryCallCounter().run(options)
      try #require(result.status == 0, "\(result)")
      let report = try JSONDecoder().decode(Report.self, from: Data(result.output))
      // Without the font there are no colour emoji.
      guard let text = report.text else { return }
      #expect(text.emojiUnpacked > 50 && text.emojiUnpackedOnRenderThread == 0)
      #expect(
        calls["FT_Load_Glyph_colour"] == LibraryCallCounter.Calls(renderThread: 0, otherThreads: text.emojiUnpacked))
      let again = try VitrineRun.run(options)
      #expect(try JSONDecoder().decode(Report.self, from: Data(again.output)).frameDigest == report.frameDigest)
    }

    @Test("SDL2_image reads no images, and writes the screenshot")
    func sdlImage() throws {
      let folder = try TemporaryFolder.photoLibrary(count: 12)
      let output = try TemporaryFolder()
      let (result, calls) = try LibraryCallCounter().run(
        VitrineRun.smallWindow + [
          "--headless", "--clock", "virtual", "--frames", "40", "--no-cache", "--report", "-", "--screenshot",
          output.path(of: "shot.png"),
        ], on: folder)
      try #require(result.status == 0, "\(result)")
      #expect(try RunFigures(result.output).figures.images.decoded > 10)
      let readers = calls.filter { $0.key.hasPrefix("IMG_Load") }
      #expect(readers.count > 10 && readers.values.allSatisfy { $0 == LibraryCallCounter.Calls() }, "\(readers)")
      #expect(calls["IMG_SavePNG_RW"] == LibraryCallCounter.Calls(renderThread: 1, otherThreads: 0))
    }
  }
}

/// A preloaded library that counts calls into SDL, FreeType and SDL2_image, and can make a call of SDL fail.
private struct LibraryCallCounter {
  /// The number of calls of a function.
  struct Calls: Equatable {
    /// The calls on the render thread.
    var renderThread = 0
    /// The calls on all other threads.
    var otherThreads = 0
  }

  private static let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "scripts/observe.d/library_call_shim.c").path
  private let folder: TemporaryFolder

  /// Whether a compiler is installed.
  static var isBuildable: Bool { BuiltProgram.isInstalled("gcc") }

  /// Compiles the library.
  init() throws {
    folder = try TemporaryFolder()
    let result = try ChildProcess(
      [
        "gcc", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", folder.path(of: "shim.so"),
        LibraryCallCounter.source, "-ldl",
      ].map { Array($0.utf8) }, environment: BuiltProgram.environment(home: folder.path)
    ).waitForExit(within: .seconds(120))
    try #require(result.status == 0, "\(result)")
  }

  /// Runs the program until it exits.
  ///
  /// - Parameter failure: A function and the number of its first call that fails, such as `SDL_RenderCopy:200`.
  ///   Default: none.
  /// - Returns: The result of the process, and the calls by function name.
  func run(
    _ options: [String], on pictures: TemporaryFolder? = nil, display: XServer? = nil, failure: String? = nil
  ) throws -> (result: ProcessResult, calls: [String: Calls]) {
    var environment = ["LD_PRELOAD": folder.path(of: "shim.so"), "VITRINE_LIBRARY_CALL_LOG": folder.path(of: "log")]
    environment["VITRINE_LIBRARY_CALL_FAIL"] = failure
    let result = try VitrineRun(options, on: pictures, display: display, environment: environment).waitForExit()
    var calls: [String: Calls] = [:]
    let log = try String(contentsOfFile: folder.path(of: "log"), encoding: .utf8)
    for line in log.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 3, let renderThread = Int(words[1]), let otherThreads = Int(words[2]) else { continue }
      calls[String(words[0])] = Calls(renderThread: renderThread, otherThreads: otherThreads)
    }
    return (result, calls)
  }
}
