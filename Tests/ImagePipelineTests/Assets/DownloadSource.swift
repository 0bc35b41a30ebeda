import FramePacing
import Threads

@testable import ImagePipeline

/// A source whose downloads end when a test says so, from any thread.
@MainActor
final class DownloadSource: AssetSource {
  private final class Download: Deferrable {
    var deadline: FrameInstant
    var isGivenUp = false

    init(_ deadline: FrameInstant) { self.deadline = deadline }

    func updateDeadline(_ deadline: FrameInstant) { self.deadline = deadline }

    func cancel() { isGivenUp = true }
  }

  /// Assets that are on this machine.
  var here: [Int: StoredImage] = [:]
  /// Downloads begun, in order.
  private(set) var begun: [Int] = []
  private var completions: [Int: @Sendable (Result<StoredImage, AssetFailure>) -> Void] = [:]
  private var downloads: [Int: Download] = [:]

  init() {}

  /// Assets whose download was given up.
  var givenUp: [Int] { downloads.filter(\.value.isGivenUp).keys.sorted() }

  func storedImage(for id: Int) -> StoredImage? { here[id] }

  /// When an asset should be there whose download was begun.
  func deadline(of id: Int) -> FrameInstant? { downloads[id]?.deadline }

  func download(
    _ id: Int, deadline: FrameInstant, completion: @escaping @Sendable (Result<StoredImage, AssetFailure>) -> Void
  ) -> (any Cancellable)? {
    begun.append(id)
    completions[id] = completion
    let download = Download(deadline)
    downloads[id] = download
    return download
  }

  /// Ends the download of an asset, from a thread of its own.
  func end(_ id: Int, _ result: Result<StoredImage, AssetFailure>) throws {
    guard let completion = completions[id] else { return }
    let thread = try WorkerThread(name: "download \(id)") { completion(result) }
    thread.join()
  }
}
