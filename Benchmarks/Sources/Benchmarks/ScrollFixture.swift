import BenchmarkSupport
import CollectionUI
import VitrineCollectionLayout
import VitrineDataStructures
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineViews

/// A collection view of images in an offscreen window, with its frame loop.
///
/// The window has 1280 x 800 points, with eight columns and 48 to 56 visible cells.
@MainActor
final class ScrollFixture {
  /// The collection view.
  let view: CollectionView
  /// The frame loop.
  let loop: CommitLoop
  /// The scripted events of the window.
  let events: ScriptedEventSource
  /// The display, which ends the measured region of each frame.
  let display: MeteringDisplay
  /// The images of the cells.
  let pictures: SampleBitmaps
  /// The data source.
  ///
  /// Each item is its number.
  let source: DiffableDataSource<Int, Int>

  static let size = Size(width: 1_280, height: 800)

  /// Creates a collection view with items.
  ///
  /// - Parameters:
  ///   - count: The number of items.
  ///   - refreshRate: The refresh rate, in hertz.
  ///   - clock: A simulated clock.
  ///   - meter: The meter of a region of each frame.
  init(count: Int, refreshRate: Int, clock: any FrameClock, meter: FrameMeter) throws {
    let display = MeteringDisplay(size: ScrollFixture.size, meter: meter)
    let layout = GridLayout(
      columns: .count(8), columnSpacing: 8, rowSpacing: 8, heightRatio: 0.75, captionHeight: 17)
    let view = CollectionView(layout: layout)
    let events = ScriptedEventSource(now: { clock.now() })
    let window = Window(rootView: view, resources: RenderResources(display: display, text: BlockTextRasterizer()))
    loop = CommitLoop(
      window: window, display: display,
      events: events, clock: clock,
      pacing: LoopPacing(
        kind: clock.kind, interval: .seconds(1 / Double(refreshRate)), isMeasured: false, reason: "a benchmark"))
    window.addParticipant(view)
    window.resize(to: ScrollFixture.size)
    guard let size = PixelSize(width: 153, height: 115) else {
      failPrecondition("A picture of the benchmark has no size.")
    }
    let pictures = try SampleBitmaps(size: size)
    let registration = CellRegistration<OpaquePictureCell, Int> { cell, _, item in
      cell.show(pictures.picture(of: item), "Item \(item)")
    }
    source = DiffableDataSource(collectionView: view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
    }
    var snapshot = DiffableDataSourceSnapshot<Int, Int>()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<count), toSection: 0)
    // Hashed now: another thread would do it in the first frames, and its instructions be counted there.
    checkPrecondition(snapshot.contains(0), "The first item is missing.")
    source.applySnapshotUsingReloadData(snapshot)
    (self.view, self.display, self.pictures, self.events) = (view, display, pictures, events)
  }
}

/// A display that draws nothing and ends a frame's measured region where drawing would start.
@MainActor
final class MeteringDisplay: Display {
  /// The cost of the region that ended with the last frame's uploads.
  private(set) var cost: FrameCost?
  private let display: NullDisplay
  private let meter: FrameMeter

  init(size: Size, meter: FrameMeter) {
    display = NullDisplay(size: size)
    self.meter = meter
  }

  var info: DisplayInfo { display.info }
  var textureBytes: Int { display.textureBytes }

  func makeTexture(from bitmap: Bitmap) throws(DisplayError) -> TextureID { try display.makeTexture(from: bitmap) }

  func releaseTexture(_ texture: TextureID) { display.releaseTexture(texture) }

  func draw(_ list: DisplayList, background: Color) {
    cost = meter.end()
    display.draw(list, background: background)
  }

  func present() { display.present() }

  func endFrame() { display.endFrame() }

  func readPixels() throws(DisplayError) -> Bitmap { try display.readPixels() }
}

/// A cell like a gallery's: an image of exactly its size with a one-line caption below.
@MainActor
class PictureCell: CollectionViewCell {
  /// The height of the caption, in points.
  static let captionHeight = 17.0
  private let picture = ImageView()
  private let caption = Label(style: TextStyle(size: 12), color: Color(hex: 0xDDDDDD))

  required init() {
    super.init()
    addSubview(picture)
    addSubview(caption)
  }

  /// Displays an item.
  func show(_ image: Bitmap, _ text: String) {
    picture.image = image
    caption.text = text
  }

  override func layoutSubviews() {
    let height = max(0, bounds.height - PictureCell.captionHeight)
    picture.frame = Rect(x: 0, y: 0, width: bounds.width, height: height)
    caption.frame = Rect(x: 0, y: height, width: bounds.width, height: bounds.height - height)
  }
}

/// An image cell with a background color, which gives it its own surface.
@MainActor
private final class OpaquePictureCell: PictureCell {
  required init() {
    super.init()
    backgroundColor = Color(hex: 0x202020)
  }
}

/// Decoded sample images, shared by many items.
@MainActor
final class SampleBitmaps {
  private let size: PixelSize
  private var pictures: [Bitmap] = []
  private var replacements: [Int: Bitmap] = [:]

  /// Creates images of a size.
  init(size: PixelSize, count: Int = 256) throws {
    self.size = size
    for number in 0..<count { pictures.append(try SampleBitmaps.makeBitmap(size, shade: UInt32(number))) }
  }

  /// Returns the image of an item.
  func picture(of item: Int) -> Bitmap { replacements[item] ?? pictures[item % pictures.count] }

  /// Returns a new image that was never displayed.
  func makeNewBitmap(_ number: Int) throws -> Bitmap {
    try SampleBitmaps.makeBitmap(size, shade: UInt32(1_000 + number))
  }

  /// Replaces the image of an item.
  func setPicture(_ picture: Bitmap, of item: Int) { replacements[item] = picture }

  private static func makeBitmap(_ size: PixelSize, shade: UInt32) throws -> Bitmap {
    try Bitmap(size: size, isOpaque: true) { pixels in
      let color = Color(hex: shade &* 0x9E_3779 & 0xFF_FFFF).packed
      pixels.bindMemory(to: UInt32.self).update(repeating: color)
    }
  }
}

/// A simulated clock that advances only by explicit costs and waits, so that a frame does the same work however slow an
/// instrument makes it.
final class ManualClock: FrameClock {
  private var instant = FrameInstant.zero

  /// The kind of clocks that measure processor time, for which no frame digest is computed.
  let kind = ClockKind.cpu

  func now() -> FrameInstant { instant }

  func spend(_ cost: FrameDuration) { instant = instant + cost }

  func wait(until later: FrameInstant) { instant = max(instant, later) }

  func performUncounted<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
}
