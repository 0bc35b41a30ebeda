import CollectionEngine
import FramePacing

/// What a registration's cells took, in all views that use it: held by the registration, written by the views.
final class PreparationLog {
  private(set) var metrics = PreparationMetrics()

  func record(_ cost: FrameDuration, for step: PreparationStep) { metrics.record(cost, for: step) }
}
