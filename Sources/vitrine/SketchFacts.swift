import Geometry
import ImagePipeline
import PhotoLibrary
import SampleLibrary

/// The painted album as the library asks for it.
nonisolated struct SketchAlbumAdapter: PictureAlbum {
  let album: SketchAlbum

  func title(at number: Int) -> String { album.title(at: number) }

  func size(at number: Int) -> PixelSize { album.size(at: number) }

  func captureTime(at number: Int) -> Int64 { album.captureTime(at: number) }

  func tinyPreview(at number: Int) -> TinyPreview? { album.tinyPreview(at: number) }
}
