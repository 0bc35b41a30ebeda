/// Until when a step of work ahead may run.
package enum SlackPolicy: Hashable, Sendable {
  /// Before the frame's deadline; where presenting does not block, one step a frame until the next frame has to commit; at
  /// rest whatever it costs.
  case untilNextCommit
  /// Before the frame's deadline, and past it only what the next frame needs.
  case withinFrame
}
