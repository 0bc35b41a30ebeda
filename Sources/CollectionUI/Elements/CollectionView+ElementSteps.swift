import CollectionEngine
import CollectionLayout
import Geometry
import Views

/// Views beside cells are prepared ahead as cells are: in slack, the one that is seen first before others.
extension CollectionView {
  /// Adds the elements that come and have no view that is ready to what is to be prepared.
  final func listElementCandidates(
    into candidates: inout [PreparationCandidate], _ situation: VisibilityForecast, runs: inout [Range<Int>]
  ) {
    elementPreparation.upcoming.removeAll(keepingCapacity: true)
    appendUpcoming(in: situation.limits.aroundViewport)
    if let landing = situation.landingViewport { appendUpcoming(in: landing) }
    let coming = elementPreparation.upcoming
    guard !coming.isEmpty else { return }
    let base = ElementPreparation.firstNumber
    preparation.order.listCandidates(
      into: &candidates, situation, scratch: &runs, isAppending: true,
      runs: { $1.append(base..<(base + coming.count)) },
      frame: { number in
        let frame = coming[number - base].frame
        let start = frame.origin[self.scrollAxis]
        return (start, start + frame.size[self.scrollAxis])
      },
      isWanted: { _ in true })
  }

  /// Whether elements come that have no view that is ready, where nothing is on its way to a place.
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

  /// The step that an element's view needs next; nothing where one waits that could be shown without work.
  final func nextElementStep(of identity: ElementIdentity) -> PreparationStep? {
    guard let entry = elementPreparation.waiting[identity] else { return .configure }
    if let next = entry.progress.next { return next }
    guard let generation = window?.resources.generation else { return nil }
    return entry.view.drawing.isValid(for: generation) || !entry.view.isWorthDrawingAhead ? nil : .draw
  }

  /// The step that a candidate needs next, be it an item or an element.
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

  /// Does the next step for an element's view, ahead of its need.
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

  /// The view that waits for an element, if one does, ready to be shown.
  final func dequeueWaitingView(of element: ElementAttributes, from source: any CollectionViewSource)
    -> CollectionReusableView?
  {
    guard let entry = elementPreparation.waiting[element.identity] else { return nil }
    if entry.progress.next == .configure { reconfigureWaitingView(entry, element, source) }
    return elementPreparation.waiting.removeView(of: element.identity)?.view
  }

  /// Runs the provider again on an element's own view, which another one may replace.
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

  /// A view counts as prepared once: in slack, or forced where a commit had to do it.
  final func recordElementPrepared(_ view: CollectionReusableView, isForced: Bool) {
    guard !view.isPrepared else { return }
    view.isPrepared = true
    elementPreparation.lifecycle.handle(.prepare(isForced: isForced), of: view.number)
  }
}
