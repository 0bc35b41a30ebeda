import CVitrineSDL2
import VitrineGeometry
import VitrinePainting
import VitrineRendering

/// A presenter that copies pixels to a hardware texture.
///
/// It is for Wayland, where SDL 2.26's window surface has one pixel per point at any scale.
nonisolated final class TexturePresenter: FramePresenter {
  private let window: WindowReference
  private var renderer: OpaquePointer?
  private var texture: OpaquePointer?
  /// The size of the texture.
  private var extent = PixelRect.zero

  /// Creates a presenter for a hidden window without a renderer.
  ///
  /// SDL recreates the window.
  ///
  /// Without vertical synchronisation, because the caller paces the frames. The C functions are `SDL_CreateRenderer`
  /// and those that list render drivers.
  /// - Throws: ``DisplayError`` if SDL has no OpenGL renderer.
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

  /// Always false, because a failed frame is shown with the next one.
  var hasFailed: Bool { false }

  func setCanvas(_ canvas: Canvas) {}

  func waitUntilRead() {}

  /// Copies rectangles to the texture, or everything if the texture is new, and shows it.
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
    // The whole window at its current size, because SDL ignores a change of the scale alone.
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

  /// Destroys the texture and the renderer, using `SDL_DestroyTexture` and `SDL_DestroyRenderer`.
  func close() {
    if let texture { SDL_DestroyTexture(texture) }
    if let renderer { SDL_DestroyRenderer(renderer) }
    texture = nil
    renderer = nil
  }
}
