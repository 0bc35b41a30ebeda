import VitrineGeometry
import VitrineRendering

/// A renderer that draws each frame completely with SDL: OpenGL on graphics hardware, or SDL's software renderer.
nonisolated final class SDLFrameRenderer: FrameRenderer {
  let name: String
  let device: String?
  let requestsVsync: Bool
  let discardsFramesOnPresent: Bool
  let statistics = RedrawStatistics()
  let shareableChannelOrder: ChannelOrder? = nil

  /// The number of consecutive failed presents after which the renderer has failed.
  private static let maximumFailedPresents = 3

  private var renderer: RendererHandle?
  /// The stretched copies, if the renderer does not smooth them well enough, otherwise nil.
  private let stretchedTextures: StretchedTextureCache?
  private let layers = LayerTextures()
  private var failedPresents = 0
  private(set) var rendererError: DisplayError?

  /// Starts a renderer.
  /// - Throws: ``DisplayError`` if SDL lacks the renderer or it does not start.
  init(_ driver: RendererDriver, window: borrowing WindowHandle) throws(DisplayError) {
    let newRenderer = try RendererHandle(driver, window: window)
    name = newRenderer.name
    device = newRenderer.openGLDevice
    requestsVsync = driver != .sdl
    // SDL's software renderer draws into the window's surface, which persists.
    discardsFramesOnPresent = driver != .sdl
    stretchedTextures = driver == .sdl ? StretchedTextureCache() : nil
    renderer = consume newRenderer
  }

  var outputSize: PixelRect { renderer?.outputSize ?? .zero }

  func supportsTexture(of size: PixelSize) -> Bool { renderer?.supportsTexture(of: size) ?? false }

  func makeTexture(size: PixelSize, isOpaque: Bool) throws(DisplayError) -> Texture {
    guard let texture = try renderer?.makeTexture(size: size) else {
      throw DisplayError(action: "make a texture", reason: "the renderer has ended")
    }
    return Texture(texture)
  }

  func draw(_ list: DisplayList, background: Color, textures: TextureSlots) -> Int {
    guard failedPresents < SDLFrameRenderer.maximumFailedPresents else { return 0 }
    rendererError = nil
    // Tries twice before another renderer takes over, because a failure may be temporary.
    for _ in 0..<2 {
      do throws(DisplayError) {
        return try renderer?.drawCommands(
          list.commands, background: background, textures: textures, stretchedTextures: stretchedTextures,
          layers: layers) ?? 0
      } catch {
        rendererError = error
      }
    }
    return 0
  }

  func present() {
    let refusal = renderer?.present()
    failedPresents = refusal == nil ? 0 : failedPresents + 1
    if failedPresents >= SDLFrameRenderer.maximumFailedPresents { rendererError = refusal }
  }

  func readPixels() throws(DisplayError) -> Bitmap {
    guard let bitmap = try renderer?.readPixels() else {
      throw DisplayError(action: "read pixels", reason: "the renderer has ended")
    }
    return bitmap
  }

  /// Does nothing, because each frame is drawn completely.
  func invalidate() {}

  func close() {
    stretchedTextures?.removeAll()
    layers.removeAll()
    renderer = nil
  }
}

extension RendererHandle {
  fileprivate nonisolated borrowing func makeTexture(size: PixelSize) throws(DisplayError) -> TextureHandle {
    try TextureHandle(size: size, renderer: self)
  }
}
