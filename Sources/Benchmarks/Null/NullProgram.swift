import BenchmarkSupport
import FramePacing
import Geometry
import SDLBackend
import Views

/// `bench null`: the paced loop with nothing to do, for how late the machine alone makes frames.
@MainActor
struct NullProgram {
  /// Asks for every frame, as if something moved.
  private final class Mover: FrameParticipant {
    var needsFrames: Bool { true }
    var isTracked: Bool { true }
  }

  private let options: NullOptions

  init(_ options: NullOptions) { self.options = options }

  /// Runs the loop for its time and tells in one line how late its frames were.
  ///
  /// - Throws: `DisplayError` where SDL's dummy display cannot be opened.
  func run() throws {
    // As the gallery does.
    _ = FrameThreadScheduling()
    let size = Size(width: 1_280, height: 800)
    let display = try SDLDisplay(
      configuration: SDLDisplayConfiguration(title: "Nothing", size: size, isHeadless: true, renderer: .memory))
    defer { display.close() }
    let window = Window(root: View(), resources: RenderResources(display: display, text: display.textRasterizer))
    let loop = CommitLoop(
      window: window, display: display, events: display.events, clock: MonotonicClock(),
      pacing: LoopPacing(
        kind: .timer, interval: .seconds(1 / Double(options.refreshRate)), isMeasured: false, reason: "a null loop"))
    window.addParticipant(Mover())
    window.resize(to: size)
    _ = loop.run(LoopLimits(duration: .seconds(Double(options.seconds))))
    Output.line(NullReading(loop.history).line)
  }
}
