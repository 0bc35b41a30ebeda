import ImagePipeline
import PhotoLibrary

/// What other programs and the bar are told of photographs.
extension LibraryModel {
  /// Where a photograph is; nothing where it has no file.
  func location(of item: PhotoID) -> PictureLocation? {
    switch catalogue.imageSource(of: item) {
    case .file(path: let path): .file(PhotoPath(path).absolute.bytes)
    case .remote(let request): .url(request.url.text)
    case .memory, .generated, nil: nil
    }
  }

  /// The bytes of a photograph's file, as it was found; 0 where it has none.
  func byteCount(of item: PhotoID) -> Int64 { Int64(catalogue.byteCount(of: item)) }
}
