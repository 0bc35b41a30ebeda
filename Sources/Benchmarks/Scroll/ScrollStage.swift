import BenchmarkSupport
import CollectionLayout
import CollectionUI
import DataStructures
import DiffableData
import FramePacing
import Geometry
import Rendering
import ScrollPhysics
import Views

/// A collection view of pictures in a window that nobody sees, with the loop that makes its frames.
///
/// 1280 x 800 points, eight columns, 48 to 56 cells in sight.
@MainActor
final class ScrollStage {
  /// The view.
  let view: CollectionView
  /// Makes the frames.
  let loop: CommitLoop
  /// What the window is given, each when its time has come.
  let events: ScriptedEventSource
  /// What ends the measured stretch of each frame.
  let display: StretchDisplay
  /// What the cells show.
  let pictures: PictureStock
  /// The items, which are their numbers.
  let source: DiffableDataSource<Int, Int>

  static let size = Size(width: 1_280, height: 800)

  /// Puts items into a view.
  ///
  /// - Parameters:
  ///   - count: the items.
  ///   - refreshRate: refreshes a second.
  ///   - clock: a simulated clock.
  ///   - meter: what measures a stretch of each frame.
  init(count: Int, refreshRate: Int, clock: any FrameClock, meter: StretchMeter) throws {
    let display = StretchDisplay(size: ScrollStage.size, meter: meter)
    let layout = GridLayout(
      columns: .count(8), columnSpacing: 8, rowSpacing: 8, heightRatio: 0.75, captionHeight: 17)
    let view = CollectionView(layout: layout)
    let events = ScriptedEventSource(now: { clock.now() })
    let window = Window(root: view, resources: RenderResources(display: display, text: BlockTextRasterizer()))
    loop = CommitLoop(
      window: window, display: display,
      events: events, clock: clock,
      pacing: LoopPacing(
        kind: clock.kind, interval: .seconds(1 / Double(refreshRate)), isMeasured: false, reason: "a benchmark"))
    window.addParticipant(view)
    window.resize(to: ScrollStage.size)
    guard let size = PixelSize(width: 153, height: 115) else {
      failPrecondition("A picture of the benchmark has no size.")
    }
    let pictures = try PictureStock(size: size)
    let registration = CellRegistration<SurfacedPictureCell, Int> { cell, _, item in
      cell.show(pictures.picture(of: item), "Item \(item)")
    }
    source = DiffableDataSource(collectionView: view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
    }
    var snapshot = DiffableDataSourceSnapshot<Int, Int>()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<count), toSection: 0)
    source.applySnapshotUsingReloadData(snapshot)
    (self.view, self.display, self.pictures, self.events) = (view, display, pictures, events)
  }
}
