public import Geometry
public import Rendering

/// Paints scenes into bitmaps: the same pixels for the same scene and size, on every machine and thread.
public final class LandscapePainter: Sendable {
  /// Names what is painted: another number wherever the same scene would give other pixels.
  static let version = 1

  private let materials = Materials()

  /// Makes a painter; takes about a tenth of a second, so make one and share it.
  public init() {}

  /// Paints a scene.
  ///
  /// - Parameters:
  ///   - scene: what to paint.
  ///   - size: the extent to paint it at: the scene's own, or less for a small copy of nearly the same picture.
  ///   - isCancelled: asked now and then; once true, the painting ends with a `CancellationError`.
  /// - Throws: `BitmapError` where the memory is not to be had.
  /// - Complexity: O(pixels); about a third of a second for eight million.
  public func paint(
    _ scene: LandscapeScene, size: PixelSize, isCancelled: () -> Bool = { false }
  ) throws -> Bitmap {
    var set = StageSet(scene: scene, size: size, materials: materials)
    return try paint(set.stage(), isCancelled: isCancelled)
  }

  private func paint(_ stage: Stage, isCancelled: () -> Bool) throws -> Bitmap {
    let (width, height) = (stage.camera.width, stage.camera.height)
    return try Bitmap(size: stage.camera.size, isOpaque: true) { bytes in
      guard let start = bytes.baseAddress else { return }
      let line = Sheet<Tint>(width: width, height: 1, filledWith: .zero)
      let pixels = line.row(0)
      for row in 0..<height {
        if row % 64 == 0, isCancelled() { throw CancellationError() }
        stage.sky.paint(row: row, into: pixels, width: width)
        for light in stage.lights { light.paint(row: row, into: pixels, width: width) }
        stage.land?.paint(row: row, into: pixels)
        stage.rows?.paint(row: row, into: pixels)
        for plant in stage.plants where plant.rows.contains(row) {
          plant.paint(row: row, into: pixels, width: width, land: stage.land)
        }
        stage.water?.paint(row: row, into: pixels)
        for plant in stage.foreground where plant.rows.contains(row) {
          plant.paint(row: row, into: pixels, width: width, land: nil)
        }
        stage.development.develop(
          row: row, pixels, width: width, height: height, tile: materials.grain, into: start + row * width * 4)
      }
    }
  }
}
