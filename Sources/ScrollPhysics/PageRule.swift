/// Where content that moves by pages comes to rest when a hand lets go of it.
public enum PageRule {
  /// Content that is let go slower than this, in points a second, goes to the nearest page.
  public static let turningSpeed = 300.0

  /// The page's offset in points: the nearest page to where it is, or the next one the way that it goes.
  ///
  /// - Parameters:
  ///   - offset: where it is let go.
  ///   - velocity: how fast, in points a second.
  ///   - range: the offsets; pages are of its viewport's length, from its beginning, and the last one ends at its end.
  /// - Complexity: O(1).
  public static func offset(from offset: Double, velocity: Double, in range: ScrollRange) -> Double {
    let (place, page) = (range.clamp(offset) - range.minimum, range.viewportLength)
    guard page > 0 else { return range.clamp(offset) }
    // A page that is all but reached is not the next one.
    let slip = page * 0.001
    let number =
      if velocity >= turningSpeed {
        ((place + slip) / page).rounded(.down) + 1
      } else if velocity <= -turningSpeed {
        ((place - slip) / page).rounded(.up) - 1
      } else {
        nearest(place, page, range.length)
      }
    return range.clamp(range.minimum + number * page)
  }

  /// The nearest page's number; the last one may begin before a whole page has passed.
  private static func nearest(_ place: Double, _ page: Double, _ length: Double) -> Double {
    let number = (place / page).rounded()
    let last = (length / page).rounded(.up)
    return length - place < (place - number * page).magnitude ? last : number
  }
}
