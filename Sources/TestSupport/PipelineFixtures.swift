import VitrineDataStructures
public import VitrineFramePacing
public import VitrineGeometry
public import VitrineImagePipeline

/// Returns a size in pixels, which must be positive.
public func pixels(_ width: Int, _ height: Int) -> PixelSize {
  guard let size = PixelSize(width: width, height: height) else { failPrecondition("no size: \(width) x \(height)") }
  return size
}

/// Returns the key of a square image with the given side, in pixels.
public func key(_ source: Int, side: Int = 1, fit: ImageFit = .fill) -> ImageKey {
  ImageKey(source: UInt64(source), size: pixels(side, side), fit: fit)
}

/// Returns a request for the file at a path, given by its bytes.
public func fileRequest(_ path: [UInt8], source: Int, _ size: PixelSize, fit: ImageFit = .fill) -> ImageRequest {
  ImageRequest(key: ImageKey(source: UInt64(source), size: size, fit: fit), source: .file(path: path))
}

/// Returns a time in milliseconds since ``FrameInstant/zero``.
public func at(_ milliseconds: Double) -> FrameInstant { .zero + .milliseconds(milliseconds) }

extension ImageOutcome {
  /// The reason why there is no image; nil if there is one.
  public var failure: ImageFailure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}

extension ImagePipeline {
  /// Collects images, waiting for the waker, until the given number of arrivals has been received.
  public func waitForArrivals(_ count: Int, _ waker: TestWaker) throws -> [ImageArrival] {
    var arrivals: [ImageArrival] = []
    while arrivals.count < count {
      try waker.wait(for: "image \(arrivals.count + 1) of \(count)")
      arrivals += collect(at: .zero)
    }
    return arrivals
  }
}
