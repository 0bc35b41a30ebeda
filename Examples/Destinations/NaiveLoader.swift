import CollectionUI
import DecodingInPlace
import ExampleSupport
import PictureServer
import VitrineImages
import VitrineRemoteImages

/// The loading of the first three steps, which decode on the render thread.
///
/// In the second step, cells also show pictures of other posts. This code shows what goes wrong; do not copy it.
final class NaiveLoader {
  private let step: Step
  private let pipeline: ImagePipeline
  private let downloader: PictureDownloader
  private let catalog: PictureCatalog
  private let placeholders: Placeholders
  private let theme: ExampleTheme
  /// The clock that measures decoding, for traces.
  private let clock: any FrameClock
  /// Whether the program continues where a debug build would stop it.
  private let comparesSteps: Bool
  /// The size of the picture in a cell, in pixels.
  var size: PixelSize?
  /// Downloaded and not yet decoded pictures.
  private var downloaded: [DestinationPost.AssetID: [UInt8]] = [:]
  /// Failures, as texts for the cells.
  private var failures: [DestinationPost.AssetID: String] = [:]
  /// A cache of decoded pictures, similar to that of an image that decodes itself when it is first drawn.
  private var decoded = ImageCache(byteLimit: 256 << 20)
  private var loading: Set<DestinationPost.AssetID> = []

  init(
    _ settings: DestinationsSettings, _ service: PictureService, _ catalog: PictureCatalog,
    _ placeholders: Placeholders, clock: any FrameClock
  ) {
    step = settings.step
    pipeline = service.pipeline
    downloader = service.downloader
    self.catalog = catalog
    self.placeholders = placeholders
    self.clock = clock
    theme = settings.theme
    comparesSteps = settings.comparesSteps
  }

  /// Configures a cell for a post.
  ///
  /// - Parameter needsUpdate: A closure that reconfigures the post.
  func configure(_ cell: DestinationCell, for post: DestinationPost, needsUpdate: @escaping () -> Void) {
    let asset = post.assetID
    let image = decodedImage(for: asset) ?? (failures[asset] == nil ? decodeLocalData(of: asset) : nil)
    cell.configure(with: post, image: image, placeholder: placeholders.image(for: asset), theme: theme)
    if let failure = failures[asset] { return cell.showFailure(failure) }
    guard image == nil else { return }
    switch step {
    case .decodingInTheHandler:
      // The picture is not generated yet. Generating it is not part of the comparison, so no frame waits for it.
      guard size != nil, loading.insert(asset).inserted else { return }
      let catalog = catalog
      pipeline.startOperation { deliver in
        catalog.notifyWhenReady(asset) { deliver(true) }
        return nil
      } completion: { [weak self] (_: Bool) in
        self?.loading.remove(asset)
        needsUpdate()
      }
    case .settingTheCapturedCell:
      downloader.download(asset) { [weak self] result in
        // The mistake of this step: by now the cell may show another post.
        if let self { show(result, of: asset, in: cell) }
      }
    default:
      guard downloaded[asset] == nil, loading.insert(asset).inserted else { return }
      downloader.download(asset) { [weak self] result in
        self?.storeDownload(result, of: asset)
        needsUpdate()
      }
    }
  }

  /// Removes the failure of a picture, so that it is loaded again.
  ///
  /// - Returns: Whether there was a failure.
  func removeFailure(of asset: DestinationPost.AssetID) -> Bool {
    downloaded[asset] = nil
    return failures.removeValue(forKey: asset) != nil
  }

  /// The number of pictures that could not be loaded.
  var failedCount: Int { failures.count }

  /// Decodes a picture whose bytes are available locally, or returns nil.
  private func decodeLocalData(of asset: DestinationPost.AssetID) -> DecodedImage? {
    switch step {
    case .decodingInTheHandler:
      guard catalog.isReady(asset) else { return nil }
      // The mistake of this step: reading and decoding a file while a frame is made.
      guard let bytes = catalog.bytes(of: asset) else {
        recordFailure("cannot be read", of: asset)
        return nil
      }
      return decode(bytes, of: asset)
    case .settingTheCapturedCell: return nil
    default: return downloaded[asset].flatMap { decode($0, of: asset) }
    }
  }

  private func show(
    _ result: Result<[UInt8], RemoteFailure>, of asset: DestinationPost.AssetID, in cell: DestinationCell
  ) {
    var image: DecodedImage?
    switch result {
    case .success(let bytes): image = decodedImage(for: asset) ?? decode(bytes, of: asset)
    case .failure(let failure): recordFailure(failure.caption, of: asset)
    }
    #if DEBUG
      // A debug build would stop the program here, and the comparison with it.
      if comparesSteps, cell.isPooled { return }
    #endif
    cell.show(image)
    cell.showFailure(failures[asset] ?? "")
  }

  private func storeDownload(_ result: Result<[UInt8], RemoteFailure>, of asset: DestinationPost.AssetID) {
    loading.remove(asset)
    switch result {
    case .success(let bytes): downloaded[asset] = bytes
    case .failure(let failure): recordFailure(failure.caption, of: asset)
    }
  }

  private func recordFailure(_ failure: String, of asset: DestinationPost.AssetID) {
    failures[asset] = failure
  }

  private func decodedImage(for asset: DestinationPost.AssetID) -> DecodedImage? {
    size.flatMap { decoded.image(for: ImageKey(source: UInt64(asset), size: $0)) }
  }

  /// Decodes a picture on the render thread, in the middle of a frame.
  private func decode(_ bytes: [UInt8], of asset: DestinationPost.AssetID) -> DecodedImage? {
    guard let size else { return nil }
    let key = ImageKey(source: UInt64(asset), size: size)
    let start = clock.now()
    let picture = InPlaceDecoder.decode(bytes, filling: size)
    pipeline.recordDecode(
      of: key, from: start, to: clock.now(), picture.map { .success($0.bitmap) } ?? .failure(.unsupportedSource))
    guard let picture else {
      recordFailure("no picture in it", of: asset)
      return nil
    }
    let image = DecodedImage(bitmap: picture.bitmap, isDamaged: picture.isDamaged)
    decoded.insert(image, for: key)
    return image
  }
}
