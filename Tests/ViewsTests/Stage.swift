import FramePacing
import Geometry
import Rendering
import Views

/// A window on a recording display and a virtual clock, as tests need it.
final class Stage {
  let display: RecordingDisplay
  let clock = SimulatedClock(kind: .virtual)
  let events: ScriptedEventSource
  let resources: RenderResources
  let window: Window
  let loop: CommitLoop

  init(root: View, size: Size = Size(width: 400, height: 300), scale: DisplayScale = .one) {
    display = RecordingDisplay(size: size, scale: scale, keptFrames: 1_000)
    let clock = clock
    events = ScriptedEventSource(now: { clock.now() })
    resources = RenderResources(display: display, text: BlockTextRasterizer())
    window = Window(root: root, resources: resources)
    loop = CommitLoop(
      window: window, display: display, events: events, clock: clock,
      pacing: LoopPacing(kind: .virtual, interval: .milliseconds(16), isMeasured: false, reason: "test"))
    window.resize(to: size)
  }

  func run(frames: Int) { _ = loop.run(LoopLimits(frames: frames)) }

  func run(milliseconds: Double) { _ = loop.run(LoopLimits(duration: .milliseconds(milliseconds))) }
}

/// A bitmap of one colour.
func bitmap(_ side: Int, _ color: Color) throws -> Bitmap {
  struct NoSize: Error {}
  guard let size = PixelSize(width: side, height: side) else { throw NoSize() }
  return try Bitmap(size: size, isOpaque: color.alpha == 255) { pixels in
    pixels.bindMemory(to: UInt32.self).update(repeating: UInt32(littleEndian: color.packed))
  }
}
