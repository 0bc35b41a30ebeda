import DataStructures
import Foundation
import FramePacing
import Geometry
import Glibc
@testable import ImagePipeline
import Rendering
import TestSupport
import Testing
import Threads

/// Returns a size in pixels, which must be positive.
func pixels(_ width: Int, _ height: Int) -> PixelSize {
  guard let size = PixelSize(width: width, height: height) else { failPrecondition("no size: \(width) x \(height)") }
  return size
}

/// Returns the key of a square image with the given side, in pixels.
func key(_ source: Int, side: Int = 1, fit: ImageFit = .fill) -> ImageKey {
  ImageKey(source: UInt64(source), size: pixels(side, side), fit: fit)
}

/// Returns a request for an image that the test's decoder generates.
func request(_ source: Int, side: Int = 1, fileBytes: Int = 0) -> ImageRequest {
  ImageRequest(key: key(source, side: side), source: .generated(UInt64(source)), fileBytes: fileBytes)
}

/// Returns a time in milliseconds since ``FrameInstant/zero``.
func at(_ milliseconds: Double) -> FrameInstant { .zero + .milliseconds(milliseconds) }

/// Returns the generated image of a key.
func generatedImage(_ key: ImageKey) -> ImageOutcome { GatedDecoder.generatedImage(for: key) }

extension ImageArrival {
  /// The arrival as a short text, for logs that tests compare.
  var summary: String {
    switch outcome {
    case .success(let image): "\(key.source)@\(key.size.width) \(image.bitmap.contentDigest)"
    case .failure(let failure): "\(key.source)@\(key.size.width) \(failure)"
    }
  }
}

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

  /// Returns the length of a file, in bytes.
  func byteCount(of name: String) throws -> Int {
    try Data(contentsOf: URL(fileURLWithPath: path(of: name))).count
  }

  /// Writes a file.
  /// - Returns: The bytes of its path.
  @discardableResult
  func write(_ content: some Sequence<UInt8>, to name: String, permissions: Int = 0o644) throws -> [UInt8] {
    try Data(content).write(to: URL(fileURLWithPath: path(of: name)))
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path(of: name))
    return pathBytes(of: name)
  }

  /// Writes an executable file.
  ///
  /// A file that is open for writing cannot be executed (ETXTBSY), and a process that another test is starting holds a
  /// copy of our descriptor until its exec. A read lease is granted only when no descriptor is open for writing.
  /// - Returns: The file's path.
  func writeExecutable(_ content: String, to name: String) throws -> String {
    try write(content.utf8, to: name, permissions: 0o755)
    let file = open(path(of: name), O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    let setLease: Int32 = 1_024
    try Deadline().wait(for: "the last writer of \(name) to close it") {
      fcntl(file, setLease, F_RDLCK) == 0 || errno != EAGAIN ? () : nil
    }
    _ = fcntl(file, setLease, F_UNLCK)
    return path(of: name)
  }
}
