import Geometry

@testable import CollectionLayout

extension SolvedComposition {
  /// As much of each item as is seen of it, in whole pixels: what lies outside of its strip is not.
  var seenItems: [PixelRect] {
    let scale = environment.scale
    return (0..<itemCounts.total).map { item in
      let frame = scale.pixelRect(frame(ofItem: item))
      guard let section = itemCounts.position(of: item)?.section, let strip = orthogonalSection(section) else {
        return frame
      }
      return frame.intersection(scale.pixelRect(strip.frame))
    }
  }
}
