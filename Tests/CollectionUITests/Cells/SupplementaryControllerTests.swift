import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("The supplementary controller, without a view")
struct SupplementaryControllerTests {
  @Test("Visible elements get views, and their display ends when they leave")
  func display() {
    let host = SupplementaryHostDouble(sections: 10)
    host.scroll(to: 0)
    #expect(host.takeLog() == ["provide 0", "will 0", "provide 1", "will 1"])
    host.scroll(to: 120)
    #expect(host.takeLog() == ["end 0", "provide 2", "will 2"])
    #expect(host.controller.statistics.visible == 2 && host.controller.pooledCount == 0)
    #expect(host.controller.statistics.created == 2, "the view of section 0 was reused")
  }

  @Test("A view within the limits waits for its element, and is displayed again without its provider")
  func waiting() {
    let host = SupplementaryHostDouble(sections: 10)
    host.keepLimits = KeepLimits(aroundViewport: 0...1_000)
    host.scroll(to: 0)
    host.scroll(to: 120)
    #expect(host.controller.waitingViews.count == 1)
    _ = host.takeLog()
    host.scroll(to: 0)
    #expect(host.takeLog() == ["end 2", "will 0"])
    host.keepLimits = KeepLimits(aroundViewport: 0...200)
    host.controller.evictDistantViews()
    #expect(host.controller.waitingViews.isEmpty && host.controller.pooledCount == 1)
  }

  @Test("Upcoming elements are prepared in steps, the nearest first")
  func preparation() throws {
    let host = SupplementaryHostDouble(sections: 10)
    host.keepLimits = KeepLimits(aroundViewport: 0...400)
    host.scroll(to: 0)
    _ = host.takeLog()
    #expect(host.controller.hasUpcomingElements())
    let candidate = -1_000_000_000
    #expect(host.controller.nextStep(ofCandidate: candidate) == .configure)
    host.controller.prepareStep(ofCandidate: candidate)
    #expect(host.takeLog() == ["provide 2"])
    host.scroll(to: 100)
    #expect(host.takeLog() == ["end 0", "will 2"], "displayed without its provider")
    #expect(host.controller.statistics.preparedForced == 2, "those of the first frame")
  }

  @Test("After an update, displayed views are configured again in the next frame, and those of deleted sections end")
  func updates() {
    let host = SupplementaryHostDouble(sections: 10)
    host.scroll(to: 0)
    _ = host.takeLog()
    var before = DiffableDataSourceSnapshot<Int, Int>()
    before.appendSections(Array(0..<10))
    var after = before
    after.deleteSections([0])
    host.controller.apply(
      IndexMap(
        after.changeset(from: before), from: ItemCounts(Array(repeating: 0, count: 10)),
        to: ItemCounts(Array(repeating: 0, count: 9))))
    #expect(host.takeLog() == ["end 0"])
    host.setSections(9)
    host.scroll(to: 0)
    #expect(host.takeLog() == ["provide 0", "provide 1", "will 1"], "section 0 was section 1")
  }

  @Test(
    "After random updates, every section's view is the one of the section that it was displayed for",
    arguments: TestScale.seeds(0..<8))
  func updateLaw(seed: Int) {
    var names: [ObjectIdentifier: Int] = [:]
    UpdateLaw.check(seed: seed) { _, sections, counts in
      let host = SupplementaryHostDouble(sections: counts.numberOfSections, withHeader: { sections[$0] != nil })
      host.showAll()
      for element in host.controller.elements {
        if let view = element.view {
          names[ObjectIdentifier(view)] = sections[element.attributes.identity.section ?? -1]
        }
      }
      return host
    } _: {
      $0.controller.apply($1)
    } _: { (host: SupplementaryHostDouble) -> [Int: Int] in
      var views: [Int: Int] = [:]
      for element in host.controller.elements {
        guard let section = element.attributes.identity.section, let view = element.view else { continue }
        views[section] = names[ObjectIdentifier(view)]
      }
      return views
    }
  }

  @Test("Offsets with the same elements end where another one appears")
  func steadyOffsets() throws {
    let host = SupplementaryHostDouble(sections: 10)
    host.scroll(to: 20)
    let offsets = try #require(host.controller.steadyOffsets(in: host.visibleRect, reach: 100))
    #expect(offsets.contains(25) && !offsets.contains(60), "section 2 appears at 50, and section 0 leaves at 50")
    host.controller.removeAll()
    #expect(host.controller.steadyOffsets(in: host.visibleRect, reach: 100) == nil)
  }
}

/// A double of the collection view for the supplementary controller: sections with a header of 50 points and two rows of
/// 25 points, in a viewport of 200 by 150 points.
private final class SupplementaryHostDouble: ControllerHostDouble, @MainActor SupplementaryHost {
  let controller = SupplementaryController(meter: StepMeter())
  var keepLimits = KeepLimits(aroundViewport: 0...0)
  private var log: [String] = []

  init(sections: Int, withHeader hasHeader: @escaping @Sendable (Int) -> Bool = { _ in true }) {
    super.init(count: 0)
    solution = Self.layout(sections, hasHeader)
    controller.host = self
  }

  private static func layout(_ sections: Int, _ hasHeader: @escaping @Sendable (Int) -> Bool) -> any SolvedLayout {
    let item = CollectionLayoutItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(25)))
    let group = CollectionLayoutGroup.vertical(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(25)),
      subitems: [item])
    var section = CollectionLayoutSection(group: group)
    section.boundarySupplementaryItems = [
      CollectionLayoutBoundarySupplementaryItem(
        layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(50)),
        elementKind: "header", alignment: .top)
    ]
    let plain = CollectionLayoutSection(group: group)
    return CompositionalLayout { [section] index, _ in hasHeader(index) ? section : plain }.solved(
      in: LayoutEnvironment(containerSize: Size(width: 200, height: 150)),
      for: ItemCounts(Array(repeating: 2, count: sections)))
  }

  func setSections(_ count: Int) { solution = Self.layout(count) { _ in true } }

  /// Displays the elements at an offset, as a frame does.
  func scroll(to offset: Double) {
    scroll = ScrollState(
      range: ScrollRange(minimum: 0, maximum: 1_000, viewportLength: 150), offset: offset)
    controller.updateVisibleElements(in: visibleRect)
    controller.fillVisibleElements()
  }

  /// Displays the elements of all sections.
  func showAll() {
    controller.updateVisibleElements(in: Rect(x: 0, y: 0, width: 200, height: 10_000))
    controller.fillVisibleElements()
  }

  override var visibleRect: Rect { Rect(x: 0, y: contentOffset, width: 200, height: 150) }

  /// Removes and returns the calls of the provider and the delegate, with the section of each.
  func takeLog() -> [String] {
    defer { log = [] }
    return log
  }

  var preparesAhead: Bool { keepLimits.aroundViewport.upperBound > 0 }
  var renderResources: RenderResources? { nil }
  func maximumWaitingViews(displayed count: Int) -> Int { 8 }
  func region(of interval: ClosedRange<Double>) -> Rect {
    Rect(x: 0, y: interval.lowerBound, width: 200, height: interval.upperBound - interval.lowerBound)
  }
  var providesSupplementaryViews: Bool { true }
  func provideSupplementaryView(ofKind kind: String, _ identity: ElementIdentity) -> CollectionReusableView {
    log.append("provide \(identity.section ?? -1)")
    return controller.dequeueView(ofKind: kind, registration: 0) as CollectionReusableView
  }
  func requestPreferredSize(_ view: CollectionReusableView, _ element: ElementAttributes) {}
  func setNeedsPreparation() {}
  func adoptChild(_ view: View) {}
  func supplementaryViewsDidChange() {}
  func retainLeavingView(_ view: CollectionReusableView, _ identity: ElementIdentity, isDeleted: Bool) -> Bool { false }
  func reclaimLeavingView(of element: ElementAttributes) -> CollectionReusableView? { nil }
  func invalidateLeavingViews(where predicate: (ElementIdentity) -> Bool) {}
  func willDisplay(_ view: CollectionReusableView, _ identity: ElementIdentity) {
    log.append("will \(identity.section ?? -1)")
  }
  func didEndDisplaying(_ view: CollectionReusableView, _ identity: ElementIdentity) {
    log.append("end \(identity.section ?? -1)")
  }
}
