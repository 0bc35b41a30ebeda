import struct FoundationEssentials.IndexPath
import VitrineGeometry
import VitrineRendering
import VitrineViews

/// A file or folder that another program dropped on a view.
public nonisolated struct DroppedFile: Hashable, Sendable {
  /// The bytes of the path, which need not be UTF-8.
  public let pathBytes: [UInt8]

  /// The path as text; bytes that are not UTF-8 are replaced.
  public var path: String { String(decoding: pathBytes, as: UTF8.self) }
}

extension CollectionView {
  /// Passes the files of a drop to the delegate, or declines the event.
  final func handleDrop(_ event: InputEvent) -> Bool {
    guard case .filesDropped(let paths) = event.kind, let delegate else { return false }
    let item = pointerLocation.flatMap { itemIndex(at: $0) }.map { indexPath(at: $0) }
    var isUsed = false
    deferringUpdates {
      isUsed = delegate.collectionView(self, performDropOf: paths.map { DroppedFile(pathBytes: $0) }, at: item)
    }
    return isUsed
  }
}
