public import VitrineFramePacing

/// A source of encoded images of assets, which are stored on this machine or can be downloaded.
@MainActor
public protocol AssetSource<ID> {
  /// The type that identifies an asset as long as the source exists.
  associatedtype ID: Hashable & Sendable

  /// Returns an asset's encoded image on this machine, or nil if there is none or it is unknown.
  ///
  /// Called on the render thread whenever an asset is fetched, so it must answer from memory without accessing the
  /// disk. Return another ``StoredImage/name`` when the image has changed.
  func storedImage(for id: ID) -> StoredImage?

  /// Starts the download of an asset's encoded image.
  ///
  /// - Parameters:
  ///   - id: The asset.
  ///   - deadline: The time at which the image is needed, on the frame clock. It determines the position among all
  ///     downloads.
  ///   - completion: A closure to call once, from any thread, possibly before this method returns. The result is
  ///     delivered in the collect phase of a frame, which the call requests. Calls after the first, or after
  ///     cancellation, have no effect.
  /// - Returns: An object that cancels the download, or nil if there is nothing to cancel. If it is ``Deferrable``, its
  ///   deadline is updated when the asset is needed at another time.
  func download(
    _ id: ID, deadline: FrameInstant, completion: @escaping @Sendable (Result<StoredImage, AssetFailure>) -> Void
  ) -> (any Cancellable)?

  /// Returns the modelled duration of a download on the virtual and cpu clocks, which replaces its real duration.
  ///
  /// - Parameter id: The asset.
  /// - Returns: The duration; nil to deliver downloads when they finish, which differs from run to run.
  func modelledDelay(of id: ID) -> FrameDuration?
}

extension AssetSource {
  /// Fails with ``AssetFailure/notFound``.
  public func download(
    _ id: ID, deadline: FrameInstant, completion: @escaping @Sendable (Result<StoredImage, AssetFailure>) -> Void
  ) -> (any Cancellable)? {
    completion(.failure(.notFound))
    return nil
  }

  /// Returns nil.
  public func modelledDelay(of id: ID) -> FrameDuration? { nil }
}

/// A source whose assets are files on this machine.
public struct FileAssetSource<ID: Hashable & Sendable>: AssetSource {
  private let file: (ID) -> StoredImage?

  /// Creates a source.
  ///
  /// - Parameter file: A closure that returns an asset's file from memory, or nil if there is none.
  public init(_ file: @escaping @MainActor (ID) -> StoredImage?) { self.file = file }

  /// Returns an asset's file.
  public func storedImage(for id: ID) -> StoredImage? { file(id) }
}

/// The reason why an asset has no image: a state of the asset, not an error of the program.
public enum AssetFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The source has no such asset.
  case notFound
  /// The download failed, with a short reason for users and whether the failure is transient.
  case download(reason: String, isTransient: Bool)
  /// The image could not be decoded.
  case image(ImageFailure)

  /// A short text for a caption.
  public var description: String {
    switch self {
    case .notFound: "not found"
    case .download(let reason, _): reason
    case .image(let failure): failure.description
    }
  }

  /// Whether another attempt may succeed.
  public var isTransient: Bool {
    switch self {
    case .notFound: false
    case .download(_, let isPassing): isPassing
    case .image(let failure): failure.persistence != .permanent
    }
  }
}
