import ExampleSupport
import FramePacing
import Hosting
import ImagePipeline
import PictureServer
import Views

/// All six steps, one after the other, on the same scroll, by the time that the thread that draws has really worked.
struct Story {
  private let settings: DestinationsSettings
  private let surroundings: ProgramContext

  /// Prepares the runs: headless, on the cpu clock, scrolled as told or by flicks.
  init(_ settings: DestinationsSettings, in surroundings: ProgramContext) {
    var settings = settings
    settings.hosting.isHeadless = true
    settings.hosting.clock = settings.hosting.clock.isSimulated ? settings.hosting.clock : .cpu
    if settings.hosting.script == nil, settings.hosting.steps.isEmpty {
      settings.hosting.script = .flick(speed: 5_000)
    }
    settings.hosting.duration = settings.hosting.duration ?? 8
    settings.hosting.report = nil
    self.settings = settings
    self.surroundings = surroundings
  }

  /// Runs the steps.
  ///
  /// - Returns: what each came to; fewer where a signal came.
  func run() throws -> [StoryChapter] {
    let shelf = try PictureShelf.open(settings)
    defer { shelf.close() }
    surroundings.interrupt.addHandler { shelf.stopPainting() }
    // What painting costs is no step's fault.
    do throws(HostError) {
      try shelf.waitUntilPainted()
    } catch {
      if surroundings.interrupt.isRaised { return [] }
      throw error
    }
    var chapters: [StoryChapter] = []
    for step in Step.allCases {
      guard !surroundings.interrupt.isRaised, let chapter = try chapter(of: step, shelf) else { break }
      chapters.append(chapter)
    }
    return chapters
  }

  /// Runs a step: the program as `--step` shows it, with a trace of its own where traces are wanted.
  private func chapter(of step: Step, _ shelf: PictureShelf) throws -> StoryChapter? {
    var settings = settings
    settings.step = step
    settings.hosting.trace = settings.hosting.trace.map { OutputFile.path(beside: $0, named: "step-\(step.rawValue)") }
    try settings.validate()
    let host = try surroundings.openHost(settings.hosting, title: DestinationsExample.title)
    defer { host.close() }
    let example = try DestinationsExample(settings, host: host, shelf: shelf)
    defer { example.end() }
    guard try example.run(on: host, theme: settings.theme) == 0, let loop = example.loop else { return nil }
    let history = loop.history
    guard let hitchRatio = history.hitchRatio else {
      throw HostError("--story: nothing was scrolled, so there is nothing to compare")
    }
    var chapter = StoryChapter(step: step)
    if loop.costVisibility != .none {
      chapter.hitchRatio = hitchRatio
      chapter.longestHitch = history.worstHitches.first?.hitch.milliseconds ?? 0
    }
    chapter.placeholderTime = example.placeholderTime.cellMilliseconds
    chapter.decodedOnRenderThread = example.pipeline.statistics.decodedOnRenderThread
    return chapter
  }
}

extension DestinationsExample {
  /// Tells the story, where that is asked for.
  static func perform(_ settings: DestinationsSettings, in surroundings: ProgramContext) throws -> Int32? {
    guard settings.tellsStory else { return nil }
    let text = StoryText(chapters: try Story(settings, in: surroundings).run())
    if let destination = settings.hosting.report {
      do throws(OutputError) {
        let file = try OutputFile(destination)
        try file.write(text.json.utf8)
        try file.close()
      } catch {
        throw HostError("--report \(destination): \(error)")
      }
    }
    if settings.hosting.report != "-" { try surroundings.console.print(text.table, for: "--story") }
    return surroundings.interrupt.isRaised ? 130 : 0
  }
}
