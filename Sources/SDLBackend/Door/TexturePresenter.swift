import CSDL2
import Geometry
import Rendering

/// Shows pixels by a texture of the hardware's: on Wayland, where the surface that SDL 2.26 gives a window has a pixel a point
/// at any scale.
nonisolated final class TexturePresenter: FramePresenter {
  private let window: WindowReference
  private var renderer: OpaquePointer?
  private var texture: OpaquePointer?
  /// The texture's.
  private var extent = PixelRect.zero

  /// Makes a presenter of a window that nobody else draws into, and that is not shown yet: SDL makes the window anew for it.
  ///
  /// Nothing waits for the refresh: frames are paced by whoever makes them. The C functions are `SDL_CreateRenderer` and those
  /// that name renderers.
  /// - Throws: ``DisplayError`` when SDL has no OpenGL to give.
  init(window: WindowReference) throws(DisplayError) {
    self.window = window
    let wanted = [RendererDriver.opengl, .opengles2].map(\.rawValue)
    for index in 0..<max(0, SDL_GetNumRenderDrivers()) where renderer == nil {
      var information = SDL_RendererInfo()
      guard SDL_GetRenderDriverInfo(index, &information) == 0, let name = information.name,
        wanted.contains(String(cString: name))
      else { continue }
      renderer = SDL_CreateRenderer(window.pointer, index, SDL_RENDERER_ACCELERATED.rawValue)
    }
    if renderer == nil { throw DisplayError.fromSDL("show what is drawn in software") }
  }

  deinit { close() }

  var outputSize: PixelRect { window.pixelExtent }

  /// What could not be shown is shown with the next frame.
  var hasFailed: Bool { false }

  func setCanvas(_ canvas: Canvas) {}

  func waitUntilRead() {}

  /// Copies rectangles to the texture, all of it where that is a new one, and shows it.
  ///
  /// The C functions are `SDL_CreateTexture`, `SDL_UpdateTexture`, `SDL_RenderSetViewport`, `SDL_RenderCopy` and
  /// `SDL_RenderPresent`.
  func show(_ parts: UnsafeBufferPointer<PixelRect>, of canvas: Canvas) -> Bool {
    guard let renderer else { return false }
    if texture == nil || extent != canvas.extent {
      guard makeTexture(of: canvas.extent, renderer), updateTexture(canvas.extent, of: canvas) else { return false }
    } else {
      for part in parts where !updateTexture(part.intersection(extent), of: canvas) { return false }
    }
    guard SDL_RenderCopy(renderer, texture, nil, nil) == 0 else { return false }
    SDL_RenderPresent(renderer)
    return true
  }

  private func makeTexture(of extent: PixelRect, _ renderer: OpaquePointer) -> Bool {
    if let texture { SDL_DestroyTexture(texture) }
    texture = SDL_CreateTexture(
      renderer, SDL_PIXELFORMAT_RGB888.rawValue, Int32(SDL_TEXTUREACCESS_STREAMING.rawValue), extent.width,
      extent.height)
    self.extent = extent
    // All of the window, as it is now: SDL does not notice another scale alone.
    SDL_RenderSetViewport(renderer, nil)
    return texture != nil
  }

  private func updateTexture(_ part: PixelRect, of canvas: Canvas) -> Bool {
    guard !part.isEmpty else { return true }
    let plane = canvas.plane
    var rect = SDL_Rect(x: part.x, y: part.y, w: part.width, h: part.height)
    let source = plane.start + Int(part.y) * plane.bytesPerRow + Int(part.x) * 4
    return SDL_UpdateTexture(texture, &rect, source, Int32(plane.bytesPerRow)) == 0
  }

  /// The C functions are `SDL_DestroyTexture` and `SDL_DestroyRenderer`.
  func close() {
    if let texture { SDL_DestroyTexture(texture) }
    if let renderer { SDL_DestroyRenderer(renderer) }
    texture = nil
    renderer = nil
  }
}
