import VitrineGeometry
import VitrineRendering

nonisolated extension LayoutPainter {
  /// Paints a line whose parts have styles and colours of their own.
  ///
  /// - Parameters:
  ///   - laidOut: The layout of the line.
  ///   - line: The line.
  /// - Returns: The line, or nil if it has no width or if the system has no memory.
  /// - Complexity: O(pixels).
  func renderStyled(_ laidOut: LaidOutLine, of line: TextLayoutThread.Line) -> RenderedLine? {
    let components = components(of: laidOut, recordsClusters: true)
    let styles = line.styles
    var painted = StyledLineComponents(ascent: line.ascent, descent: line.descent)
    for (mask, cluster) in zip(components.masks, components.clusters) {
      painted.append(
        StyledLineComponents.Glyph(
          columns: mask.x..<mask.x + mask.image.width, rows: -mask.top..<mask.image.height - mask.top,
          coverage: mask.image.coverage, color: styles[styles.index(at: cluster)].run.foregroundColor))
    }
    let height = line.ascent + line.descent
    for glyph in components.images {
      guard let placed = placedImage(of: glyph, height: height),
        let size = PixelSize(width: placed.width, height: placed.height)
      else { continue }
      // Emoji are centred vertically in the line.
      let top = (height - placed.height) / 2 - line.ascent
      painted.append(
        StyledLineComponents.Image(x: placed.x, y: top, size: size) { body in
          placed.image.forEachScaledPixel(width: size.width, height: size.height, body)
        })
    }
    for extent in laidOut.extents(of: styles) {
      let style = styles[extent.style]
      painted.appendLines(of: style.run, columns: extent.columns, pixelSize: style.pixelSize)
    }
    return painted.render(
      width: min(components.columns.count, LayoutPainter.maximumWidth), left: components.columns.lowerBound,
      isRightToLeft: laidOut.isRightToLeft)
  }
}

nonisolated extension [TextLayoutThread.LineStyle] {
  /// Returns the index of the style of an offset in the text, or the last one at its end.
  ///
  /// - Complexity: O(log n).
  fileprivate func index(at offset: Int) -> Int {
    var (low, high) = (0, count - 1)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].run.range.upperBound <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

nonisolated extension LaidOutLine {
  /// Returns the columns in pixels that are displayed in each style, from left to right.
  ///
  /// A style has several extents if text of other directions separates its parts.
  fileprivate func extents(of styles: [TextLayoutThread.LineStyle]) -> [(style: Int, columns: Range<Int>)] {
    var extents: [(style: Int, columns: Range<Int>)] = []
    for glyph in runs.lazy.flatMap(\.glyphs) where glyph.advance > 0 {
      let style = styles.index(at: glyph.cluster)
      let start = (glyph.x + 512) >> 10
      let end = max(start, (glyph.x + glyph.advance + 512) >> 10)
      if let last = extents.last, last.style == style {
        extents[extents.count - 1].columns = last.columns.lowerBound..<max(last.columns.upperBound, end)
      } else {
        extents.append((style, start..<end))
      }
    }
    return extents
  }
}
