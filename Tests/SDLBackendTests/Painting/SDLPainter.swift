import CSDL2
import Geometry
import Rendering
import Testing

/// SDL's software renderer on a surface of its own, with textures as bitmaps are.
final class SDLPainter {
  private let surface: UnsafeMutablePointer<SDL_Surface>
  private let renderer: OpaquePointer

  /// Makes a surface of a colour.
  init(width: Int32, height: Int32, background: Color) throws {
    surface = try #require(
      SDL_CreateRGBSurfaceWithFormat(0, width, height, 32, SDL_PIXELFORMAT_RGB888.rawValue))
    renderer = try #require(SDL_CreateSoftwareRenderer(surface))
    SDL_SetRenderDrawColor(renderer, background.red, background.green, background.blue, 255)
    SDL_RenderClear(renderer)
  }

  isolated deinit {
    SDL_DestroyRenderer(renderer)
    SDL_FreeSurface(surface)
  }

  /// Draws a bitmap, pixel for pixel.
  func copy(_ bitmap: Bitmap, to place: PixelRect, tint: Color, isBlended: Bool) {
    let texture = SDL_CreateTexture(
      renderer, SDL_PIXELFORMAT_RGBA32.rawValue, Int32(SDL_TEXTUREACCESS_STATIC.rawValue), place.width, place.height)
    bitmap.withPixels { _ = SDL_UpdateTexture(texture, nil, $0.baseAddress, Int32(bitmap.bytesPerRow)) }
    SDL_SetTextureColorMod(texture, tint.red, tint.green, tint.blue)
    SDL_SetTextureAlphaMod(texture, tint.alpha)
    SDL_SetTextureBlendMode(texture, isBlended ? SDL_BLENDMODE_BLEND : SDL_BLENDMODE_NONE)
    var target = SDL_Rect(x: place.x, y: place.y, w: place.width, h: place.height)
    SDL_RenderCopy(renderer, texture, nil, &target)
    SDL_DestroyTexture(texture)
  }

  /// Lays a colour over a rectangle.
  func fill(_ place: PixelRect, _ color: Color) {
    SDL_SetRenderDrawBlendMode(renderer, SDL_BLENDMODE_BLEND)
    SDL_SetRenderDrawColor(renderer, color.red, color.green, color.blue, color.alpha)
    var target = SDL_Rect(x: place.x, y: place.y, w: place.width, h: place.height)
    SDL_RenderFillRect(renderer, &target)
  }

  /// What was drawn.
  func pixels() throws -> Bitmap {
    let size = try #require(PixelSize(width: Int(surface.pointee.w), height: Int(surface.pointee.h)))
    return try Bitmap(size: size, isOpaque: true) { memory in
      SDL_RenderReadPixels(
        renderer, nil, SDL_PIXELFORMAT_RGBA32.rawValue, memory.baseAddress, Int32(size.width * 4))
      for alpha in stride(from: 3, to: memory.count, by: 4) { memory[alpha] = 255 }
    }
  }
}
