import CVitrineType
import VitrineRendering
import VitrineThreads

/// An owner of an `FT_Face` with colour glyphs, which are bitmaps of one size in a font such as an emoji font.
nonisolated final class FreeTypeColorFace {
  /// The face, for shaping.
  let pointer: FT_Face
  /// The em size of the bitmaps in pixels.
  let pixelsPerEm: Int
  private let library: FreeTypeLibrary
  private let renderThreadCheck: RenderThreadDecodeCounter

  /// Opens a font and selects its largest bitmaps, using `FT_New_Face` and `FT_Select_Size`.
  ///
  /// - Parameters:
  ///   - path: The path of the font file.
  ///   - index: The index of the face in the file.
  ///   - library: The library that opens the face.
  ///   - renderThreadCheck: The counter of images decoded on the render thread.
  /// - Throws: ``DisplayError`` if FreeType cannot read the file, or if the font has no colour bitmaps.
  init(
    path: String, index: Int = 0, library: FreeTypeLibrary, renderThreadCheck: RenderThreadDecodeCounter
  ) throws(DisplayError) {
    var opened: FT_Face?
    let code = FT_New_Face(library.pointer, path, index, &opened)
    guard code == 0, let face = opened else { throw DisplayError.fromFreeType(code, "open \(path)") }
    let count = Int(face.pointee.num_fixed_sizes)
    let largest = (0..<count).max { left, right in
      face.pointee.available_sizes[left].y_ppem < face.pointee.available_sizes[right].y_ppem
    }
    guard face.pointee.face_flags & Int(FT_FACE_FLAG_COLOR) != 0, let largest else {
      FT_Done_Face(face)
      throw DisplayError(action: "open \(path)", reason: "the font has no pictures in colour")
    }
    let selected = FT_Select_Size(face, Int32(largest))
    guard selected == 0 else {
      FT_Done_Face(face)
      throw DisplayError.fromFreeType(selected, "open \(path)")
    }
    pointer = face
    // The value is in 64ths of a pixel.
    pixelsPerEm = max(1, Int(face.pointee.available_sizes[largest].y_ppem) >> 6)
    self.library = library
    self.renderThreadCheck = renderThreadCheck
  }

  deinit {
    FT_Done_Face(pointer)
    withExtendedLifetime(library) {}
  }

  /// Decodes the image of a glyph, using `FT_Load_Glyph`.
  ///
  /// The call is recorded with the counter, because images must not be decoded on the render thread.
  ///
  /// - Returns: The image, or nil for a space or a damaged glyph.
  /// - Complexity: O(pixels). The font contains PNG images.
  func image(of glyph: UInt32) -> ColorGlyphImage? {
    renderThreadCheck.recordDecode()
    guard FT_Load_Glyph(pointer, glyph, ctype_load_color) == 0, let slot = pointer.pointee.glyph else { return nil }
    let bitmap = slot.pointee.bitmap
    let (width, height, pitch) = (Int(bitmap.width), Int(bitmap.rows), Int(bitmap.pitch))
    guard UInt32(bitmap.pixel_mode) == FT_PIXEL_MODE_BGRA.rawValue, width > 0, height > 0, pitch >= 4 * width,
      let bytes = bitmap.buffer
    else { return nil }
    let channels = [UInt8](unsafeUninitializedCapacity: 4 * width * height) { memory, count in
      guard let start = memory.baseAddress else { return }
      for row in 0..<height {
        (start + 4 * row * width).initialize(from: bytes + row * pitch, count: 4 * width)
      }
      count = 4 * width * height
    }
    return ColorGlyphImage(width: width, height: height, channels: channels)
  }
}

/// A colour image of a glyph.
nonisolated struct ColorGlyphImage {
  /// The width in pixels, at least 1.
  let width: Int
  /// The height in pixels, at least 1.
  let height: Int
  /// The bytes B, G, R, A of the pixels, with premultiplied alpha, rows from the top without padding.
  let channels: [UInt8]

  /// Calls a closure with each visible pixel of the image scaled to another size, by averaging.
  ///
  /// - Parameters:
  ///   - width: The width of the scaled image in pixels.
  ///   - height: The height of the scaled image in pixels.
  ///   - body: Called with the column, the row and the colour with straight alpha.
  /// - Complexity: O(pixels of both images).
  func forEachScaledPixel(width: Int, height: Int, _ body: (Int, Int, Color) -> Void) {
    guard width > 0, height > 0 else { return }
    let (columns, rows) = (CoverageSpans(of: self.width, over: width), CoverageSpans(of: self.height, over: height))
    let area = Float(self.width) / Float(width) * Float(self.height) / Float(height)
    withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: self.width) { line in
      for y in 0..<height {
        sumRows(rows, of: y, into: line)
        for x in 0..<width {
          var sum = SIMD4<Float>.zero
          for column in columns.starts[x]..<columns.starts[x + 1] {
            sum += columns.weights[column] * line[columns.pixels[column]]
          }
          let alpha = sum.w / area
          guard alpha >= 0.5 else { continue }
          // Rounded by adding a half and truncating, which needs no library call.
          let factor = 255 / sum.w
          body(
            x, y,
            Color(
              red: UInt8(min(255, sum.z * factor + 0.5)), green: UInt8(min(255, sum.y * factor + 0.5)),
              blue: UInt8(min(255, sum.x * factor + 0.5)), alpha: UInt8(min(255, alpha + 0.5))))
        }
      }
    }
  }

  /// Sums the rows that a scaled row covers, with their weights.
  ///
  /// Rows come first, because they are contiguous.
  private func sumRows(_ rows: CoverageSpans, of y: Int, into line: UnsafeMutableBufferPointer<SIMD4<Float>>) {
    line.initialize(repeating: .zero)
    line.withMemoryRebound(to: Float.self) { sums in
      channels.withUnsafeBufferPointer { channels in
        for row in rows.starts[y]..<rows.starts[y + 1] {
          let part = rows.weights[row]
          let bytes = UnsafeBufferPointer(rebasing: channels[(4 * width * rows.pixels[row])...].prefix(4 * width))
          for index in 0..<min(sums.count, bytes.count) { sums[index] += part * Float(bytes[index]) }
        }
      }
    }
  }

  /// The pixels of a line that each pixel of a scaled line covers, with their weights.
  private struct CoverageSpans {
    /// For each scaled pixel, the index of its first covered pixel, followed by the end of the last one's.
    var starts: [Int] = [0]
    /// The covered pixels.
    var pixels: [Int] = []
    /// The covered share of each pixel, at most 1.
    var weights: [Float] = []

    init(of count: Int, over target: Int) {
      let step = Double(count) / Double(target)
      for index in 0..<target {
        let (start, end) = (Double(index) * step, Double(index + 1) * step)
        var pixel = min(Int(start), count - 1)
        repeat {
          pixels.append(pixel)
          weights.append(Float(min(end, Double(pixel + 1)) - max(start, Double(pixel))))
          pixel += 1
        } while pixel < count && Double(pixel) < end
        starts.append(pixels.count)
      }
    }
  }
}
