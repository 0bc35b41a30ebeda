import VitrineRendering

/// A font file at a size, as the layout of a text chose it.
nonisolated struct GlyphFont: Hashable, Sendable {
  /// The path of the font file.
  var path: String
  /// The index of the face in the file.
  var faceIndex = 0
  /// The size in pixels.
  var pixelSize: Double
  /// The changes to the outlines.
  ///
  /// For images, the scale from the font's size to that of the line.
  var synthesis = FontSynthesis()
  /// Whether the glyphs are images in their own colours.
  var hasColors = false
}

/// A glyph of a laid out line, in 1024ths of a pixel.
nonisolated struct LayoutGlyph: Hashable, Sendable {
  /// The index of the glyph in the font, or nil for a glyph without ink.
  var glyph: UInt32?
  /// The distance from the start of the line to the right.
  var x: Int
  /// The distance from the baseline down.
  var y: Int
  /// The advance.
  var advance: Int
  /// The offset in bytes of the characters that the glyph represents.
  var cluster: Int
}

/// A part of a laid out line in one font and direction.
nonisolated struct GlyphRun: Hashable, Sendable {
  /// The font, or nil if there is none with the characters.
  var font: GlyphFont?
  /// The bytes of the text.
  var range: Range<Int>
  /// Whether the characters are written from right to left.
  var isRightToLeft: Bool
  /// The glyphs, from left to right.
  var glyphs: [LayoutGlyph]
}

/// A laid out line.
nonisolated struct LaidOutLine: Hashable, Sendable {
  /// The bytes of the text.
  var range: Range<Int>
  /// The advance of the line, in 1024ths of a pixel.
  var advance: Int
  /// Whether the base direction of the line is from right to left.
  var isRightToLeft: Bool
  /// The runs, from left to right.
  var runs: [GlyphRun]

  /// Returns the extents of the characters of the line.
  ///
  /// A glyph that represents several characters, such as a ligature, is divided evenly among them. Characters without a
  /// glyph, such as those that an ellipsis replaces, are empty.
  ///
  /// - Parameter offsets: The offset in bytes of each character in ascending order, and that of the end.
  /// - Complexity: O(glyphs · log characters).
  func geometry(at offsets: [Int]) -> LineGeometry {
    var characters = [LineGeometry.Character](
      repeating: LineGeometry.Character(columns: 0..<0, isRightToLeft: isRightToLeft), count: max(0, offsets.count - 1))
    func pixels(_ length: Int) -> Int { (length + 512) >> 10 }
    for run in runs {
      for cluster in run.clusters {
        let first = firstIndex(of: cluster.range.lowerBound, in: offsets)
        let end = min(firstIndex(of: cluster.range.upperBound, in: offsets), characters.count)
        guard first < end else { continue }
        let count = end - first
        for number in 0..<count {
          // The first character in the text is the rightmost one from right to left.
          let place = run.isRightToLeft ? count - 1 - number : number
          let start = pixels(cluster.x + cluster.width * place / count)
          let limit = pixels(cluster.x + cluster.width * (place + 1) / count)
          characters[first + number] = LineGeometry.Character(
            columns: start..<max(start, limit), isRightToLeft: run.isRightToLeft)
        }
      }
    }
    return LineGeometry(characters: characters, isRightToLeft: isRightToLeft)
  }

  /// Returns the index of the first boundary that is not before an offset.
  private func firstIndex(of offset: Int, in boundaries: [Int]) -> Int {
    var (low, high) = (0, boundaries.count)
    while low < high {
      let middle = (low + high) / 2
      if boundaries[middle] < offset { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

nonisolated extension GlyphRun {
  /// The characters that are displayed by the same glyphs, with their extent in the line.
  fileprivate struct Cluster {
    var range: Range<Int>
    var x: Int
    var width: Int
  }

  /// The clusters of the run, from left to right.
  fileprivate var clusters: [Cluster] {
    var clusters: [Cluster] = []
    for glyph in glyphs {
      if let last = clusters.indices.last, clusters[last].range.lowerBound == glyph.cluster {
        clusters[last].width += glyph.advance
      } else {
        clusters.append(Cluster(range: glyph.cluster..<glyph.cluster, x: glyph.x, width: glyph.advance))
      }
    }
    // A cluster ends where the next one in the text starts.
    for index in clusters.indices {
      let next = isRightToLeft ? index - 1 : index + 1
      let end = clusters.indices.contains(next) ? clusters[next].range.lowerBound : range.upperBound
      let start = clusters[index].range.lowerBound
      clusters[index].range = start..<max(start, end)
    }
    return clusters
  }
}

/// A font by its properties, for which the layout finds font files.
nonisolated struct FontDescription: Hashable, Sendable {
  /// The names of font families, the preferred ones first.
  var families: [String]
  /// The weight, 400 for regular.
  var weight: Int
  /// Whether the letters are slanted.
  var isItalic = false
  /// The size in pixels.
  var pixelSize: Int
  /// Whether all digits have the same width.
  var hasMonospacedDigits = false
  /// The first family if a program named it, to report that it is missing.
  var requestedFamily: String?
}

/// A text to lay out.
nonisolated struct LayoutRequest: Hashable, Sendable {
  /// The treatment of lines that are too long.
  enum Overflow: Hashable, Sendable {
    /// The line is as long as its text.
    case visible
    /// A part is replaced by an ellipsis.
    case truncated(LineBreakMode, width: Int)
    /// The text is broken into lines.
    case wrapped(width: Int)
  }

  /// The text.
  var text: String
  /// The font of the text.
  var font: FontDescription
  /// The parts of the text in other fonts, as ranges of bytes.
  var spans: [Span] = []
  /// The treatment of lines that are too long, with widths in pixels.
  var overflow = Overflow.visible
  /// The base direction, or nil for that of the first letter.
  var direction: TextDirection?

  /// A part of the text in another font.
  struct Span: Hashable, Sendable {
    /// The bytes of the part.
    var range: Range<Int>
    /// The font.
    var font: FontDescription
  }
}
