import FramePacing
import TestSupport
import Testing

@Suite("Retry policy")
struct RetryPolicyTests {
  private let policy = RetryPolicy(firstPause: .seconds(2), maximumPause: .seconds(64))

  @Test("Each pause is twice the last, up to the maximum")
  func pauses() {
    #expect((1...8).map { policy.pause(after: $0) } == [2, 4, 8, 16, 32, 64, 64, 64].map { .seconds($0) })
    #expect(policy.pause(after: .max) == .seconds(64))
  }

  @Test("The jitter is half of a pause")
  func jitter() {
    #expect([0, 0.5, 1].map { policy.pause(after: 2, share: $0) } == [2, 3, 4].map { .seconds($0) })
  }
}
