import Geometry
import Rendering

/// Draws every frame whole by one of SDL's renderers on the graphics hardware.
nonisolated final class RendererDrawing: Drawing {
  let name: String
  let device: String?
  let requestsVsync = true
  let forgetsFrames = true
  let statistics = RedrawStatistics()
  let sharedOrder: ChannelOrder? = nil

  private var renderer: RendererHandle?

  /// Starts a renderer.
  /// - Throws: ``DisplayError`` when SDL has none such or it cannot start.
  init(_ driver: RendererDriver, window: borrowing WindowHandle) throws(DisplayError) {
    let newRenderer = try RendererHandle(driver, window: window)
    name = newRenderer.name
    device = newRenderer.openGLDevice
    renderer = consume newRenderer
  }

  var outputSize: PixelRect { renderer?.outputSize ?? .zero }

  func makeTexture(size: PixelSize, isOpaque: Bool) throws(DisplayError) -> Texture {
    guard let texture = try renderer?.makeTexture(size: size) else {
      throw DisplayError(action: "make a texture", reason: "the renderer has ended")
    }
    return Texture(texture)
  }

  func draw(_ list: DisplayList, background: Color, textures: TextureSlots) -> Int {
    renderer?.paint(list.commands, background: background, textures: textures) ?? 0
  }

  func present() { renderer?.present() }

  func readPixels() throws(DisplayError) -> Bitmap {
    guard let bitmap = try renderer?.readPixels() else {
      throw DisplayError(action: "read pixels", reason: "the renderer has ended")
    }
    return bitmap
  }

  /// Hardware draws all of every frame: there is nothing to forget.
  func forget() {}

  func close() { renderer = nil }
}

extension RendererHandle {
  fileprivate nonisolated borrowing func makeTexture(size: PixelSize) throws(DisplayError) -> TextureHandle {
    try TextureHandle(size: size, renderer: self)
  }
}
