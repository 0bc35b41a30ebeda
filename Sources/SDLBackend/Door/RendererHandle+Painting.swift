import CSDL2
import Geometry
import Rendering

nonisolated extension RendererHandle {
  /// Clears to a colour, draws a list in its order and flushes; the number of commands whose texture is gone comes back.
  ///
  /// The C functions are `SDL_RenderClear`, `SDL_RenderFillRect`, `SDL_RenderCopy`, `SDL_RenderSetClipRect` and
  /// `SDL_RenderFlush`. Commands that lie outside what can be seen cost a comparison.
  func paint(
    _ commands: UnsafeBufferPointer<DrawCommand>, background: Color, textures: TextureSlots
  ) -> Int {
    let whole = outputSize
    var clip = whole
    var fill = background
    var isFillBlending = false
    var stale = 0
    SDL_RenderSetClipRect(pointer, nil)
    SDL_SetRenderDrawBlendMode(pointer, SDL_BLENDMODE_NONE)
    fill.alpha = 255
    SDL_SetRenderDrawColor(pointer, fill.red, fill.green, fill.blue, fill.alpha)
    SDL_RenderClear(pointer)
    for command in commands {
      switch command.kind {
      case .fill:
        guard !clip.intersection(command.destination).isEmpty else { continue }
        if command.color != fill {
          fill = command.color
          SDL_SetRenderDrawColor(pointer, fill.red, fill.green, fill.blue, fill.alpha)
        }
        if command.isBlended != isFillBlending {
          isFillBlending = command.isBlended
          SDL_SetRenderDrawBlendMode(pointer, isFillBlending ? SDL_BLENDMODE_BLEND : SDL_BLENDMODE_NONE)
        }
        var target = SDL_Rect(command.destination)
        SDL_RenderFillRect(pointer, &target)
      case .texture:
        guard textures.isLive(command.texture), let size = textures.size(of: command.texture) else {
          stale += 1
          continue
        }
        guard
          let copy = ScaledCopy(
            source: command.source, destination: command.destination, bitmap: size, visible: clip)
        else { continue }
        self.copy(copy, command, textures: textures)
      case .clip:
        clip = whole.intersection(command.destination)
        var target = SDL_Rect(clip)
        SDL_RenderSetClipRect(pointer, &target)
      case .endClip:
        clip = whole
        SDL_RenderSetClipRect(pointer, nil)
      }
    }
    SDL_RenderFlush(pointer)
    return stale
  }

  private func copy(_ copy: ScaledCopy, _ command: DrawCommand, textures: TextureSlots) {
    let texture = textures.prepare(command.texture, tint: command.color, isBlended: command.isBlended)
    var source = SDL_Rect(copy.source)
    var target = SDL_Rect(copy.destination)
    SDL_RenderCopy(pointer, texture, &source, &target)
  }
}

extension SDL_Rect {
  @inline(__always)
  fileprivate nonisolated init(_ rect: PixelRect) { self.init(x: rect.x, y: rect.y, w: rect.width, h: rect.height) }
}
