import CollectionUI
import DataStructures
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
  /// Tells how long decoding takes, for a trace.
  private let clock: any FrameClock
  /// Whether the program is to survive what a debug build stops it for.
  private let tellsStory: Bool
  /// The place of a picture in pixels.
  var size: PixelSize?
  /// What was downloaded and not decoded, what was asked for last of it.
  private var downloaded = LRUCache<DestinationPost.AssetID, [UInt8]>(costLimit: 256 << 20)
  /// Why there are no pictures of some, the latest of them.
  private var failures = LRUCache<DestinationPost.AssetID, String>(costLimit: 1 << 16)
  /// What was decoded stays so for a while, as with a picture that decodes itself when it is drawn first.
  private var decoded = ImageCache(byteLimit: 256 << 20)
  private var loading: Set<DestinationPost.AssetID> = []

  init(
    _ settings: DestinationsSettings, _ supply: PictureSupply, _ shelf: PictureShelf, _ placeholders: Placeholders,
    clock: any FrameClock
  ) {
    step = settings.step
    pipeline = supply.pipeline
    web = supply.web
    self.shelf = shelf
    self.placeholders = placeholders
    self.clock = clock
    theme = settings.theme
    tellsStory = settings.tellsStory
  }

  /// What a cell's handler does.
  ///
  /// - Parameter needsUpdate: tells the data source that the post is not what it was.
  func configure(_ cell: DestinationCell, for post: DestinationPost, needsUpdate: @escaping () -> Void) {
    let asset = post.assetID
    let image = picture(of: asset) ?? (failures.peekValue(for: asset) == nil ? decodeWhatIsAtHand(of: asset) : nil)
    cell.show(post, picture: image, else: placeholders.placeholder(of: asset), in: theme)
    if let failure = failures.peekValue(for: asset) { return cell.show(failure: failure) }
    guard image == nil else { return }
    switch step {
    case .decodingInTheHandler:
      // Not yet. That it is painted first is no part of the lesson, so nobody is kept waiting for it.
      guard size != nil, loading.insert(asset).inserted else { return }
      let shelf = shelf
      pipeline.startOperation { deliver in
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
      guard downloaded.peekValue(for: asset) == nil, loading.insert(asset).inserted else { return }
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
    downloaded.remove(asset)
    return failures.remove(asset) != nil
  }

  /// Assets that could not be had.
  var failedCount: Int { failures.count }

  /// The picture of what is on this machine, undecoded until now.
  private func decodeWhatIsAtHand(of asset: DestinationPost.AssetID) -> DecodedImage? {
    switch step {
    case .decodingInTheHandler:
      guard shelf.isAtHand(asset) else { return nil }
      // The file is at hand, so why not now?
      guard let bytes = shelf.picture(asset) else {
        note("cannot be read", of: asset)
        return nil
      }
      return decode(bytes, of: asset)
    case .settingTheCapturedCell: return nil
    default: return downloaded.value(for: asset).flatMap { decode($0, of: asset) }
    }
  }

  private func set(
    _ result: Result<[UInt8], RemoteFailure>, of asset: DestinationPost.AssetID, in cell: DestinationCell
  ) {
    var image: DecodedImage?
    switch result {
    case .success(let bytes): image = picture(of: asset) ?? decode(bytes, of: asset)
    case .failure(let failure): note(failure.caption, of: asset)
    }
    #if DEBUG
      // Here a debug build stops the program, and with it the story.
      if tellsStory, cell.isPooled { return }
    #endif
    cell.show(image)
    cell.show(failure: failures.peekValue(for: asset) ?? "")
  }

  private func take(_ result: Result<[UInt8], RemoteFailure>, of asset: DestinationPost.AssetID) {
    loading.remove(asset)
    switch result {
    case .success(let bytes): downloaded.insert(bytes, for: asset, cost: bytes.count)
    case .failure(let failure): note(failure.caption, of: asset)
    }
  }

  private func note(_ failure: String, of asset: DestinationPost.AssetID) {
    failures.insert(failure, for: asset, cost: 1)
  }

  private func picture(of asset: DestinationPost.AssetID) -> DecodedImage? {
    size.flatMap { decoded.image(for: ImageKey(source: UInt64(asset), size: $0)) }
  }

  /// Decodes on the thread that draws, in the middle of a frame.
  private func decode(_ bytes: [UInt8], of asset: DestinationPost.AssetID) -> DecodedImage? {
    guard let size else { return nil }
    let key = ImageKey(source: UInt64(asset), size: size)
    let began = clock.now()
    let picture = InPlaceDecoder.picture(of: bytes, filling: size)
    pipeline.recordDecode(
      of: key, from: began, to: clock.now(), picture.map { .success($0.bitmap) } ?? .failure(.unsupportedSource))
    guard let picture else {
      note("no picture in it", of: asset)
      return nil
    }
    let image = DecodedImage(bitmap: picture.bitmap, isDamaged: picture.isDamaged)
    decoded.insert(image, for: key)
    return image
  }
}
