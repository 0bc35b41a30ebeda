/// Memory for a row of pixels, which grows to the longest and is kept.
nonisolated final class PixelRow {
  private var start = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
  private var capacity = 1

  deinit { start.deallocate() }

  /// Room for pixels, until it is next asked for; they are undefined.
  func take(_ count: Int) -> UnsafeMutablePointer<UInt32> {
    if count > capacity {
      start.deallocate()
      start = .allocate(capacity: count)
      capacity = count
    }
    return start
  }
}
