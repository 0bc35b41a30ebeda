/// Where a plant is drawn, dot by dot: cells of shade, accent, nothing and coverage.
///
/// Shade 0 is the dark and 1 the lit of the plant's own colour; accent is the part of snow or of blossom.
struct PlantCanvas {
  let sheet: Sheet<SIMD4<Float>>

  init(width: Int, height: Int) {
    sheet = Sheet(width: width, height: height, filledWith: .zero)
  }

  /// Sets a round dot with a soft rim over what is there.
  func dot(x: Float, y: Float, radius: Float, shade: Float, accent: Float = 0) {
    let reach = radius + 0.7
    let (left, right) = (max(0, floored(x - reach)), min(sheet.width - 1, floored(x + reach) + 1))
    let (top, bottom) = (max(0, floored(y - reach)), min(sheet.height - 1, floored(y + reach) + 1))
    guard left <= right, top <= bottom else { return }
    // A dot smaller than a cell covers a part of it.
    let most = min(1, radius * radius * 3.2)
    for row in top...bottom {
      let down = Float(row) + 0.5 - y
      let line = sheet.row(row)
      for column in left...right {
        let across = Float(column) + 0.5 - x
        let distance = (across * across + down * down).squareRoot()
        let part = clamped(radius + 0.5 - distance) * most
        guard part > 0 else { continue }
        line[column] = line[column] * (1 - part) + SIMD4(shade, accent, 0, 1) * part
      }
    }
  }

  /// Draws a line of dots that changes its thickness.
  func stroke(
    from start: SIMD2<Float>, to end: SIMD2<Float>, radius: ClosedRange<Float>, shade: Float, accent: Float = 0
  ) {
    let way = end - start
    let length = (way * way).sum().squareRoot()
    let steps = max(1, Int(length / max(0.5, radius.upperBound * 0.6)))
    for step in 0...steps {
      let part = Float(step) / Float(steps)
      let place = start + way * part
      dot(
        x: place.x, y: place.y, radius: mix(radius.upperBound, radius.lowerBound, part), shade: shade, accent: accent)
    }
  }
}
