import ExampleSupport
import Hosting
import PictureServer

/// What can be set of the destinations.
struct DestinationsSettings: ExampleSettings {
  var hosting = HostingOptions()
  /// Who decodes, and how fast.
  var decoding = DecodingOptions()
  var theme = ExampleTheme.dark
  /// How far the program has come on its way.
  var step = Step.prefetchingData
  /// Whether that was told.
  var isStepGiven = false
  /// Whether all steps are run and compared, instead of showing one.
  var tellsStory = false
  /// Posts.
  var count = 240
  /// How the server answers.
  var answering = ServerAnswering()
  /// Where the server's pictures are; painted where nothing is told.
  var folder: String?
  /// Likes a second, on the whole.
  var likeRate = 3.0
  /// Painted pictures, shown again and again.
  var paintedCount = 18
  /// The pixels of the longer side of a painted picture.
  var paintedSide = 2_000

  init() { answering.latency = 250 }

  mutating func validate() throws(UsageError) {
    if tellsStory {
      let isRepeatable = hosting.record == nil && hosting.replay == nil && hosting.trace != "-"
      if !isRepeatable || hosting.screenshot != nil || hosting.frames != nil
        || hosting.frameLog != nil
      {
        throw UsageError(
          "--story runs six times; accepted with it are --report, --trace FILE, --duration, --scroll and what is shown")
      }
      if hosting.clock == .timer || hosting.clock == .vsync {
        throw UsageError("--story compares what the thread that draws has worked; accepted are --clock cpu and virtual")
      }
      if isStepGiven { throw UsageError("--story tells of all steps; give no --step with it") }
      if answering.manner != .usual || answering.failurePercentage > 0 {
        throw UsageError("--story compares what pictures cost; give neither --server nor --failures with it")
      }
    }
    if answering.manner == .slow, hosting.clock.isSimulated {
      throw UsageError(
        "--server slow ends downloads by the time that they really take; accepted with it are --clock auto, timer, vsync"
      )
    }
    answering.seed = hosting.seed
  }

  static let options: [CommandOption<DestinationsSettings>] =
    own + DecodingOptions.table.map { $0.scoped(to: \.decoding) }

  private static let own: [CommandOption<DestinationsSettings>] = [
    CommandOption(
      "--step", "1..6",
      "the way there: 1 decode in the handler, 2 set the captured cell, 3 reconfigure, 4 prepare, 5 prefetch cells, "
        + "6 prefetch data (default)"
    ) { (settings, text) throws(UsageError) in
      settings.isStepGiven = true
      settings.step = Step(rawValue: try OptionValue.integer(text, of: "--step", in: 1...6)) ?? settings.step
    },
    CommandOption(switch: "--story", "run all six steps headless on the cpu clock and compare them in a table") {
      $0.tellsStory = true
    },
    CommandOption("--posts", "N", "posts (default 240)") { (settings, text) throws(UsageError) in
      settings.count = try OptionValue.integer(text, of: "--posts", in: 0...1_000_000)
    },
    CommandOption("--pictures", "DIR", "give the pictures of a folder, and not painted ones") {
      (settings, text) throws(UsageError) in settings.folder = try OptionValue.path(text, of: "--pictures")
    },
    CommandOption("--latency", "MS", "what the server takes to answer, up to 5000 (default 250)") {
      (settings, text) throws(UsageError) in
      settings.answering.latency = try OptionValue.number(text, of: "--latency", in: 0...5_000)
    },
    CommandOption("--failures", "PERCENT", "how many of a hundred pictures the server does not find (default 0)") {
      (settings, text) throws(UsageError) in
      settings.answering.failurePercentage = try OptionValue.number(text, of: "--failures", in: 0...100)
    },
    CommandOption(
      "--server", "MANNER", "how it answers: usual (default), absent, slow, failing, html, truncated or hostile"
    ) { (settings, text) throws(UsageError) in
      settings.answering.manner = try OptionValue.choice(text, of: "--server")
    },
    CommandOption("--likes", "RATE", "likes a second, counted up live (default 3)") {
      (settings, text) throws(UsageError) in
      settings.likeRate = try OptionValue.number(text, of: "--likes", in: 0...1_000)
    },
  ]
}
