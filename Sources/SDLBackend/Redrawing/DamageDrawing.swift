import Geometry
import Rendering

/// Draws of a window's frames what differs, as long as the last frame's pixels are known to be there.
///
/// Knows nothing of what moves; ``FrameComparison`` finds that. Whenever something is not certain, it declines, and the
/// frame is to be drawn whole.
nonisolated final class DamageDrawing {
  /// How frames were drawn.
  private(set) var statistics = RedrawStatistics()

  private let comparison = FrameComparison()
  /// The memory that was tried last, and whether the renderer draws into it.
  private var pixels: WindowPixels?
  private var isLive = false

  /// Forgets the last frame: its pixels may be lost.
  func forget() { comparison.forget() }

  /// Brings the window from the last frame to this one, or declines and leaves it to be drawn whole.
  func draw(_ list: DisplayList, background: Color, on stage: borrowing SDLStage) -> Bool {
    guard let memory = livePixels(of: stage), stage.textures.slots.areLive(list.commands) else {
      comparison.forget()
      statistics.wholeFrames += 1
      return false
    }
    guard case .parts(let move) = comparison.compare(list, background: background, output: memory.extent) else {
      statistics.wholeFrames += 1
      return false
    }
    if let move {
      move.apply(to: memory.start, bytesPerRow: memory.bytesPerRow)
      statistics.movedFrames += 1
    } else {
      statistics.partialFrames += 1
    }
    for part in comparison.damage {
      stage.renderer.repaint(part, list.commands, background: background, textures: stage.textures.slots)
      statistics.damagedPixels += Int(part.width) * Int(part.height)
    }
    return true
  }

  /// The window's memory, tried whenever SDL has made it anew; nothing where the renderer draws elsewhere.
  private func livePixels(of stage: borrowing SDLStage) -> WindowPixels? {
    let now = WindowPixels(of: stage.window)
    if now != pixels {
      pixels = now
      isLive = now.map { stage.renderer.draws(into: $0, of: stage.window) } ?? false
      comparison.forget()
    }
    return isLive ? pixels : nil
  }
}
