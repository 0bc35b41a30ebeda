import CSDL2
import Geometry
import Rendering

nonisolated extension RendererHandle {
  /// Clears a rectangle to a colour, draws a list in its order, cut to the rectangle, and flushes.
  ///
  /// A copy that is not pixel for pixel is cut as in the whole frame, as its look depends on that: the rectangle is to
  /// have all that shows of it. The C functions are those of painting a whole frame.
  func repaint(
    _ part: PixelRect, _ commands: UnsafeBufferPointer<DrawCommand>, background: Color, textures: TextureSlots,
    pixels: WindowPixels
  ) {
    var target = SDL_Rect(part)
    SDL_RenderSetClipRect(pointer, &target)
    pixels.fill(part, background)
    _ = draw(commands, within: part, textures: textures, pixels: pixels)
  }

  /// Clears to a colour, draws a list in its order and flushes; the number of commands whose texture is gone comes back.
  ///
  /// The C functions are `SDL_RenderClear`, `SDL_RenderFillRect`, `SDL_RenderCopy`, `SDL_RenderSetClipRect` and
  /// `SDL_RenderFlush`. Commands that lie outside what can be seen cost a comparison.
  ///
  /// - Parameter pixels: the window's memory, where this renderer draws into that.
  func paint(
    _ commands: UnsafeBufferPointer<DrawCommand>, background: Color, textures: TextureSlots, pixels: WindowPixels?
  ) -> Int {
    SDL_RenderSetClipRect(pointer, nil)
    if let pixels {
      pixels.fill(pixels.extent, background)
    } else {
      SDL_SetRenderDrawColor(pointer, background.red, background.green, background.blue, 255)
      SDL_RenderClear(pointer)
    }
    return draw(commands, within: nil, textures: textures, pixels: pixels)
  }

  /// Draws a list over what is there; the number of commands whose texture is gone comes back.
  private func draw(
    _ commands: UnsafeBufferPointer<DrawCommand>, within part: PixelRect?, textures: TextureSlots,
    pixels: WindowPixels?
  ) -> Int {
    let whole = pixels?.extent ?? outputSize
    let limit = part ?? whole
    // The list's clip, and as much of it as is drawn.
    var clip = whole
    var visible = limit
    var fill = Color.black
    var isFillBlending = false
    var stale = 0
    SDL_SetRenderDrawBlendMode(pointer, SDL_BLENDMODE_NONE)
    SDL_SetRenderDrawColor(pointer, fill.red, fill.green, fill.blue, fill.alpha)
    for command in commands {
      switch command.kind {
      case .fill:
        let place = visible.intersection(command.destination)
        guard !place.isEmpty else { continue }
        // In software each call draws at once, so that filling between them keeps the order.
        if let pixels, !command.isBlended {
          pixels.fill(place, command.color)
          continue
        }
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
        guard part == nil || !visible.intersection(command.destination).isEmpty,
          let copy = ScaledCopy(
            source: command.source, destination: command.destination, bitmap: size, visible: clip)
        else { continue }
        let texture = textures.prepare(command.texture, tint: command.color, isBlended: command.isBlended)
        var source = SDL_Rect(copy.source)
        var target = SDL_Rect(copy.destination)
        SDL_RenderCopy(pointer, texture, &source, &target)
      case .clip:
        clip = whole.intersection(command.destination)
        visible = limit.intersection(clip)
        var target = SDL_Rect(visible)
        SDL_RenderSetClipRect(pointer, &target)
      case .endClip:
        clip = whole
        visible = limit
        if part == nil {
          SDL_RenderSetClipRect(pointer, nil)
        } else {
          var target = SDL_Rect(visible)
          SDL_RenderSetClipRect(pointer, &target)
        }
      }
    }
    SDL_RenderFlush(pointer)
    return stale
  }
}

extension SDL_Rect {
  @inline(__always)
  fileprivate nonisolated init(_ rect: PixelRect) { self.init(x: rect.x, y: rect.y, w: rect.width, h: rect.height) }
}
