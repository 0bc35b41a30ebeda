package import CollectionEngine
import FramePacing
import Views

/// Which policy decides what is prepared ahead: a view's own unless another one is to be measured against it.
extension CollectionView {
  /// How it is decided what is prepared ahead.
  package final var preparationPolicy: PreparationPolicy {
    get { preparation.policy }
    set { preparation.policy = newValue }
  }

  /// Does a candidate's next piece: a step, or all of them.
  final func prepareWorkUnit(of candidate: PreparationCandidate, _ source: any CollectionViewSource) {
    prepareStep(of: candidate, source)
    guard preparation.policy.workUnit == .cell else { return }
    // The client's code may undo a step for ever, or take the items away.
    var steps = 1
    while steps < CollectionView.maximumSteps, displayedSource === source, nextStep(of: candidate) != nil {
      prepareStep(of: candidate, source)
      steps += 1
    }
  }

  /// No cell has more steps and parts than this when it is prepared as a whole.
  private static var maximumSteps: Int { 1_000 }
}
