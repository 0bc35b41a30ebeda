/// Assets that are files on this machine.
public struct FileAssetSource<ID: Hashable & Sendable>: AssetSource {
  private let file: (ID) -> StoredImage?

  /// Makes a source.
  ///
  /// - Parameter file: an asset's file, from memory; nothing where there is none.
  public init(_ file: @escaping @MainActor (ID) -> StoredImage?) { self.file = file }

  /// An asset's file.
  public func storedImage(for id: ID) -> StoredImage? { file(id) }
}
