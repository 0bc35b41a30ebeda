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
    let asset = post.assetID
    let image = picture(of: asset) ?? (failures[asset] == nil ? decodeWhatIsAtHand(of: asset) : nil)
    cell.show(post, picture: image, else: placeholders.placeholder(of: asset), in: theme)
    if let failure = failures[asset] { return cell.show(failure: failure) }
    guard image == nil else { return }
    switch step {
    case .decodingInTheHandler:
      // Not yet. That it is painted first is no part of the lesson, so nobody is kept waiting for it.
      guard size != nil, loading.insert(asset).inserted else { return }
      let shelf = shelf
      pipeline.bring { deliver in
        shelf.whenAtHand(asset) { deliver(true) }
        return nil
      } completion: { [weak self] (_: Bool) in
        self?.loading.remove(asset)
        needsUpdate()
      }
    case .settingTheCapturedCell:
      web.download(asset) { [weak self] result in
        // The cell that asked is there, so why not put it there?
        if let self { set(result, of: asset, in: cell) }
      }
    default:
      guard loading.insert(asset).inserted else { return }
      web.download(asset) { [weak self] result in
        self?.take(result, of: asset)
        needsUpdate()
      }
    }
  }

  /// Tries again to bring what could not be had.
  ///
  /// - Returns: whether there is anything to try.
  func forgetFailure(of asset: DestinationPost.AssetID) -> Bool {
    guard failures.removeValue(forKey: asset) != nil else { return false }
    loading.remove(asset)
    downloaded[asset] = nil
    return true
  }

  /// Assets that could not be had.
  var failedCount: Int { failures.count }

  /// The picture of what is on this machine, undecoded until now.
  private func decodeWhatIsAtHand(of asset: DestinationPost.AssetID) -> Bitmap? {
    switch step {
    case .decodingInTheHandler:
      guard shelf.isAtHand(asset) else { return nil }
      // The file is at hand, so why not now?
      guard let bytes = shelf.picture(asset) else {
        failures[asset] = "cannot be read"
        return nil
      }
      return decode(bytes, of: asset)
    case .settingTheCapturedCell: return nil
    default: return downloaded[asset].flatMap { decode($0, of: asset) }
    }
  }

  private func set(
    _ result: Result<[UInt8], RemoteFailure>, of asset: DestinationPost.AssetID, in cell: DestinationCell
  ) {
    if sparesPooledCells, cell.isPooled { return }
    switch result {
    case .success(let bytes): cell.show(picture(of: asset) ?? decode(bytes, of: asset))
    case .failure(let failure):
      failures[asset] = failure.caption
      cell.show(nil)
    }
    cell.show(failure: failures[asset] ?? "")
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
