import CollectionEngine
import CollectionLayout
import CollectionUI
import DiffableData
import Geometry
import TestSupport
import Testing
import Views

@Suite("Another layout keeps the item under a point, or the first one, where it is on screen")
struct ZoomTests {
  static func grid(_ columns: Int) -> GridLayout {
    GridLayout(columns: .count(columns), columnSpacing: 7, rowSpacing: 9, heightRatio: 0.75, captionHeight: 20)
  }

  static func stage(scale: DisplayScale = .one) -> (CollectionView, WindowHarness, DiffableDataSource<Int, Int>) {
    let view = CollectionView(layout: grid(5))
    let stage = WindowHarness(root: view, size: Size(width: 640, height: 480), scale: scale)
    stage.window.addParticipant(view)
    let registrations = Registrations()
    let source = DiffableDataSource<Int, Int>(collectionView: view) { view, path, item in
      view.dequeueConfiguredReusableCell(using: registrations.word, for: path, item: item)
    }
    var snapshot = source.snapshot()
    snapshot.appendSections([0])
    snapshot.appendItems(Array(0..<20_000))
    source.apply(snapshot)
    stage.runUntilIdle()
    return (view, stage, source)
  }

  /// The item at a point of the view, and how far down in it the point is, as a share.
  static func item(at point: Point, of view: CollectionView) -> (index: Int, share: Double)? {
    let place = Point(x: point.x, y: point.y + view.contentOffset)
    for index in view.visibleRange {
      guard let frame = view.frameOfItem(at: view.indexPath(at: index)), frame.contains(place) else { continue }
      return (index, (place.y - frame.minY) / frame.height)
    }
    return nil
  }

  @Test(
    "The place in the item under the pointer stays under it, to half a pixel, and steps there and back do not creep",
    arguments: [1, 1.5, 2])
  func pointer(pixelsPerPoint: Double) throws {
    let scale = DisplayScale(pixelsPerPoint: pixelsPerPoint)
    let (view, stage, source) = Self.stage(scale: scale)
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<60 {
      view.scroll(to: Double.random(in: 20_000...100_000, using: &generator), animated: false)
      stage.run(frames: 1)
      let point = Point(
        x: Double.random(in: 0...640, using: &generator), y: Double.random(in: 0...480, using: &generator))
      guard let before = Self.item(at: point, of: view) else { continue }
      let offset = view.contentOffset
      for columns in [4, 3, 2, 1, 2, 6, 9, 14, 5] {
        view.setCollectionViewLayout(Self.grid(columns), anchoredAt: point)
        stage.run(frames: 1)
        let frame = try #require(view.frameOfItem(at: view.indexPath(at: before.index)))
        let y = frame.minY + before.share * frame.height - view.contentOffset
        #expect(abs(y - point.y) * pixelsPerPoint <= 0.5 + 1e-6, "\(columns) columns at \(point)")
      }
      #expect(view.contentOffset == offset)
    }
    withExtendedLifetime(source) {}
  }

  @Test("Without a point the first item that begins on screen stays exactly where it is")
  func first() throws {
    let (view, stage, source) = Self.stage()
    view.scroll(to: 5_333, animated: false)
    stage.run(frames: 1)
    let first = try #require(
      view.visibleRange.first { view.frameOfItem(at: view.indexPath(at: $0)).map { $0.minY >= 5_333 } == true })
    let top = try #require(view.frameOfItem(at: view.indexPath(at: first))).minY - view.contentOffset
    for columns in [6, 8, 3, 2, 5] {
      view.setCollectionViewLayout(Self.grid(columns))
      stage.run(frames: 1)
      let now = try #require(view.frameOfItem(at: view.indexPath(at: first))).minY - view.contentOffset
      #expect(now == top, "\(columns) columns")
    }
    #expect(view.contentOffset == 5_333)
    withExtendedLifetime(source) {}
  }

  @Test("What a pinned header hides is not the first item that begins on screen")
  func pinned() {
    let stack = StackStage([("a", Array(0..<40))], layout: StackLayout(hasHeaders: true))
    stack.scroll(to: 110)
    #expect(stack.shownHeaders == ["a 40 at 0, pinned"])
    #expect(stack.top(of: 2) == 20 && stack.top(of: 3) == 70)
    stack.view.setCollectionViewLayout(StackLayout(zoom: 2, hasHeaders: true))
    stack.stage.run(frames: 1)
    #expect(stack.top(of: 3) == 70)
  }

  @Test("At the very top the beginning stays, unless a point says otherwise; at the end the content ends with the view")
  func ends() {
    let (view, stage, source) = Self.stage()
    view.setCollectionViewLayout(Self.grid(2))
    stage.run(frames: 1)
    #expect(view.contentOffset == 0)
    view.setCollectionViewLayout(Self.grid(5))
    view.setCollectionViewLayout(Self.grid(1), anchoredAt: Point(x: 10, y: 400))
    stage.run(frames: 1)
    #expect(view.contentOffset > 0)
    view.scroll(to: 1e9, animated: false)
    stage.run(frames: 1)
    view.setCollectionViewLayout(Self.grid(9), anchoredAt: Point(x: 10, y: 10))
    stage.run(frames: 1)
    #expect(view.contentOffset == view.contentLength - 480)
    withExtendedLifetime(source) {}
  }

  @Test("A view without items, and a point beside all of them, zoom without harm")
  func nothing() {
    let view = CollectionView(layout: Self.grid(3))
    let stage = WindowHarness(root: view)
    stage.window.addParticipant(view)
    view.setCollectionViewLayout(Self.grid(2), anchoredAt: Point(x: -50, y: .nan))
    view.setCollectionViewLayout(Self.grid(4))
    stage.run(frames: 2)
    #expect(view.contentOffset == 0)
    let (full, fullStage, source) = Self.stage()
    full.setCollectionViewLayout(Self.grid(2), anchoredAt: Point(x: .infinity, y: -1e9))
    fullStage.run(frames: 1)
    #expect(full.contentOffset == 0)
    withExtendedLifetime(source) {}
  }
}
