import Geometry

@testable import CollectionLayout

/// Frames drawn in characters, a pixel a character: what goldens compare.
///
/// Where frames overlap the later one is seen; pixels without a frame are dots. Frames may reach out of the picture.
func picture(of frames: [(Character, PixelFrame)], width: Int, height: Int) -> String {
  var rows = Array(repeating: Array(repeating: Character("."), count: width), count: height)
  for (character, frame) in frames {
    for y in max(0, frame.minY)..<max(0, frame.minY, min(height, frame.maxY)) {
      for x in max(0, frame.minX)..<max(0, frame.minX, min(width, frame.maxX)) { rows[y][x] = character }
    }
  }
  return rows.map { String($0) }.joined(separator: "\n")
}

/// Frames in points drawn in characters, a point a character.
func picture(of frames: [(Character, Rect)], width: Int, height: Int) -> String {
  let frames = frames.map { character, rect in
    let pixels = DisplayScale.one.pixelRect(rect)
    return (
      character,
      PixelFrame(minX: Int(pixels.x), minY: Int(pixels.y), maxX: Int(pixels.maxX), maxY: Int(pixels.maxY))
    )
  }
  return picture(of: frames, width: width, height: height)
}

/// Frames drawn in characters, named A, B, C and so on by their order; after Z follow small letters.
func picture(of frames: [PixelFrame], width: Int, height: Int) -> String {
  let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
  let named = frames.enumerated().map { (letters[$0.offset % letters.count], $0.element) }
  return picture(of: named, width: width, height: height)
}
