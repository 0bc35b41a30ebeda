import VitrineDataStructures
import VitrineGeometry
import VitrineRendering
import VitrineThreads

/// A painter of laid out lines, with caches of the masks and images of their glyphs, for one thread at a time.
nonisolated final class LayoutPainter {
  /// The maximum number of open fonts.
  private static let maximumFonts = 64
  /// The maximum number of bytes of masks in each of the two generations.
  ///
  /// Some thousand Chinese characters at the size of captions.
  private static let maximumMaskBytes = 512 << 10
  /// The maximum number of bytes of cached images: those of a screen full of emoji, to scale them to other sizes.
  static let maximumImageBytes = 8 << 20
  /// The maximum width of a line in pixels, which every renderer supports as the width of a texture.
  static let maximumWidth = 8_192

  private struct MaskKey: Hashable {
    let font: Int
    let glyph: UInt32
    /// The subpixel position in quarters of a pixel, 0 to 3.
    let phase: UInt32
  }

  fileprivate struct ImageKey: Hashable {
    let font: Int
    let glyph: UInt32
  }

  /// An open font file.
  fileprivate enum Face {
    case outlines(FreeTypeFace)
    case images(FreeTypeColorFace)
  }

  private let renderThreadCheck: RenderThreadDecodeCounter
  private var library: FreeTypeLibrary?
  /// The numbers of the fonts, which name them in the caches.
  private var numbers: [GlyphFont: Int] = [:]
  /// The fonts by number, nil for those that cannot be opened.
  fileprivate private(set) var faces: [Face?] = []
  private var masks = GenerationalCache<MaskKey, GlyphMask>(capacity: LayoutPainter.maximumMaskBytes)
  private var images = LRUCache<ImageKey, ColorGlyphImage>(costLimit: LayoutPainter.maximumImageBytes)
  /// The number of decoded images.
  private(set) var decodedImages = 0
  /// The error of the last font that could not be opened, or nil.
  private(set) var fontError: DisplayError?

  /// Creates a painter.
  ///
  /// - Parameter renderThreadCheck: The counter of images decoded on the render thread.
  init(renderThreadCheck: RenderThreadDecodeCounter) { self.renderThreadCheck = renderThreadCheck }

  /// The number of bytes of the cached images.
  var cachedImageBytes: Int { images.totalCost }

  // MARK: - Lines

  /// A glyph with its position in pixels.
  struct ImageGlyph {
    fileprivate var key: ImageKey
    fileprivate var face: FreeTypeColorFace
    fileprivate var scale: Double
    /// The extent of the advance.
    var columns: Range<Int>
  }

  /// The glyphs of a line.
  struct Components {
    var masks: [PositionedGlyph] = []
    /// The offset in the text of each mask, if requested.
    var clusters: [Int] = []
    var images: [ImageGlyph] = []
    /// The columns with ink, and those of the advance.
    var columns: Range<Int>
  }

  /// Returns the width of a line in pixels: the extent of its rounded advance and its ink on both sides.
  func width(of line: LaidOutLine) -> Int {
    min(components(of: line).columns.count, LayoutPainter.maximumWidth)
  }

  /// Whether a line contains glyphs with their own colours.
  func hasColors(_ line: LaidOutLine) -> Bool { !components(of: line).images.isEmpty }

  /// Paints a line.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - ascent: The distance from the top of the bitmap to the baseline, in pixels.
  ///   - descent: The distance from the baseline to the bottom.
  /// - Returns: The line, or nil if it has no width.
  /// - Throws: `BitmapError` if the system has no memory.
  /// - Complexity: O(pixels).
  func render(_ line: LaidOutLine, ascent: Int, descent: Int) throws -> RenderedLine? {
    let components = components(of: line)
    let width = min(components.columns.count, LayoutPainter.maximumWidth)
    guard let size = PixelSize(width: width, height: ascent + descent) else { return nil }
    let layers: RenderedLine.Layers =
      components.images.isEmpty ? .mask : components.masks.isEmpty ? .colors : .maskAndColors
    guard let whole = PixelSize(width: width, height: layers == .maskAndColors ? 2 * size.height : size.height) else {
      return nil
    }
    let left = components.columns.lowerBound
    let bitmap = try Bitmap(size: whole, isOpaque: false) { memory in
      let layer = size.bytesAtFourPerPixel
      if layers != .colors {
        let masks = components.masks.map { PositionedGlyph(image: $0.image, x: $0.x - left, top: $0.top) }
        TextCoverage(size: size, in: UnsafeMutableRawBufferPointer(rebasing: memory[..<layer]))
          .paintLine(LineComponents(glyphs: masks), baseline: ascent)
      }
      if layers != .mask {
        let colors = UnsafeMutableRawBufferPointer(rebasing: memory[(memory.count - layer)...])
        paintImages(components.images, left: left, size: size, into: colors.bindMemory(to: UInt32.self))
      }
    }
    return RenderedLine(bitmap: bitmap, layers: layers, isRightToLeft: line.isRightToLeft)
  }

  /// Returns the glyphs of a line with their positions.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - recordsClusters: Whether the offsets in the text of masks are needed.
  func components(of line: LaidOutLine, recordsClusters: Bool = false) -> Components {
    var components = Components(columns: 0..<max(0, (line.advance + 512) >> 10))
    func include(_ columns: Range<Int>) {
      let known = components.columns
      components.columns =
        min(known.lowerBound, columns.lowerBound)..<max(known.upperBound, columns.upperBound)
    }
    for run in line.runs {
      guard let font = run.font, let number = number(of: font), let face = faces[number] else { continue }
      for glyph in run.glyphs {
        guard let index = glyph.glyph, glyph.x >> 10 < LayoutPainter.maximumWidth else { continue }
        switch face {
        case .outlines(let face):
          // The nearest quarter of a pixel.
          let quarters = (glyph.x + 128) >> 8
          let mask = mask(of: MaskKey(font: number, glyph: index, phase: UInt32(quarters & 3)), face)
          guard mask.width > 0 else { continue }
          let x = (quarters >> 2) + mask.left
          components.masks.append(PositionedGlyph(image: mask, x: x, top: mask.top - ((glyph.y + 512) >> 10)))
          if recordsClusters { components.clusters.append(glyph.cluster) }
          include(x..<x + mask.width)
        case .images(let face):
          let scale = font.pixelSize * font.synthesis.matrix.x / Double(face.pixelsPerEm)
          let start = (glyph.x + 512) >> 10
          let columns = start..<max(start + 1, (glyph.x + glyph.advance + 512) >> 10)
          components.images.append(
            ImageGlyph(key: ImageKey(font: number, glyph: index), face: face, scale: scale, columns: columns))
          include(columns)
        }
      }
    }
    return components
  }

  /// Paints images centred vertically in a line.
  private func paintImages(
    _ glyphs: [ImageGlyph], left: Int, size: PixelSize, into pixels: UnsafeMutableBufferPointer<UInt32>
  ) {
    pixels.update(repeating: Color.clear.packed)
    for glyph in glyphs {
      guard let placed = placedImage(of: glyph, height: size.height) else { continue }
      let (start, top) = (placed.x - left, (size.height - placed.height) / 2)
      placed.image.forEachScaledPixel(width: placed.width, height: placed.height) { x, y, color in
        guard (0..<size.width).contains(start + x), (0..<size.height).contains(top + y) else { return }
        pixels[(top + y) * size.width + start + x] = UInt32(littleEndian: color.packed)
      }
    }
  }

  /// Returns the image of a glyph, its size in a line of a height, and its first column, or nil if it is damaged.
  func placedImage(
    of glyph: ImageGlyph, height lineHeight: Int
  ) -> (image: ColorGlyphImage, x: Int, width: Int, height: Int)? {
    guard let picture = image(of: glyph.key, glyph.face) else { return nil }
    let scale = min(glyph.scale, Double(lineHeight) / Double(picture.height))
    let width = max(1, Int((Double(picture.width) * scale).rounded()))
    let height = max(1, Int((Double(picture.height) * scale).rounded()))
    return (picture, glyph.columns.lowerBound + (glyph.columns.count - width) / 2, width, height)
  }

  // MARK: - Glyphs

  /// Returns the mask of a glyph from the cache or the font.
  private func mask(of key: MaskKey, _ face: FreeTypeFace) -> GlyphMask {
    if let known = masks.value(for: key) { return known }
    let mask = face.image(of: key.glyph, shiftedBy: Int(key.phase) * 16)
    // The additional cost accounts for the entry itself, because spaces take memory too.
    masks.insert(mask, for: key, cost: mask.coverage.count + 64)
    return mask
  }

  /// Returns the image of a glyph from the cache or the font.
  private func image(of key: ImageKey, _ face: FreeTypeColorFace) -> ColorGlyphImage? {
    if let known = images.value(for: key) { return known }
    guard let picture = face.image(of: key.glyph) else { return nil }
    decodedImages += 1
    images.insert(picture, for: key, cost: picture.channels.count)
    return picture
  }

  /// Returns the number of a font, opening it if needed.
  ///
  /// Images are cached for all sizes, so that all sizes of a font with images have the same number.
  fileprivate func number(of font: GlyphFont) -> Int? {
    if let known = numbers[font] { return known }
    if font.hasColors, let same = numbers.first(where: { $0.key.hasColors && $0.key.path == font.path })?.value {
      numbers[font] = same
      return same
    }
    if faces.count >= LayoutPainter.maximumFonts {
      numbers = [:]
      faces = []
      masks = GenerationalCache(capacity: LayoutPainter.maximumMaskBytes)
      images.removeAll()
    }
    numbers[font] = faces.count
    faces.append(open(font))
    return faces.count - 1
  }

  private func openLibrary() throws(DisplayError) -> FreeTypeLibrary {
    if let library { return library }
    let library = try FreeTypeLibrary()
    self.library = library
    return library
  }

  private func open(_ font: GlyphFont) -> Face? {
    do throws(DisplayError) {
      let library = try openLibrary()
      if font.hasColors,
        let face = try? FreeTypeColorFace(
          path: font.path, index: font.faceIndex, library: library, renderThreadCheck: renderThreadCheck)
      {
        return .images(face)
      }
      return .outlines(
        try FreeTypeFace(
          path: font.path, index: font.faceIndex, data: nil, pixelSize: Int(font.pixelSize.rounded()),
          synthesis: font.synthesis, library: library))
    } catch {
      fontError = error
      return nil
    }
  }
}

// MARK: - Without Pango

nonisolated extension LayoutPainter {
  /// Returns a line laid out from left to right in one font, with boxes for the characters that it lacks.
  func fallbackLine(of request: LayoutRequest, file: String) -> LaidOutLine? {
    let font = GlyphFont(path: file, pixelSize: Double(request.font.pixelSize))
    guard let face = outlines(of: font),
      let shaper = try? HarfBuzzShaper(face.pointer, of: face, pixelSize: request.font.pixelSize)
    else { return nil }
    var text = request.text
    let shaped = text.withUTF8 { shaper.shape($0, script: TextRun.Kind.commonScript) }
    let glyphs = shaped.glyphs.map {
      LayoutGlyph(glyph: $0.glyph, x: $0.x * 16, y: -$0.y * 16, advance: 0, cluster: 0)
    }
    let range = 0..<request.text.utf8.count
    return LaidOutLine(
      range: range, advance: shaped.advance * 16, isRightToLeft: false,
      runs: [GlyphRun(font: font, range: range, isRightToLeft: false, glyphs: glyphs)])
  }

  private func outlines(of font: GlyphFont) -> FreeTypeFace? {
    guard let number = number(of: font), case .outlines(let face)? = faces[number] else { return nil }
    return face
  }
}
