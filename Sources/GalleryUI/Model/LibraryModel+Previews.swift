import Geometry
import ImagePipeline
import PhotoLibrary

extension LibraryModel {
  /// The memory that is held for each photograph, previews and all, in bytes; nothing where there are none.
  public var bytesPerItem: Int? {
    catalogue.count > 0 ? catalogue.bytesPerItem + previews.memoryBytes / catalogue.count : nil
  }

  /// Has previews of photographs that were seen written, where an archive keeps them; once more before the end.
  public func writePreviews() { previews.writePreviews() }

  /// What is remembered of how a photograph looks; nothing where it was never seen, unless it is computed.
  func tinyPreview(of item: PhotoID) -> TinyPreview? {
    catalogue.fingerprint(of: item).flatMap { previews[$0] } ?? catalogue.tinyPreview(of: item)
  }

  /// A photograph's extent in pixels, by its file or, until that was read, as it is remembered.
  func size(of item: PhotoID) -> PixelSize? { catalogue.size(of: item) ?? tinyPreview(of: item)?.pictureSize }
}
