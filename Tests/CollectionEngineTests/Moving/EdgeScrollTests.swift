import CollectionEngine
import Testing

@Suite("Content goes on beneath what is held near an edge")
struct EdgeScrollTests {
  private let edges = EdgeAutoscroll(from: 20, to: 620)

  @Test("the faster the nearer, not in the middle, and not beyond a speed")
  func speed() {
    let places = stride(from: 300.0, through: 700, by: 4)
    let speeds = places.map { edges.velocity(at: $0, from: 300) }
    #expect(zip(speeds, speeds.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(edges.velocity(at: 556, from: 300) == 0 && edges.velocity(at: 557, from: 300) > 0)
    #expect(edges.velocity(at: 620, from: 300) == EdgeAutoscroll.maximumSpeed)
    #expect(edges.velocity(at: 9_000, from: 300) == EdgeAutoscroll.maximumSpeed)
    for place in stride(from: -50.0, through: 700, by: 5) {
      #expect(edges.velocity(at: 640 - place, from: 320) == -edges.velocity(at: place, from: 320))
    }
  }

  @Test("not where the item was taken near an edge, until the hand goes towards it")
  func taken() {
    #expect(edges.velocity(at: 610, from: 610) == 0)
    #expect(edges.velocity(at: 605, from: 610) == 0)
    #expect(edges.velocity(at: 617.9, from: 610) == 0)
    #expect(edges.velocity(at: 618, from: 610) > 0)
    #expect(edges.velocity(at: 40, from: 610) < 0)
  }

  @Test("Nothing moves where there is no room, or no place")
  func room() {
    #expect(EdgeAutoscroll(from: 10, to: 10).velocity(at: 50, from: 0) == 0)
    #expect(edges.velocity(at: .nan, from: 0) == 0)
    let low = EdgeAutoscroll(from: 0, to: 40)
    #expect(low.velocity(at: 20, from: 0) == 0 && low.velocity(at: 31, from: 0) > 0)
  }
}
