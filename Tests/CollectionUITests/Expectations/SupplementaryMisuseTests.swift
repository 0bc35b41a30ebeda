import CollectionEngine
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import FramePacing
import TestSupport
import Testing
import Views

@Suite("A mistake of a supplementary view provider stops the program with a sentence that names it")
struct SupplementaryMisuseTests {
  /// Shows three sections whose headers come from a provider.
  @MainActor
  private static func run(_ provider: @escaping DiffableDataSource<String, Int>.SupplementaryViewProvider) {
    let stack = StackStage([], layout: StackLayout(hasHeaders: true))
    stack.source.supplementaryViewProvider = provider
    stack.apply {
      for (section, items) in SupplementaryTests.sections(3, items: 1) {
        $0.appendSections([section])
        $0.appendItems(items, toSection: section)
      }
    }
    stack.stage.runUntilIdle()
  }

  private static func header(_ kind: String) -> SupplementaryRegistration<HeaderView> {
    SupplementaryRegistration<HeaderView>(elementKind: kind) { _, _, _ in }
  }

  @Test("The view of another section")
  func kept() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let registration = SupplementaryMisuseTests.header("header")
        var kept: HeaderView?
        SupplementaryMisuseTests.run { view, _, path in
          if let kept { return kept }
          let header = view.dequeueConfiguredReusableSupplementary(using: registration, for: path)
          kept = header
          return header
        }
      }
    }
    try Misuse.expect(
      result, says: "A supplementaryViewProvider returned a view of kind header that it did not dequeue for this call.")
  }

  @Test("A view of another kind")
  func otherKind() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let registration = SupplementaryMisuseTests.header("footer")
        SupplementaryMisuseTests.run { view, _, path in
          view.dequeueConfiguredReusableSupplementary(using: registration, for: path)
        }
      }
    }
    try Misuse.expect(
      result, says: "was asked for a view of kind header and dequeued one with a registration for kind footer.")
  }

  @Test("A view dequeued and thrown away")
  func dequeuedTwice() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let registration = SupplementaryMisuseTests.header("header")
        SupplementaryMisuseTests.run { view, _, path in
          _ = view.dequeueConfiguredReusableSupplementary(using: registration, for: path)
          return view.dequeueConfiguredReusableSupplementary(using: registration, for: path)
        }
      }
    }
    try Misuse.expect(
      result, says: "A view of kind header was dequeued after another one that no provider returned.")
  }

  @Test("A registration made inside the provider")
  func inside() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        SupplementaryMisuseTests.run { view, kind, path in
          let registration = SupplementaryRegistration<HeaderView>(elementKind: kind) { _, _, _ in }
          return view.dequeueConfiguredReusableSupplementary(using: registration, for: path)
        }
      }
    }
    try Misuse.expect(result, says: "A supplementary registration was made inside a provider.")
  }
}
