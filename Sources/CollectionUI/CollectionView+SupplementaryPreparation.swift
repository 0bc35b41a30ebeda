import CollectionEngine
import CollectionLayout
import Geometry
import Views

/// The state of supplementary and decoration views: displayed, waiting and pooled.
struct ElementPreparation {
  /// The lifecycle state and the counts of every such view.
  var lifecycle = CellLifecycle()
  /// The views that are bound to no element.
  var pool = ReusePool<CollectionReusableView>()
  /// The prepared views of elements off screen.
  var waiting = WaitingElements<CollectionReusableView>()
  /// The upcoming elements that lack a prepared view, as of the frame that was begun.
  var upcoming: [ElementAttributes] = []
  /// The registration of the last view of each kind, which predicts that of the next.
  var registrations: [ElementKind: Int] = [:]
  /// Whether the displayed views must be configured again, because the items changed.
  var needsRefresh = false
  /// The supplementary view that is being configured again, while its provider runs.
  var reconfigured: CollectionReusableView?
  /// The classes of decoration views, by kind.
  var decorations: [String: CollectionReusableView.Type] = [:]
  /// The view that was dequeued last and the kind of its registration, until its provider returns it.
  var dequeued: (view: CollectionReusableView, kind: String)?
  /// The number of updates of the items.
  ///
  /// Views configured before the last one are out of date.
  var updates = 0
  /// The largest number of views displayed at the same time.
  var maximumVisibleCount = 0

  /// The first number of elements among preparation candidates, below the indices of all items.
  static let firstNumber = -1_000_000_000

  /// Returns the element of a candidate, or nil if the candidate is an item.
  func element(_ number: Int) -> ElementAttributes? {
    let position = number - ElementPreparation.firstNumber
    return number < 0 && upcoming.indices.contains(position) ? upcoming[position] : nil
  }
}

/// Views of elements are prepared ahead as cells are: in slack time, the first to become visible first.
extension CollectionView {
  /// Adds the upcoming elements that lack a prepared view to the candidates.
  final func listElementCandidates(
    into candidates: inout [PreparationCandidate], _ situation: VisibilityForecast, runs: inout [Range<Int>]
  ) {
    elementPreparation.upcoming.removeAll(keepingCapacity: true)
    appendUpcoming(in: situation.limits.aroundViewport)
    if let landing = situation.landingViewport { appendUpcoming(in: landing) }
    let upcoming = elementPreparation.upcoming
    guard !upcoming.isEmpty else { return }
    let base = ElementPreparation.firstNumber
    preparation.order.listCandidates(
      into: &candidates, situation, scratch: &runs, isAppending: true,
      runs: { $1.append(base..<(base + upcoming.count)) },
      frame: { number in
        let frame = upcoming[number - base].frame
        let start = frame.origin[self.scrollAxis]
        return (start, start + frame.size[self.scrollAxis])
      },
      needsCell: { _ in true })
  }

  /// Returns whether upcoming elements lack a prepared view, while no scroll animation has a target.
  final func hasUpcomingElements() -> Bool {
    elementPreparation.upcoming.removeAll(keepingCapacity: true)
    appendUpcoming(in: preparation.window.limits.aroundViewport)
    return !elementPreparation.upcoming.isEmpty
  }

  private func appendUpcoming(in interval: ClosedRange<Double>) {
    var found: [ElementAttributes] = []
    solution.appendElements(in: region(of: interval), to: &found)
    for element in found where lacksReadyView(element.identity) { elementPreparation.upcoming.append(element) }
  }

  private func lacksReadyView(_ identity: ElementIdentity) -> Bool {
    guard elements.index(of: identity) == nil, nextElementStep(of: identity) != nil,
      !elementPreparation.upcoming.contains(where: { $0.identity == identity })
    else { return false }
    return elementPreparation.waiting[identity] != nil || canWait(identity)
  }

  /// Returns the next step of preparing an element's view, or nil if its waiting view can be displayed without work.
  final func nextElementStep(of identity: ElementIdentity) -> PreparationStep? {
    guard let entry = elementPreparation.waiting[identity] else { return .configure }
    if let next = entry.progress.next { return next }
    guard let generation = window?.resources.generation else { return nil }
    return entry.view.drawing.isValid(for: generation) || !entry.view.isWorthDrawingAhead ? nil : .draw
  }

  /// Returns the next step of preparing a candidate, which is an item or an element.
  final func nextStep(of candidate: PreparationCandidate) -> PreparationStep? {
    if let element = elementPreparation.element(candidate.index) {
      let identity = element.identity
      guard elements.index(of: identity) == nil, elementPreparation.waiting[identity] != nil || canWait(identity) else {
        return nil
      }
      return nextElementStep(of: identity)
    }
    let index = candidate.index
    guard index >= 0, index < itemCount, displayed[index] == nil, hasCapacity(for: index) else { return nil }
    return nextStep(at: index)
  }

  /// Performs the next step of preparing an element's view ahead.
  final func prepareStep(of element: ElementAttributes, _ source: any CollectionViewSource) {
    let identity = element.identity
    guard let entry = elementPreparation.waiting[identity] else {
      guard canWait(identity) else { return }
      return deferringUpdates {
        let view = configureView(of: element, from: source, onto: nil)
        finishView(view, element)
        elementPreparation.waiting.insert(view, of: identity, progress: PreparationProgress(next: .draw))
      }
    }
    switch nextElementStep(of: identity) {
    case .draw:
      if let resources = window?.resources { redraw(entry.view, in: resources) }
    case .some:
      deferringUpdates { reconfigureWaitingView(entry, element, source) }
      return
    case nil: break
    }
    elementPreparation.waiting.setProgress(.ready, of: identity)
  }

  /// Removes and returns the waiting view of an element, ready to be displayed, or nil if there is none.
  final func dequeueWaitingView(of element: ElementAttributes, from source: any CollectionViewSource)
    -> CollectionReusableView?
  {
    guard let entry = elementPreparation.waiting[element.identity] else { return nil }
    if entry.progress.next == .configure { reconfigureWaitingView(entry, element, source) }
    return elementPreparation.waiting.removeView(of: element.identity)?.view
  }

  /// Calls the provider again for a waiting view.
  ///
  /// The provider may return another view, which replaces it.
  private func reconfigureWaitingView(
    _ entry: WaitingElements<CollectionReusableView>.Entry, _ element: ElementAttributes,
    _ source: any CollectionViewSource
  ) {
    let view = configureView(of: element, from: source, onto: entry.view)
    if view !== entry.view {
      _ = elementPreparation.waiting.removeView(of: element.identity)
      recycleView(entry.view)
      elementPreparation.waiting.insert(view, of: element.identity)
    } else {
      elementPreparation.lifecycle.handle(.reconfigure, of: view.number)
    }
    finishView(view, element)
    elementPreparation.waiting.setProgress(PreparationProgress(next: .draw), of: element.identity)
  }

  private func finishView(_ view: CollectionReusableView, _ element: ElementAttributes) {
    adoptChild(view)
    CollectionView.positionView(view, element)
    measuringStep(.size, of: view.registration) {
      view.layoutIfNeeded()
      requestPreferredSize(view, element)
    }
    recordElementPrepared(view, isForced: false)
  }

  /// Records that a view is prepared, once: in slack time, or forced during a commit.
  final func recordElementPrepared(_ view: CollectionReusableView, isForced: Bool) {
    guard !view.isPrepared else { return }
    view.isPrepared = true
    elementPreparation.lifecycle.handle(.prepare(isForced: isForced), of: view.number)
  }
}
