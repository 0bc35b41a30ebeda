import BenchmarkSupport
import Glibc

/// `bench scroll --scene`: what a scene takes on a real display, both ways of drawing in turn.
@MainActor
struct SceneProgram {
  private let options: SceneOptions

  init(_ options: SceneOptions) { self.options = options }

  /// Makes one run, or all of them in processes of their own.
  func run() throws {
    if options.kind == .window, getenv("DISPLAY") == nil, getenv("WAYLAND_DISPLAY") == nil {
      throw CommandError(
        "--scene window needs a window system: set DISPLAY or WAYLAND_DISPLAY, or take --scene headless")
    }
    if let way = options.only {
      Output.line(try SceneRun(options, way).run().line)
      return
    }
    Output.line(
      "1280 x 800 points, six columns of pictures of 180 x 135 with a line of type, 2,000 points a second, "
        + "\(options.refreshRate) Hz, \(options.seconds) s a run after 60 frames; \(options.kind.rawValue).")
    Output.line("Processor time is the process's own, user's and system's; the parts of a frame are wall times.")
    var summary = SceneSummary()
    for _ in 0..<options.repeats {
      for size in options.sizes {
        for way in SceneWay.allCases { summary.add(try reading(way, size), way, size: size) }
      }
      if let peer = options.peer {
        for way in SceneWay.allCases { summary.addPeer(try time(of: peer, way), way) }
      }
    }
    for line in summary.table.lines { Output.line("  " + line) }
    if let line = summary.itemLine { Output.line("  " + line) }
    for line in summary.peerLines { Output.line("  " + line) }
  }

  private func time(of peer: String, _ way: SceneWay) throws(CommandError) -> Double {
    let arguments = [peer, way.peerWord, "\(options.refreshRate)", "\(options.seconds)"]
    guard let time = ChildProgram.output(arguments).flatMap(ScenePeer.time(in:)) else {
      throw CommandError("\(peer): it told no time")
    }
    return time
  }

  private func reading(_ way: SceneWay, _ size: Int) throws(CommandError) -> SceneReading {
    guard let text = OwnProgram.output(options.arguments(of: way, size: size)),
      let reading = text.split(separator: "\n").lazy.compactMap({ SceneReading(line: String($0)) }).first
    else { throw CommandError("the scene could not be shown (\(options.kind.rawValue), \(size) items)") }
    return reading
  }
}
