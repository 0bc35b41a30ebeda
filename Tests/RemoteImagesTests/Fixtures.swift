import DataStructures
import Foundation
import FramePacing
import Geometry
import ImagePipeline
import TestSupport

/// Returns a size in pixels, which must be positive.
func pixels(_ width: Int, _ height: Int) -> PixelSize {
  guard let size = PixelSize(width: width, height: height) else { failPrecondition("no size: \(width) x \(height)") }
  return size
}

/// Returns the key of a square image with the given side, in pixels.
func key(_ source: Int, side: Int = 1) -> ImageKey { ImageKey(source: UInt64(source), size: pixels(side, side)) }

/// Returns a time in milliseconds since ``FrameInstant/zero``.
func at(_ milliseconds: Double) -> FrameInstant { .zero + .milliseconds(milliseconds) }

extension ImageOutcome {
  /// The reason why there is no image; nil if there is one.
  var failure: ImageFailure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}

extension ImagePipeline {
  /// Collects images, waiting for the waker, until the given number of arrivals has been received.
  func waitForArrivals(_ count: Int, _ waker: TestWaker) throws -> [ImageArrival] {
    var arrivals: [ImageArrival] = []
    while arrivals.count < count {
      try waker.wait(for: "image \(arrivals.count + 1) of \(count)")
      arrivals += collect(at: .zero)
    }
    return arrivals
  }
}

/// A temporary folder for one test, which is removed with its contents at deinitialization.
final class TemporaryFolder {
  /// The folder's path.
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "vitrine-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Returns the path of a file in the folder.
  func path(of name: String) -> String { path + "/" + name }

  /// Returns the path of a file in the folder, as bytes.
  func pathBytes(of name: String) -> [UInt8] { Array(path(of: name).utf8) }

  /// Returns whether a file with this name exists in the folder.
  func contains(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(of: name)) }

  /// Returns the sorted names of the files in a subfolder.
  func fileNames(in name: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path(of: name))) ?? []).sorted()
  }

  /// Writes a file.
  func write(_ content: some Sequence<UInt8>, to name: String) throws {
    try Data(content).write(to: URL(fileURLWithPath: path(of: name)))
  }
}
