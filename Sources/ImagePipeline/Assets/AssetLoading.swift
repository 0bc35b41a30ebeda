/// One asking for an asset: what gives it up, while others who want the asset go on waiting.
@MainActor
final class AssetLoadHandle: Cancellable {
  private let onCancel: () -> Void

  /// Makes a handle.
  init(_ giveUp: @escaping () -> Void) { self.onCancel = giveUp }

  func cancel() { onCancel() }
}
