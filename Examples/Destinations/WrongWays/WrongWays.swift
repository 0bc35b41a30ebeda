import CollectionUI
import DecodingInPlace
import ExampleSupport
import FramePacing
import Geometry
import ImagePipeline
import PictureServer
import Rendering

/// The first three steps: three ways in which the thread that draws decodes, and one in which cells show what is not
/// theirs.
///
/// Kept to be looked at. Nothing of it is to be copied.
final class WrongWays {
  private let step: Step
  private let pipeline: ImagePipeline
  private let web: WebPictures
  private let shelf: PictureShelf
  private let placeholders: Placeholders
  private let theme: ExampleTheme
  /// The place of a picture in pixels.
  var size: PixelSize?
  /// What was downloaded and not decoded.
  private var downloaded: [DestinationPost.AssetID: [UInt8]] = [:]
  private var failures: [DestinationPost.AssetID: String] = [:]
  /// What was decoded stays so for a while, as with a picture that decodes itself when it is drawn first.
  private var decoded = ImageCache(byteLimit: 256 << 20)
  private var loading: Set<DestinationPost.AssetID> = []
  /// Whether cells that lie in the pool are spared, as a debug build would stop the program.
  private let sparesPooledCells: Bool

  init(
    _ step: Step, _ pipeline: ImagePipeline, _ web: WebPictures, _ shelf: PictureShelf, _ placeholders: Placeholders,
    theme: ExampleTheme, sparesPooledCells: Bool
  ) {
    self.step = step
    self.pipeline = pipeline
    self.web = web
    self.shelf = shelf
    self.placeholders = placeholders
    self.theme = theme
    self.sparesPooledCells = sparesPooledCells
  }

  /// What a cell's handler does.
  ///
  /// - Parameter needsUpdate: tells the data source that the post is not what it was.
  func configure(_ cell: DestinationCell, for post: DestinationPost, needsUpdate: @escaping () -> Void) {
    switch step {
    case .decodingInTheHandler:
      // The file is at hand, so why not now?
      let image = picture(of: post.assetID) ?? shelf.picture(post.assetID).flatMap { decode($0, of: post.assetID) }
      cell.show(post, picture: image, else: placeholders.placeholder(of: post.assetID), in: theme)
    case .settingTheCapturedCell:
      let image = picture(of: post.assetID)
      cell.show(post, picture: image, else: placeholders.placeholder(of: post.assetID), in: theme)
      guard image == nil else { return }
      web.download(post.assetID) { [weak self] result in
        // The cell that asked is there, so why not put it there?
        if let self { set(result, of: post.assetID, in: cell) }
      }
    default:
      let image = picture(of: post.assetID) ?? downloaded[post.assetID].flatMap { decode($0, of: post.assetID) }
      cell.show(post, picture: image, else: placeholders.placeholder(of: post.assetID), in: theme)
      if let failure = failures[post.assetID] { return cell.show(failure: failure) }
      guard image == nil, loading.insert(post.assetID).inserted else { return }
      web.download(post.assetID) { [weak self] result in
        self?.take(result, of: post.assetID)
        needsUpdate()
      }
    }
  }

  private func set(
    _ result: Result<[UInt8], RemoteFailure>, of asset: DestinationPost.AssetID, in cell: DestinationCell
  ) {
    if sparesPooledCells, cell.isPooled { return }
    switch result {
    case .success(let bytes): cell.show(picture(of: asset) ?? decode(bytes, of: asset))
    case .failure(let failure): cell.show(failure: failure.caption)
    }
  }

  private func take(_ result: Result<[UInt8], RemoteFailure>, of asset: DestinationPost.AssetID) {
    switch result {
    case .success(let bytes): downloaded[asset] = bytes
    case .failure(let failure): failures[asset] = failure.caption
    }
  }

  private func picture(of asset: DestinationPost.AssetID) -> Bitmap? {
    size.flatMap { decoded.image(for: ImageKey(source: UInt64(asset), size: $0)) }?.bitmap
  }

  /// Decodes on the thread that draws, in the middle of a frame.
  private func decode(_ bytes: [UInt8], of asset: DestinationPost.AssetID) -> Bitmap? {
    guard let size else { return nil }
    let image = StoredImage(source: .painted(UInt64(asset)), byteCount: bytes.count)
    guard case .success(let picture) = pipeline.decodeInPlace(image, for: .thumbnail(size), by: InPlaceDecoder(bytes))
    else {
      failures[asset] = "no picture in it"
      return nil
    }
    decoded.keep(picture, for: ImageKey(source: UInt64(asset), size: size))
    return picture.bitmap
  }
}
