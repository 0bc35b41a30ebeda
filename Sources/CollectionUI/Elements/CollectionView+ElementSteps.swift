import CollectionEngine
import CollectionLayout
import Geometry
import Views

/// Views beside cells are prepared ahead as cells are: in slack, the one that is seen first before others.
extension CollectionView {
  /// Adds the elements that come and have no view that is ready to what is to be prepared.
  final func listElements(
    into candidates: inout [PreparationCandidate], _ situation: PreparationSituation, runs: inout [Range<Int>]
  ) {
    elementPreparation.coming.removeAll(keepingCapacity: true)
    appendComing(in: situation.limits.near)
    if let landing = situation.landingView { appendComing(in: landing) }
    let coming = elementPreparation.coming
    guard !coming.isEmpty else { return }
    let base = ElementPreparation.firstNumber
    preparation.order.list(
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
  final func hasComingElements() -> Bool {
    elementPreparation.coming.removeAll(keepingCapacity: true)
    appendComing(in: preparation.window.limits.near)
    return !elementPreparation.coming.isEmpty
  }

  private func appendComing(in interval: ClosedRange<Double>) {
    var found: [ElementAttributes] = []
    solution.appendElements(in: region(of: interval), to: &found)
    for element in found where lacksReadyView(element.identity) { elementPreparation.coming.append(element) }
  }

  private func lacksReadyView(_ identity: ElementIdentity) -> Bool {
    guard elements.place(of: identity) == nil, elementStep(of: identity) != nil,
      !elementPreparation.coming.contains(where: { $0.identity == identity })
    else { return false }
    return elementPreparation.waiting[identity] != nil || mayWait(identity)
  }

  /// The step that an element's view needs next; nothing where one waits that could be shown without work.
  final func elementStep(of identity: ElementIdentity) -> PreparationStep? {
    guard let entry = elementPreparation.waiting[identity] else { return .configure }
    if let next = entry.progress.next { return next }
    guard let generation = window?.resources.generation else { return nil }
    return entry.view.drawing.holds(generation) || !entry.view.isWorthDrawingAhead ? nil : .draw
  }

  /// The step that a candidate needs next, be it an item or an element.
  final func nextStep(of candidate: PreparationCandidate) -> PreparationStep? {
    if let element = elementPreparation.element(candidate.index) {
      let identity = element.identity
      guard elements.place(of: identity) == nil, elementPreparation.waiting[identity] != nil || mayWait(identity) else {
        return nil
      }
      return elementStep(of: identity)
    }
    let index = candidate.index
    guard index >= 0, index < itemCount, displayed[index] == nil, hasRoom(for: index) else { return nil }
    return nextStep(at: index)
  }

  /// Does the next step for an element's view, ahead of its need.
  final func prepareStep(of element: ElementAttributes, _ source: any CollectionViewSource) {
    let identity = element.identity
    guard let entry = elementPreparation.waiting[identity] else {
      guard mayWait(identity) else { return }
      return exclusively {
        let view = configureView(of: element, from: source, onto: nil)
        finish(view, element)
        elementPreparation.waiting.insert(view, of: identity, progress: PreparationProgress(next: .draw))
      }
    }
    switch elementStep(of: identity) {
    case .draw:
      if let resources = window?.resources { redraw(entry.view, in: resources) }
    case .some:
      exclusively { reconfigure(entry, element, source) }
      return
    case nil: break
    }
    elementPreparation.waiting.setProgress(.ready, of: identity)
  }

  /// The view that waits for an element, if one does, ready to be shown.
  final func takeWaiting(_ element: ElementAttributes, from source: any CollectionViewSource) -> CollectionReusableView?
  {
    guard let entry = elementPreparation.waiting[element.identity] else { return nil }
    if entry.progress.next == .configure { reconfigure(entry, element, source) }
    return elementPreparation.waiting.take(element.identity)?.view
  }

  /// Runs the provider again on an element's own view, which another one may replace.
  private func reconfigure(
    _ entry: WaitingElements<CollectionReusableView>.Entry, _ element: ElementAttributes,
    _ source: any CollectionViewSource
  ) {
    let view = configureView(of: element, from: source, onto: entry.view)
    if view !== entry.view {
      _ = elementPreparation.waiting.take(element.identity)
      putBack(entry.view)
      elementPreparation.waiting.insert(view, of: element.identity)
    } else {
      elementPreparation.ledger.handle(.reconfigure, of: view.number)
    }
    finish(view, element)
    elementPreparation.waiting.setProgress(PreparationProgress(next: .draw), of: element.identity)
  }

  private func finish(_ view: CollectionReusableView, _ element: ElementAttributes) {
    adopt(view)
    CollectionView.place(view, element)
    timed(.size, of: view.registration) {
      view.layoutIfNeeded()
      askForSize(view, element)
    }
    noteElementPrepared(view, isForced: false)
  }

  /// A view counts as prepared once: in slack, or forced where a commit had to do it.
  final func noteElementPrepared(_ view: CollectionReusableView, isForced: Bool) {
    guard !view.isPrepared else { return }
    view.isPrepared = true
    elementPreparation.ledger.handle(.prepare(isForced: isForced), of: view.number)
  }
}
