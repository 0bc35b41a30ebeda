// More code of the article “Pictures”; the rest is in Examples/Photos.
import CollectionUI
import VitrineImages
import VitrineRemoteImages

/// A view that shows one picture.
@MainActor
final class Poster {
  let imageView = ImageView()
  private var preparation: ImagePreparation?

  func show(_ path: String, in pipeline: ImagePipeline) {
    let image = StoredImage(path: Array(path.utf8))
    preparation = image.prepareForDisplay(in: pipeline) { [imageView] outcome in
      switch outcome {
      case .success(let decoded): imageView.image = decoded.bitmap
      case .failure: imageView.placeholderColor = Color(hex: 0x5A2A2A)
      }
    }
  }

  func showThumbnail(_ image: StoredImage, of size: PixelSize, in pipeline: ImagePipeline) {
    preparation?.cancel()
    preparation = image.prepareThumbnail(of: size, in: pipeline) { [imageView] outcome in
      imageView.image = try? outcome.get().bitmap
    }
  }

  func style() {
    imageView.placeholderColor = Color(hex: 0x26272D)
    imageView.cornerRadius = 8
    imageView.cornerColor = Color(hex: 0x121316)
  }
}

/// Returns the configuration of a pipeline that stores thumbnails on disk.
func makeStoringConfiguration(in cacheFolder: [UInt8]) -> ImagePipelineConfiguration {
  var configuration = ImagePipelineConfiguration()
  configuration.storage = .disk(StorageConfiguration(directory: cacheFolder))
  return configuration
}

/// The pictures of a server.
@MainActor
enum WebPictures {
  static func makeAssets(
    urls: [Int: RemoteURL], pipeline: ImagePipeline, size: PixelSize
  ) throws -> AssetStore<RemoteAssetSource<Int>> {
    let transfers = try RemoteTransfers(RemoteConfiguration(folder: nil, seed: 1))
    let source = RemoteAssetSource<Int>(transfers) { id in urls[id].map { RemoteRequest($0) } }
    let assets = AssetStore(pipeline: pipeline, source: source, form: .thumbnail(size))
    return assets
  }
}
