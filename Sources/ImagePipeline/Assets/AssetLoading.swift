/// One asking for an asset: what gives it up, while others who want the asset go on waiting.
@MainActor
final class AssetLoading: Cancellable {
  private let giveUp: () -> Void

  /// Makes a handle.
  init(_ giveUp: @escaping () -> Void) { self.giveUp = giveUp }

  func cancel() { giveUp() }
}
