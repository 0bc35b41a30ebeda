public import Geometry

extension DisplayInfo {
  /// Makes a description whose extent in pixels follows from the one in points.
  public init(driver: String, renderer: String, contentSize: Size, scale: DisplayScale) {
    let content = Rect(x: 0, y: 0, width: contentSize.width, height: contentSize.height)
    self.init(driver: driver, renderer: renderer, size: contentSize, pixelSize: scale.pixelRect(content), scale: scale)
  }
}
