/// The participants of a window as of the phase that was begun last: held over phases, so that asking them counts no
/// reference while nobody comes or goes.
struct CurrentParticipants {
  /// Those who are asked; nothing where there is nobody.
  private(set) var chain: FrameParticipantChain?
  private var version = -1

  /// A phase begins.
  mutating func refresh(from window: Window) {
    guard version != window.participantChainVersion else { return }
    version = window.participantChainVersion
    chain = window.participantChain
  }
}
