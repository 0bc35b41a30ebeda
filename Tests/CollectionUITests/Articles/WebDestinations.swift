// More code of the article LoadingImages: ArticleTests compares the two.
import CollectionUI
import VitrineGeometry
import VitrineImagePipeline
import VitrineRemoteImages
import VitrineViews

struct WebPost {
  let id: Int
  let pictureURL: RemoteURL
}

final class WebDestinations {
  let assets: AssetStore<RemoteAssetSource<Int>>
  var previews: [Int: TinyPreview] = [:]

  init(posts: [Int: WebPost], pipeline: ImagePipeline, cacheFolder: [UInt8]?, cellSize: PixelSize) throws {
    let transfers = try RemoteTransfers(RemoteConfiguration(folder: cacheFolder, seed: .random(in: .min ... .max)))
    let source = RemoteAssetSource(transfers) { id in posts[id].map { RemoteRequest($0.pictureURL) } }
    let assets = AssetStore(pipeline: pipeline, source: source, form: .thumbnail(cellSize))
    self.assets = assets
  }

  func showPreview(of post: WebPost, in cell: DestinationCell, at pixelSize: PixelSize) {
    if let preview = previews[post.id] {
      cell.picture.placeholderImage = preview.bitmap(for: pixelSize)
    }
  }
}
