/// Memory for a row of pixels, which grows to the longest and is kept.
nonisolated final class PixelRowBuffer {
  /// The pixels that were taken last.
  private(set) var pixels = UnsafeMutablePointer<UInt32>.allocate(capacity: 4)
  private var capacity = 4

  deinit { pixels.deallocate() }

  /// Room for pixels, until it is next asked for; they are undefined.
  func reserve(_ count: Int) -> UnsafeMutablePointer<UInt32> {
    if count > capacity {
      pixels.deallocate()
      pixels = .allocate(capacity: count)
      capacity = count
    }
    return pixels
  }
}
