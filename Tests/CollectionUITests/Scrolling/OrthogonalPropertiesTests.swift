import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("The deceleration and the bounce of orthogonal sections, and insets across the scroll axis")
struct OrthogonalPropertiesTests {
  private func makeGrid(
    _ behavior: OrthogonalScrollingBehavior = .continuous, _ properties: OrthogonalScrollingProperties
  ) -> NumberGrid {
    var section = TestLayouts.section(.fractionalWidth(0.5), .absolute(100))
    section.orthogonalScrollingBehavior = behavior
    section.orthogonalScrollingProperties = properties
    return NumberGrid([Array(0..<50)], layout: CompositionalLayout(section: section))
  }

  /// Returns the section's offset.
  private func offset(_ grid: NumberGrid) -> Double { grid.view.solution.orthogonalSection(0)?.offset ?? .nan }

  private func touch(_ phase: TouchInput.Phase, _ x: Double, on grid: NumberGrid) {
    grid.harness.sendEvent(.touch(TouchInput(finger: 1, phase: phase, location: Point(x: x, y: 50))))
    grid.harness.run(frames: 1)
  }

  /// Swipes a section, and returns the offset before the release and the one at rest.
  private func swipe(_ grid: NumberGrid, from start: Double, by step: Double) -> (held: Double, rest: Double) {
    touch(.began, start, on: grid)
    for frame in 1...5 { touch(.moved, start - step * Double(frame), on: grid) }
    let held = offset(grid)
    touch(.ended, start - step * 5, on: grid)
    grid.harness.runUntilIdle()
    return (held, offset(grid))
  }

  @Test("The deceleration rate determines how far a swipe goes; automatically, paging sections are fast")
  func decelerationRates() {
    func distance(
      _ rate: OrthogonalScrollingProperties.DecelerationRate, _ behavior: OrthogonalScrollingBehavior = .continuous
    ) -> Double {
      let (held, rest) = swipe(makeGrid(behavior, .init(decelerationRate: rate)), from: 380, by: 30)
      return rest - held
    }
    let (normal, fast) = (distance(.normal), distance(.fast))
    // The ratio of the decay constants, -ln(0.99) / -ln(0.998), is 5.02.
    #expect((normal / fast - 5.02).magnitude < 0.1, "\(normal) \(fast)")
    #expect(distance(.automatic) == normal)
    #expect(distance(.fast, .continuousGroupLeadingBoundary) < distance(.normal, .continuousGroupLeadingBoundary))
    #expect(distance(.automatic, .groupPaging) == distance(.fast, .groupPaging))
  }

  @Test("A section can be dragged beyond its start if it bounces, whatever the collection view does")
  func bounce() {
    for (bounce, viewBounces, isElastic) in [
      (OrthogonalScrollingProperties.Bounce.automatic, true, true), (.automatic, false, false), (.always, false, true),
      (.never, true, false),
    ] {
      let grid = makeGrid(.continuous, .init(bounce: bounce))
      grid.view.scrollTuning.bounces = viewBounces
      let (held, rest) = swipe(grid, from: 100, by: -40)
      #expect((held < -20) == isElastic && rest == 0, "\(bounce) \(viewBounces): \(held)")
      #expect(isElastic || held == 0)
    }
  }

  @Test("The content inset across the scroll axis is the safe area of the layout")
  func crossInsets() {
    let row = TestLayouts.section(.fractionalWidth(1), .absolute(50))
    let grid = NumberGrid([Array(0..<50)], layout: CompositionalLayout(section: row))
    grid.view.contentInset = Insets(top: 10, left: 30, bottom: 0, right: 15)
    grid.harness.runUntilIdle()
    #expect(grid.frame(of: 1) == Rect(x: 30, y: 60, width: 355, height: 50))
    #expect(grid.view.contentOffset == -10, "the inset along the axis extends the range, and is not in the layout")
    var wide = row
    wide.contentInsetsReference = .none
    grid.view.collectionViewLayout = CompositionalLayout(section: wide)
    grid.harness.runUntilIdle()
    #expect(grid.frame(of: 1) == Rect(x: 0, y: 60, width: 400, height: 50))
    var layout = CompositionalLayout(section: TestLayouts.section(.absolute(100), .fractionalHeight(1)))
    layout.configuration.scrollDirection = .horizontal
    grid.view.collectionViewLayout = layout
    grid.harness.runUntilIdle()
    #expect(grid.frame(of: 1)?.minY == 10 && grid.frame(of: 1)?.height == 290)
  }
}
