import Geometry
import Rendering

/// Draws every frame whole by one of SDL's renderers: OpenGL's on the graphics hardware, or SDL's own software renderer.
nonisolated final class SDLFrameRenderer: FrameRenderer {
  let name: String
  let device: String?
  let requestsVsync: Bool
  let discardsFramesOnPresent: Bool
  let statistics = RedrawStatistics()
  let shareableChannelOrder: ChannelOrder? = nil

  /// How many presents one after the other are refused before the renderer counts as failed.
  private static let maximumFailedPresents = 3

  private var renderer: RendererHandle?
  /// Stretched copies, where the renderer's own are not as smooth as is wanted.
  private let stretchedTextures: StretchedTextureCache?
  private var failedPresents = 0
  private(set) var rendererError: DisplayError?

  /// Starts a renderer.
  /// - Throws: ``DisplayError`` when SDL has none such or it cannot start.
  init(_ driver: RendererDriver, window: borrowing WindowHandle) throws(DisplayError) {
    let newRenderer = try RendererHandle(driver, window: window)
    name = newRenderer.name
    device = newRenderer.openGLDevice
    requestsVsync = driver != .sdl
    // SDL's software renderer draws into the window's surface, which stays.
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
    // A second time before another renderer has to go on: a refusal may have been a moment's.
    for _ in 0..<2 {
      do throws(DisplayError) {
        return try renderer?.drawCommands(
          list.commands, background: background, textures: textures, stretched: stretchedTextures) ?? 0
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

  /// All of every frame is drawn: there is nothing to forget.
  func invalidate() {}

  func close() {
    stretchedTextures?.removeAll()
    renderer = nil
  }
}

extension RendererHandle {
  fileprivate nonisolated borrowing func makeTexture(size: PixelSize) throws(DisplayError) -> TextureHandle {
    try TextureHandle(size: size, renderer: self)
  }
}
