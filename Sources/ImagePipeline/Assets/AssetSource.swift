public import FramePacing

/// Where the encoded pictures of assets are: on this machine, or to be downloaded first.
@MainActor
public protocol AssetSource<ID> {
  /// Names an asset; for as long as the source exists the same one.
  associatedtype ID: Hashable & Sendable

  /// An asset's encoded picture where it is on this machine; nothing where it is not, or not known to be.
  ///
  /// Asked whenever an asset is looked at, on the thread that draws: answered from memory, without a look at the disk. With
  /// another ``StoredImage/name`` when the picture has changed.
  func storedImage(for id: ID) -> StoredImage?

  /// Begins to bring an asset's encoded picture onto this machine.
  ///
  /// - Parameters:
  ///   - id: the asset.
  ///   - deadline: when it should be there, by the frames' clock, which is its place among all that is downloaded.
  ///   - completion: called once, from any thread and at any time, also at once: what it tells is taken in in the collect
  ///     phase of the frame that it wakes. Called again, or after cancelling, it does nothing.
  /// - Returns: what gives the download up, where there is anything to give up; a ``Deferrable`` is moved when the asset
  ///   is needed at another time.
  func download(
    _ id: ID, deadline: FrameInstant, completion: @escaping @Sendable (Result<StoredImage, AssetFailure>) -> Void
  ) -> (any Cancellable)?

  /// What a download takes on a modelled time line, as on the virtual and cpu clocks: there it ends so long after it was begun,
  /// however long it really takes.
  ///
  /// - Parameter id: the asset.
  /// - Returns: nothing where it is taken in when it is there, which differs from run to run.
  func modelledDelay(of id: ID) -> FrameDuration?
}

extension AssetSource {
  /// What is not on this machine is not there.
  public func download(
    _ id: ID, deadline: FrameInstant, completion: @escaping @Sendable (Result<StoredImage, AssetFailure>) -> Void
  ) -> (any Cancellable)? {
    completion(.failure(.notFound))
    return nil
  }

  /// None is declared.
  public func modelledDelay(of id: ID) -> FrameDuration? { nil }
}
