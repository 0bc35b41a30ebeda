import Geometry
import Rendering

/// Draws a window's frames in software: what differs, as long as the last frame's pixels are known to be there, else all.
///
/// Knows nothing of what moves; ``FrameComparison`` finds that. Whenever something is not certain the frame is drawn
/// whole.
nonisolated final class SoftwareDrawing {
  /// How frames were drawn.
  private(set) var statistics = RedrawStatistics()

  private let policy: RedrawPolicy
  private let comparison = FrameComparison()
  private let covers = CoverList()
  /// The memory that was tried last, and whether the renderer draws into it.
  private var plane: PixelPlane?
  private var isLive = false

  /// Makes the drawing of a window that shows nothing yet.
  init(_ policy: RedrawPolicy) { self.policy = policy }

  /// Forgets the last frame: its pixels may be lost.
  func forget() { comparison.forget() }

  /// Brings the window from the last frame to this one; the number of commands whose texture is gone comes back.
  func draw(_ list: DisplayList, background: Color, on stage: borrowing SDLStage) -> Int {
    guard let plane = livePlane(of: stage) else {
      statistics.wholeFrames += 1
      return stage.renderer.paint(list.commands, background: background, textures: stage.textures.slots)
    }
    if policy == .damage, drawParts(list, background, plane, on: stage) { return 0 }
    statistics.wholeFrames += 1
    return PlanePainter(plane, textures: stage.textures.slots, covers: covers)
      .paint(list.commands, background: background, renderer: stage.renderer)
  }

  /// Draws what differs, or declines and leaves the frame to be drawn whole.
  private func drawParts(
    _ list: DisplayList, _ background: Color, _ plane: PixelPlane, on stage: borrowing SDLStage
  ) -> Bool {
    // What a texture showed that is gone now is not told by the commands.
    guard stage.textures.slots.areLive(list.commands) else {
      comparison.forget()
      return false
    }
    guard case .parts(let move) = comparison.compare(list, background: background, output: plane.extent) else {
      return false
    }
    if let move {
      move.apply(to: plane.start, bytesPerRow: plane.bytesPerRow)
      statistics.movedFrames += 1
    } else {
      statistics.partialFrames += 1
    }
    let painter = PlanePainter(plane, textures: stage.textures.slots, covers: covers)
    for part in comparison.damage {
      painter.repaint(part, list.commands, background: background, renderer: stage.renderer)
      statistics.damagedPixels += Int(part.width) * Int(part.height)
    }
    return true
  }

  /// The window's memory, tried whenever SDL has made it anew; nothing where the renderer draws elsewhere.
  private func livePlane(of stage: borrowing SDLStage) -> PixelPlane? {
    let now = PixelPlane(of: stage.window)
    if now != plane {
      plane = now
      isLive = now.map { stage.renderer.draws(into: $0) } ?? false
      comparison.forget()
    }
    return isLive ? plane : nil
  }
}
