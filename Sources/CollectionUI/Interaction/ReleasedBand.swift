import CollectionEngine
import CollectionLayout

/// A rubber band that was let go before all was found that lies under it.
struct ReleasedRubberBand {
  /// What lies under it.
  var band: RubberBand
  /// Where items were when it was let go.
  let layout: any SolvedLayout
}
