import CPlatform
public import Geometry
import Rendering

/// What is kept in memory, for how long, and what is given back.
extension ImagePipeline {
  /// The extent in pixels of the window that pictures are seen in, where that is known.
  ///
  /// No more pictures are kept in memory then than fill some screens of it (``ImageCache/screens``), and never more than the
  /// configuration says. Default: nil.
  public var screen: PixelSize? {
    get { knownScreen }
    set {
      guard newValue != knownScreen else { return }
      knownScreen = newValue
      cache.byteLimit =
        newValue.map { ImageCache.byteLimit(screen: $0, maximum: maximumCacheBytes) } ?? maximumCacheBytes
    }
  }

  /// A picture that is in memory; that it was asked for changes nothing.
  func peek(_ key: ImageKey) -> DecodedImage? { cache.peek(key) }

  /// Keeps a picture in memory that is on screen, the one that is there or the one that will be, until as many unpins.
  public func pin(_ key: ImageKey) { cache.pin(key) }

  /// Lets a picture leave memory again that was pinned.
  /// - Precondition: the key is pinned.
  public func unpin(_ key: ImageKey) { cache.unpin(key) }

  /// Nothing was drawn for a while, and nothing is expected: ends decoding processes that have nothing to do, which start again
  /// with the next request, and gives memory back that waits for the next picture.
  ///
  /// Pictures that are kept stay, so that going on costs no decode. It returns at once; what takes time is done on the workers'
  /// threads.
  public func releaseIdleResources() {
    let pool = pool
    execution.postIdleWork {
      pool?.releaseIdleMemory()
      platform_trim_heap()
    }
  }

  /// Memory is short: keeps a quarter of the pictures that it may keep, those that were used last, and does what ``rest()`` does
  /// as soon as workers have nothing else to do.
  public func handleMemoryPressure() {
    cache.shrink(to: 0.25)
    releaseIdleResources()
  }
}
