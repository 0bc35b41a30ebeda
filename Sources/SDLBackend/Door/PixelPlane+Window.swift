import CSDL2
import Geometry
import Rendering

nonisolated extension PixelPlane {
  /// The memory into which the software renderer draws a window, for as long as SDL keeps it: until the window's extent
  /// changes.
  ///
  /// For windows of the software renderer only. Nothing where SDL gives none, or none with four bytes a pixel in a known
  /// order. The C function is `SDL_GetWindowSurface`.
  init?(of window: borrowing WindowHandle) {
    guard let surface = SDL_GetWindowSurface(window.pointer)?.pointee, let pixels = surface.pixels,
      surface.flags & UInt32(SDL_RLEACCEL) == 0, let format = surface.format,
      let order = ChannelOrder(format: format.pointee.format)
    else { return nil }
    self.init(
      start: pixels, bytesPerRow: Int(surface.pitch),
      extent: PixelRect(x: 0, y: 0, width: surface.w, height: surface.h), order: order)
  }

  /// The first pixel, without its fourth byte.
  fileprivate var firstPixel: UInt32 {
    get { start.load(as: UInt32.self) & 0xFF_FFFF }
    nonmutating set { start.storeBytes(of: newValue, as: UInt32.self) }
  }
}

nonisolated extension ChannelOrder {
  /// The order of one of SDL's formats; nothing for those of other sizes, orders and machines.
  init?(format: UInt32) {
    #if _endian(little)
      switch format {
      case SDL_PIXELFORMAT_RGB888.rawValue, SDL_PIXELFORMAT_ARGB8888.rawValue: self = .blueFirst
      case SDL_PIXELFORMAT_BGR888.rawValue, SDL_PIXELFORMAT_ABGR8888.rawValue: self = .redFirst
      default: return nil
      }
    #else
      return nil
    #endif
  }

  /// SDL's format of textures in this order, whose fourth byte is alpha or of no account.
  func textureFormat(hasAlpha: Bool) -> UInt32 {
    switch self {
    case .redFirst: hasAlpha ? SDL_PIXELFORMAT_ABGR8888.rawValue : SDL_PIXELFORMAT_BGR888.rawValue
    case .blueFirst: hasAlpha ? SDL_PIXELFORMAT_ARGB8888.rawValue : SDL_PIXELFORMAT_RGB888.rawValue
    }
  }
}

nonisolated extension RendererHandle {
  /// Whether what is drawn appears in a window's memory, and at once, what is written there is what was drawn, and what is
  /// written into a texture's memory is what is drawn of it.
  ///
  /// SDL does not promise it, so it is tried with two colours at the window's first pixel, which is black afterwards. The C
  /// functions are `SDL_RenderFillRect` and `SDL_RenderCopy`, without `SDL_RenderFlush`, and `SDL_RenderReadPixels`.
  func draws(into pixels: PixelPlane) -> Bool {
    guard !pixels.extent.isEmpty, outputSize == pixels.extent, pixels.order == channelOrder,
      let size = PixelSize(width: 1, height: 1),
      let texture = try? TextureHandle(size: size, isOpaque: true, renderer: self), let texels = texture.texels
    else { return false }
    SDL_RenderSetClipRect(pointer, nil)
    for color in [Color(hex: 0xFEDCBA), Color(hex: 0x012345)] {
      let value = pixels.order.pixel(color) & 0xFF_FFFF
      fillFirstPixel(with: color)
      guard pixels.firstPixel == value else { return false }
      fillFirstPixel(with: .black)
      pixels.firstPixel = value
      guard firstPixel == color else { return false }
      fillFirstPixel(with: .black)
      texels.fill(with: color)
      var place = SDL_Rect(x: 0, y: 0, w: 1, h: 1)
      SDL_RenderCopy(pointer, texture.pointer, nil, &place)
      guard pixels.firstPixel == value else { return false }
    }
    fillFirstPixel(with: .black)
    return true
  }

  private func fillFirstPixel(with color: Color) {
    var place = SDL_Rect(x: 0, y: 0, w: 1, h: 1)
    SDL_SetRenderDrawBlendMode(pointer, SDL_BLENDMODE_NONE)
    SDL_SetRenderDrawColor(pointer, color.red, color.green, color.blue, 255)
    SDL_RenderFillRect(pointer, &place)
  }

  private var firstPixel: Color? {
    var place = SDL_Rect(x: 0, y: 0, w: 1, h: 1)
    var value: UInt32 = 0
    guard SDL_RenderReadPixels(pointer, &place, SDL_PIXELFORMAT_RGBA32.rawValue, &value, 4) == 0 else { return nil }
    var color = Color(packed: UInt32(littleEndian: value))
    color.alpha = 255
    return color
  }
}
