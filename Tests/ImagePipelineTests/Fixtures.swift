import DataStructures
import FramePacing
import Geometry
import Rendering
import TestSupport
import Testing
import Threads

@testable import ImagePipeline

/// A size that is known to be one.
func pixels(_ width: Int, _ height: Int) -> PixelSize {
  guard let size = PixelSize(width: width, height: height) else { failPrecondition("no size: \(width) x \(height)") }
  return size
}

/// A key of a one-pixel picture.
func key(_ source: Int, side: Int = 1, fit: ImageFit = .fill) -> ImageKey {
  ImageKey(source: UInt64(source), size: pixels(side, side), fit: fit)
}

/// A request for a picture that a test's decoder paints.
func request(_ source: Int, side: Int = 1, fileBytes: Int = 0) -> ImageRequest {
  ImageRequest(key: key(source, side: side), source: .generated(UInt64(source)), fileBytes: fileBytes)
}

/// A moment, in milliseconds.
func at(_ milliseconds: Double) -> FrameInstant { .zero + .milliseconds(milliseconds) }

/// A picture of a key.
func picture(_ key: ImageKey) -> ImageOutcome { GatedDecoder.generatedImage(for: key) }

extension ImageArrival {
  /// The arrival in a word, for logs that are compared.
  var note: String {
    switch outcome {
    case .success(let image): "\(key.source)@\(key.size.width) \(image.bitmap.contentDigest)"
    case .failure(let failure): "\(key.source)@\(key.size.width) \(failure)"
    }
  }
}

extension ImagePipeline {
  /// Collects, waiting for the waker, until so many arrivals are there.
  func waitForArrivals(_ count: Int, _ waker: TestWaker) throws -> [ImageArrival] {
    var arrivals: [ImageArrival] = []
    while arrivals.count < count {
      try waker.wait(for: "picture \(arrivals.count + 1) of \(count)")
      arrivals += collect(at: .zero)
    }
    return arrivals
  }
}
