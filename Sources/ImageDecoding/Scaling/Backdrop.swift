import Rendering

/// The colour behind transparent pixels.
///
/// Pixels are laid over it before they are made fewer: mixing first and laying over then would let the colours of
/// invisible pixels bleed into their neighbours.
struct Backdrop: Hashable {
  let red: UInt8
  let green: UInt8
  let blue: UInt8

  init(_ color: Color) {
    red = color.red
    green = color.green
    blue = color.blue
  }

  /// Lays pixels over the colour and makes them opaque.
  func flatten(_ pixels: UnsafeMutablePointer<UInt8>, count: Int) {
    var pixel = pixels
    for _ in 0..<count {
      let alpha = pixel[3]
      if alpha != 255 {
        pixel[0] = Backdrop.mix(pixel[0], red, alpha)
        pixel[1] = Backdrop.mix(pixel[1], green, alpha)
        pixel[2] = Backdrop.mix(pixel[2], blue, alpha)
        pixel[3] = 255
      }
      pixel += 4
    }
  }

  /// Lays pixels over the colour whose red, green and blue hold their alpha already.
  func flattenPremultiplied(_ pixels: UnsafeMutablePointer<UInt8>, count: Int) {
    var pixel = pixels
    for _ in 0..<count {
      let alpha = pixel[3]
      if alpha != 255 {
        pixel[0] = Backdrop.add(pixel[0], red, alpha)
        pixel[1] = Backdrop.add(pixel[1], green, alpha)
        pixel[2] = Backdrop.add(pixel[2], blue, alpha)
        pixel[3] = 255
      }
      pixel += 4
    }
  }

  private static func add(_ over: UInt8, _ under: UInt8, _ alpha: UInt8) -> UInt8 {
    UInt8(clamping: UInt32(over) + (UInt32(under) * UInt32(255 - alpha) + 127) / 255)
  }

  private static func mix(_ over: UInt8, _ under: UInt8, _ alpha: UInt8) -> UInt8 {
    let sum = UInt32(over) * UInt32(alpha) + UInt32(under) * UInt32(255 - alpha)
    return UInt8(truncatingIfNeeded: (sum + 127) / 255)
  }
}
