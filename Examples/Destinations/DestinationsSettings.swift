import ExampleSupport
import Foundation
import PictureServer
import VitrineDiagnostics
import VitrineHosting

/// The settings of the destinations example.
struct DestinationsSettings: ExampleSettings {
  var common = DiagnosticOptions()
  /// The number and speed of the decoders.
  var decoding = DecodingOptions()
  var theme = ExampleTheme.dark
  /// The step of the way to the finished program.
  var step = Step.prefetchingData
  /// Whether the command line specifies a step.
  var isStepGiven = false
  /// Whether all steps are run and compared, in place of showing one.
  var comparesSteps = false
  /// The number of posts.
  var count = 240
  /// The behavior of the server.
  var server = ServerConfiguration()
  /// The folder of the server's pictures, or nil to generate them.
  var folder: String?
  /// The total number of likes per second.
  var likeRate = 3.0
  /// The number of generated pictures, which repeat after the last one.
  var generatedCount = 18
  /// The longer side of a generated picture, in pixels.
  var generatedLongSide = 2_000

  init() { server.latency = 250 }

  mutating func validate() throws(UsageError) {
    if comparesSteps {
      let isRepeatable = common.record == nil && common.replay == nil && common.trace != "-"
      if !isRepeatable || hosting.screenshot != nil || hosting.frames != nil || common.frameLog != nil {
        throw UsageError(
          "--story runs six times; accepted with it are --report, --trace FILE, --duration, --scroll and what is shown")
      }
      if hosting.clock == .timer || hosting.clock == .vsync {
        throw UsageError("--story compares what the thread that draws has worked; accepted are --clock cpu and virtual")
      }
      if isStepGiven { throw UsageError("--story shows all steps; it cannot be combined with --step") }
      if server.mode != .usual || server.failurePercentage > 0 {
        throw UsageError("--story compares what pictures cost; give neither --server nor --failures with it")
      }
    }
    if server.mode == .slow, hosting.clock.isSimulated {
      throw UsageError(
        "--server slow ends downloads by the time that they really take; accepted with it are --clock auto, timer, vsync"
      )
    }
    server.seed = hosting.seed
  }

  static let options: [CommandOption<DestinationsSettings>] =
    exampleOptions + DecodingOptions.table.map { $0.scoped(to: \.decoding) }

  private static let exampleOptions: [CommandOption<DestinationsSettings>] = [
    CommandOption(
      "--step", "1..6",
      "the way there: 1 decode in the handler, 2 set the captured cell, 3 reconfigure, 4 prepare, 5 prefetch cells, "
        + "6 prefetch data (default)"
    ) { (settings, text) throws(UsageError) in
      settings.isStepGiven = true
      settings.step = Step(rawValue: try OptionValue.integer(text, of: "--step", in: 1...6)) ?? settings.step
    },
    CommandOption(switch: "--story", "run all six steps headless on the cpu clock and compare them in a table") {
      $0.comparesSteps = true
    },
    CommandOption("--posts", "N", "posts (default 240)") { (settings, text) throws(UsageError) in
      settings.count = try OptionValue.integer(text, of: "--posts", in: 0...1_000_000)
    },
    CommandOption("--pictures", "DIR", "give the pictures of a folder, and not painted ones") {
      (settings, text) throws(UsageError) in settings.folder = try OptionValue.path(text, of: "--pictures")
    },
    CommandOption("--latency", "MS", "what the server takes to answer, up to 5000 (default 250)") {
      (settings, text) throws(UsageError) in
      settings.server.latency = try OptionValue.number(text, of: "--latency", in: 0...5_000)
    },
    CommandOption("--failures", "PERCENT", "how many of a hundred pictures the server does not find (default 0)") {
      (settings, text) throws(UsageError) in
      settings.server.failurePercentage = try OptionValue.number(text, of: "--failures", in: 0...100)
    },
    CommandOption(
      "--server", "MANNER", "how it answers: usual (default), absent, slow, failing, html, truncated or hostile"
    ) { (settings, text) throws(UsageError) in
      settings.server.mode = try OptionValue.choice(text, of: "--server")
    },
    CommandOption("--likes", "RATE", "likes a second, counted up live (default 3)") {
      (settings, text) throws(UsageError) in
      settings.likeRate = try OptionValue.number(text, of: "--likes", in: 0...1_000)
    },
  ]
}

/// The steps from a naive list to a smooth one; each is a configuration of the program.
nonisolated enum Step: Int, CaseIterable, Sendable {
  /// The cell's handler decodes the picture: it appears without delay, and the frame is late.
  case decodingInTheHandler = 1
  /// The picture is downloaded and set on the captured cell, which may show another post by then.
  case settingTheCapturedCell
  /// The picture is downloaded and the post reconfigured; the picture is decoded when it is shown.
  case reconfiguring
  /// The picture is prepared in another process before the post is reconfigured.
  case preparing
  /// Cells are prepared before they become visible.
  case prefetchingCells
  /// Downloads start before cells are prepared.
  case prefetchingData

  /// A short name for the window and the table.
  var title: String {
    switch self {
    case .decodingInTheHandler: "decode in the handler"
    case .settingTheCapturedCell: "set the captured cell"
    case .reconfiguring: "reconfigure, undecoded"
    case .preparing: "prepare off the render thread"
    case .prefetchingCells: "prefetch cells"
    case .prefetchingData: "prefetch data"
    }
  }

  /// Whether pictures are decoded on the render thread.
  var decodesInPlace: Bool { self <= .reconfiguring }
  /// Whether cells are prepared before they become visible.
  var prefetchesCells: Bool { self >= .prefetchingCells }
  /// Whether downloads start before cells are prepared.
  var prefetchesData: Bool { self >= .prefetchingData }
}

nonisolated extension Step: Comparable {
  static func < (lhs: Step, rhs: Step) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension PictureCatalog {
  /// Opens the catalog that the settings specify: the files of a folder, or pictures that are generated in the
  /// background.
  ///
  /// - Throws: `UsageError` if the folder contains no pictures, or `ThreadError`.
  static func open(_ settings: DestinationsSettings) throws -> PictureCatalog {
    guard let folder = settings.folder else {
      let catalog = PictureCatalog(
        generating: settings.generatedCount, seed: settings.hosting.seed, longSide: settings.generatedLongSide)
      // An interactive window leaves a core to the render thread.
      let isUserInteractionEnabled = !settings.comparesSteps && !settings.hosting.clock.isSimulated
      let cores = ProcessInfo.processInfo.activeProcessorCount
      try catalog.startGenerating(threadCount: max(1, isUserInteractionEnabled ? cores - 1 : cores))
      return catalog
    }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw UsageError("--pictures \(folder): no such folder; a folder of JPEG, PNG or WebP files is accepted")
    }
    let files = names.sorted().filter { name in
      ["jpg", "jpeg", "png", "webp"].contains(URL(fileURLWithPath: name).pathExtension.lowercased())
    }.compactMap { CatalogFile(path: folder + "/" + $0) }
    guard !files.isEmpty else {
      throw UsageError("--pictures \(folder): no pictures in it; a folder of JPEG, PNG or WebP files is accepted")
    }
    return PictureCatalog(files: files)
  }

  /// Waits until all pictures are generated.
  ///
  /// - Throws: `HostError` if they cannot be generated, or if the catalog is closed.
  func waitUntilGenerated() throws(HostError) {
    guard !waitForAll() else { return }
    throw HostError("no pictures could be painted: \(failure ?? "interrupted")")
  }
}
