import CSDL2
import Geometry
import Rendering

nonisolated extension RendererHandle {
  /// Clears to a colour, draws a list in its order and flushes.
  ///
  /// The C functions are `SDL_RenderClear`, `SDL_RenderFillRect`, `SDL_RenderCopy`, `SDL_RenderSetClipRect` and
  /// `SDL_RenderFlush`. Commands that lie outside what can be seen cost a comparison.
  ///
  /// - Parameter stretched: makes stretched copies where the renderer is not to.
  /// - Returns: the number of commands whose texture is gone.
  /// - Throws: ``DisplayError`` when SDL refuses a call; the frame is not to be shown then.
  func drawCommands(
    _ commands: UnsafeBufferPointer<DrawCommand>, background: Color, textures: TextureSlots,
    stretched: StretchedTextureCache?
  ) throws(DisplayError) -> Int {
    let whole = outputSize
    var clip = whole
    var fill = background
    var isFillBlending = false
    var stale = 0
    SDL_RenderSetClipRect(pointer, nil)
    SDL_SetRenderDrawBlendMode(pointer, SDL_BLENDMODE_NONE)
    fill.alpha = 255
    SDL_SetRenderDrawColor(pointer, fill.red, fill.green, fill.blue, fill.alpha)
    try throwIfFailed(SDL_RenderClear(pointer), "clear the frame")
    for command in commands {
      switch command.kind {
      case .fill:
        // Cut: SDL's single-precision numbers have no room for edges far outside.
        let rect = clip.intersection(command.destination)
        guard !rect.isEmpty else { continue }
        if command.color != fill {
          fill = command.color
          SDL_SetRenderDrawColor(pointer, fill.red, fill.green, fill.blue, fill.alpha)
        }
        if command.isBlended != isFillBlending {
          isFillBlending = command.isBlended
          SDL_SetRenderDrawBlendMode(pointer, isFillBlending ? SDL_BLENDMODE_BLEND : SDL_BLENDMODE_NONE)
        }
        var target = SDL_Rect(rect)
        try throwIfFailed(SDL_RenderFillRect(pointer, &target), "fill a rectangle")
      case .texture:
        guard textures.isLive(command.texture), let size = textures.size(of: command.texture) else {
          stale += 1
          continue
        }
        if let stretched, command.isStretched, let bitmap = textures.bitmap(of: command.texture) {
          try stretched.drawStretched(
            command, of: bitmap, isBlending: textures.isBlending(command), visible: clip, output: whole, on: self)
          continue
        }
        guard
          let copy = ScaledCopy(
            source: command.source, destination: command.destination, bitmap: size, visible: clip)
        else { continue }
        try textures.withHandle(command) { (handle) throws(DisplayError) in
          try self.copyTexture(handle, from: copy.source, to: copy.destination)
        }
      case .clip:
        clip = whole.intersection(command.destination)
        var target = SDL_Rect(clip)
        SDL_RenderSetClipRect(pointer, &target)
      case .endClip:
        clip = whole
        SDL_RenderSetClipRect(pointer, nil)
      }
    }
    try throwIfFailed(SDL_RenderFlush(pointer), "draw")
    stretched?.endFrame()
    return stale
  }

  /// Copies a part of a texture to a rectangle; the C function is `SDL_RenderCopy`.
  /// - Throws: ``DisplayError`` when SDL refuses.
  func copyTexture(_ texture: borrowing TextureHandle, from source: PixelRect, to target: PixelRect)
    throws(DisplayError)
  {
    var source = SDL_Rect(source)
    var target = SDL_Rect(target)
    try throwIfFailed(SDL_RenderCopy(pointer, texture.pointer, &source, &target), "copy a texture")
  }

  @inline(__always)
  private func throwIfFailed(_ status: Int32, _ action: StaticString) throws(DisplayError) {
    if status != 0 { throw DisplayError.fromSDL("\(action)") }
  }
}

extension SDL_Rect {
  @inline(__always)
  fileprivate nonisolated init(_ rect: PixelRect) { self.init(x: rect.x, y: rect.y, w: rect.width, h: rect.height) }
}
