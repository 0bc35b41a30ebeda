import struct FoundationEssentials.IndexPath
package import VitrineCollectionEngine
package import VitrineCollectionLayout
import VitrineDataStructures
import VitrineFramePacing
package import VitrineGeometry
import VitrineRendering
package import VitrineViews

/// What ``SupplementaryController`` needs from the collection view.
package protocol SupplementaryHost: PreparationHost {
  /// The part of the content in which views may wait off screen.
  var keepLimits: KeepLimits { get }
  /// Returns the largest number of views that may wait, for a number of views displayed at the same time.
  func maximumWaitingViews(displayed count: Int) -> Int
  /// Returns the rectangle of the content in an interval of the scroll axis.
  func region(of interval: ClosedRange<Double>) -> Rect

  /// Whether there is a data source that provides views.
  var providesSupplementaryViews: Bool { get }
  /// Calls the provider for a supplementary view.
  ///
  /// The provider dequeues the view from the controller.
  func provideSupplementaryView(ofKind kind: String, _ identity: ElementIdentity) -> CollectionReusableView
  /// Requests the preferred size of a view that was configured.
  func requestPreferredSize(_ view: CollectionReusableView, _ element: ElementAttributes)

  /// Requires another query of the layout, because other views are displayed.
  func supplementaryViewsDidChange()
  /// Keeps drawing a view that leaves in an animated update, and returns whether it does.
  func retainLeavingView(_ view: CollectionReusableView, _ identity: ElementIdentity, isDeleted: Bool) -> Bool
  /// Returns the view of an element that is leaving in an animated update, to be displayed again, or nil.
  func reclaimLeavingView(of element: ElementAttributes) -> CollectionReusableView?
  /// Marks the views that are leaving in an animated update as outdated, if a predicate holds for their elements.
  func invalidateLeavingViews(where predicate: (ElementIdentity) -> Bool)
  /// Notifies the delegate that a view is about to be displayed.
  func willDisplay(_ view: CollectionReusableView, _ identity: ElementIdentity)
  /// Notifies the delegate that a view was removed from the screen.
  func didEndDisplaying(_ view: CollectionReusableView, _ identity: ElementIdentity)
}

/// The owner of supplementary and decoration views: displayed, prepared and waiting off screen, and pooled.
///
/// Views are named by their element (``ElementIdentity``). The layout says which elements are visible; the controller
/// gives each a view, prepared ahead if possible, and takes views back when their elements leave.
///
/// Invariants:
/// - A view is in exactly one store: displayed, waiting, the pool of its registration, or retained by an animation.
///   ``CellLifecycle`` counts each transition, and refuses one that is not allowed.
/// - Every `willDisplay` is followed by one `didEndDisplaying`.
/// - A view that was configured before the last update of the items is configured again before it is displayed.
/// - Drawings behind and in front of the cells are in two lists, which are empty whenever the displayed views differ
///   from those of the lists.
/// - A pinned view is positioned by the scroll position alone until the layout is queried again, without retaining it.
package final class SupplementaryController {
  /// The collection view, which owns the controller and outlives it.
  @exclusivity(unchecked) package unowned(unsafe) var host: (any SupplementaryHost)!
  private let meter: StepMeter

  private var displayed = DisplayedElements<CollectionReusableView>() {
    didSet { invalidateDisplayLists() }
  }
  private var lifecycle = CellLifecycle()
  private var pool = ReusePool<CollectionReusableView>()
  /// The prepared views of elements off screen.
  private var waiting = WaitingElements<CollectionReusableView>()
  /// The upcoming elements that lack a prepared view, as of the frame that was begun.
  private var upcoming: [ElementAttributes] = []
  /// The registration of the last view of each kind, which predicts that of the next.
  private var registrations: [ElementKind: Int] = [:]
  /// Whether the displayed views must be configured again, because the items changed.
  private var needsRefresh = false
  /// The supplementary view that is being configured again, while its provider runs.
  private var reconfigured: CollectionReusableView?
  /// The view that was dequeued last and the kind of its registration, until its provider returns it.
  private var dequeued: (view: CollectionReusableView, kind: String)?
  /// The registrations of decoration views, by kind.
  private var decorations: [String: DecorationRegistration] = [:]
  /// The number of updates of the items.
  private var updateCount = 0
  private var maximumVisibleCount = 0

  private let (displayListBehind, displayListInFront) = (CachedDisplayList(), CachedDisplayList())
  private var hasDisplayLists = false
  private let pinnedViews = TrivialBuffer<PinnedView>(capacity: 4)
  /// Reusable memory for layout queries.
  private var scratch: [ElementAttributes] = []

  /// The first number of elements among preparation candidates, below the indices of all items.
  private static let firstNumber = -1_000_000_000
  /// The number of bisections of a distance on which the elements change.
  private static let bisectionCount = 5
  /// The tolerance for comparing positions, in points.
  private static let positionTolerance = 1e-6

  /// Creates a controller without views.
  ///
  /// - Parameter meter: The owner of registrations and costs.
  package init(meter: StepMeter) { self.meter = meter }

  // MARK: - State

  /// The counts of views over the controller's lifetime.
  package var statistics: CellStatistics { lifecycle.statistics }

  /// The number of displayed elements.
  package var count: Int { displayed.count }

  /// The number of views in the pools.
  package var pooledCount: Int { pool.count }

  /// The prepared views that are not displayed, in order of preparation.
  package var waitingViews: [CollectionReusableView] { waiting.entries.map(\.view) }

  /// The displayed elements with their views, back to front.
  ///
  /// A pinned view may have moved since the layout was queried, so that its frame is another than its attributes'.
  package var elements: [(attributes: ElementAttributes, view: CollectionReusableView?, frame: Rect)] {
    (0..<displayed.count).map { element(at: $0) }
  }

  /// Returns a displayed element with its view, or nil if it is not displayed.
  package func element(
    _ identity: ElementIdentity
  ) -> (attributes: ElementAttributes, view: CollectionReusableView?, frame: Rect)? {
    displayed.index(of: identity).map { element(at: $0) }
  }

  private func element(
    at position: Int
  ) -> (attributes: ElementAttributes, view: CollectionReusableView?, frame: Rect) {
    let (attributes, view) = (displayed.attributes[position], displayed.view(at: position))
    return (attributes, view, attributes.isPinned ? view?.frame ?? attributes.frame : attributes.frame)
  }

  /// Registers a class for decoration views of a kind, and a closure that configures them.
  package func register(
    _ type: CollectionReusableView.Type, forDecorationViewOfKind kind: String,
    configure: @escaping (CollectionReusableView) -> Void
  ) {
    decorations[kind] = DecorationRegistration(type: type, configure: configure)
  }

  // MARK: - Visible elements

  /// Displays the elements that the layout has in a rectangle, and ends the display of the others.
  ///
  /// Elements without a view receive one by ``fillVisibleElements()``.
  package func updateVisibleElements(in rect: Rect) {
    scratch.removeAll(keepingCapacity: true)
    host.solution.appendElements(in: rect, to: &scratch)
    guard displayed.count > 0 || !scratch.isEmpty else { return }
    let left = displayed.replaceElements(with: &scratch)
    maximumVisibleCount = max(maximumVisibleCount, displayed.count)
    endDisplaying(left)
    for position in 0..<displayed.count {
      if let view = displayed.view(at: position) {
        SupplementaryController.position(view, displayed.attributes[position])
      }
    }
  }

  /// Provides visible elements with views, and configures the displayed views again after an update.
  package func fillVisibleElements() {
    if needsRefresh {
      needsRefresh = false
      refresh { _ in true }
    }
    for position in 0..<displayed.count where displayed.view(at: position) == nil { makeView(at: position) }
  }

  private func makeView(at position: Int) {
    let element = displayed.attributes[position]
    guard host.providesSupplementaryViews, element.identity.kind != .cell else { return }
    // A view that is being animated out is displayed again. A supplementary view is configured again, as after each
    // update.
    if let leaving = host.reclaimLeavingView(of: element) {
      guard case .supplementary = element.identity.kind else { return show(leaving, at: position) }
      let view = configureView(of: element, onto: leaving)
      guard view !== leaving else { return show(view, at: position) }
      endDisplaying(leaving, element.identity, mayWait: false)
      return showNewly(view, at: position)
    }
    showNewly(dequeueWaitingView(of: element) ?? configureView(of: element, onto: nil), at: position)
  }

  private func showNewly(_ view: CollectionReusableView, at position: Int) {
    recordPrepared(view, isForced: true)
    lifecycle.handle(.willDisplay, of: view.number)
    host.willDisplay(view, displayed.attributes[position].identity)
    show(view, at: position)
  }

  private func show(_ view: CollectionReusableView, at position: Int) {
    _ = displayed.setView(view, at: position)
    host.adoptChild(view)
    SupplementaryController.position(view, displayed.attributes[position])
    view.layoutIfNeeded()
    host.requestPreferredSize(view, displayed.attributes[position])
  }

  private static func position(_ view: CollectionReusableView, _ attributes: ElementAttributes) {
    guard view.attributes != attributes else { return }
    view.attributes = attributes
    view.drawing.corner = attributes.frame.origin
    view.frame = attributes.frame
    view.apply(attributes)
    view.layoutIfNeeded()
  }

  // MARK: - Configuring

  /// Returns a configured view for an element.
  ///
  /// - Parameter existing: The element's current view, which is configured again, or nil.
  private func configureView(
    of element: ElementAttributes, onto existing: CollectionReusableView?
  ) -> CollectionReusableView {
    let kind = element.identity.kind
    let view: CollectionReusableView
    switch kind {
    case .supplementary(let name):
      let outer = reconfigured
      reconfigured = existing
      view = host.provideSupplementaryView(ofKind: name, element.identity)
      reconfigured = outer
      requireDequeuedView(view, as: dequeued, ofKind: name)
      dequeued = nil
    case .decoration(let name): view = configureDecoration(of: name, onto: existing)
    case .cell: failPrecondition("A layout named a cell among the views beside cells.")
    }
    registrations[kind] = view.registration
    view.configuredUpdate = updateCount
    return view
  }

  private func configureDecoration(
    of kind: String, onto existing: CollectionReusableView?
  ) -> CollectionReusableView {
    guard let decoration = decorations[kind] ?? DecorationRegistration(standardViewOfKind: kind) else {
      failUnregisteredDecoration(kind)
    }
    let number = meter.number(ofDecoration: decoration.type)
    let view =
      existing ?? dequeuePooledView(number)
      ?? addView(meter.measuring(.create, of: number) { decoration.type.init() }, number)
    decoration.configure(view)
    return view
  }

  /// Returns a view for a provider that dequeues one: the one that is configured again, one from the pool, or a new one.
  ///
  /// - Precondition: The provider that dequeued the last view has returned it.
  package func dequeueView<View: CollectionReusableView>(ofKind kind: String, registration: Int) -> View {
    checkPrecondition(
      dequeued == nil,
      """
      A view of kind \(kind) was dequeued after another one that no provider returned. Dequeue views within a \
      supplementary view provider alone, one for each call: any other would be lost.
      """)
    let view: View
    if let existing = reconfigured as? View, existing.registration == registration {
      view = existing
    } else {
      view =
        dequeuePooledView(registration) as? View
        ?? addView(meter.measuring(.create, of: registration) { View() }, registration)
    }
    dequeued = (view, kind)
    return view
  }

  private func dequeuePooledView(_ registration: Int) -> CollectionReusableView? {
    guard let view = pool.dequeueCell(of: registration) else { return nil }
    view.isPooled = false
    lifecycle.handle(.reuse, of: view.number)
    view.prepareForReuse()
    return view
  }

  private func addView<View: CollectionReusableView>(_ view: View, _ registration: Int) -> View {
    view.registration = registration
    view.number = lifecycle.create()
    return view
  }

  /// Configures all views again: displayed views now, waiting views in slack time.
  package func refresh() {
    waiting.resetProgress(to: .configure)
    host.invalidateLeavingViews { _ in true }
    if !waiting.isEmpty { host.setNeedsPreparation() }
    for position in 0..<displayed.count {
      let element = displayed.attributes[position]
      guard case .decoration = element.identity.kind, let view = displayed.view(at: position) else { continue }
      _ = configureView(of: element, onto: view)
    }
    refresh { _ in true }
  }

  /// Configures the supplementary views of reloaded sections again: displayed views now, waiting views in slack time.
  package func reloadSections(where isReloaded: (Int) -> Bool) {
    func isAffected(_ identity: ElementIdentity) -> Bool { identity.section.map(isReloaded) ?? false }
    waiting.resetProgress(to: .configure, where: isAffected)
    host.invalidateLeavingViews(where: isAffected)
    if !waiting.isEmpty { host.setNeedsPreparation() }
    // After an update, all views are configured again in the coming frame.
    guard !needsRefresh, displayed.count > 0 else { return }
    host.deferringUpdates { refresh(where: isAffected) }
  }

  private func refresh(where predicate: (ElementIdentity) -> Bool) {
    // The provider is client code, which may release the data source.
    for position in 0..<displayed.count where host.providesSupplementaryViews {
      let element = displayed.attributes[position]
      guard case .supplementary = element.identity.kind, predicate(element.identity),
        let view = displayed.view(at: position)
      else { continue }
      let refreshed = configureView(of: element, onto: view)
      if refreshed !== view {
        endDisplaying(view, element.identity, mayWait: false)
        showNewly(refreshed, at: position)
      } else {
        lifecycle.handle(.reconfigure, of: view.number)
        view.layoutIfNeeded()
        host.requestPreferredSize(view, element)
      }
    }
  }

  // MARK: - Ending the display

  /// Ends the display of views that left the viewport, unless they are being animated out.
  ///
  /// - Parameter areDeleted: Whether the layout no longer contains the elements.
  private func endDisplaying(
    _ leaving: [(identity: ElementIdentity, view: CollectionReusableView)], areDeleted: Bool = false
  ) {
    guard !leaving.isEmpty else { return }
    host.deferringUpdates {
      for (identity, view) in leaving where !host.retainLeavingView(view, identity, isDeleted: areDeleted) {
        endDisplaying(view, identity, mayWait: !areDeleted)
      }
    }
  }

  /// Ends the display of a view, which then waits for its element or goes to the pool.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - identity: The element that it showed.
  ///   - mayWait: Whether it may wait for the element to become visible again.
  package func endDisplaying(_ view: CollectionReusableView, _ identity: ElementIdentity?, mayWait: Bool) {
    lifecycle.handle(.didEndDisplaying, of: view.number)
    if let identity { host.didEndDisplaying(view, identity) }
    guard mayWait, let identity, displayed.index(of: identity) == nil, waiting[identity] == nil, canWait(identity)
    else {
      return recycle(view)
    }
    // The items may have changed since it was configured, if it left before it was configured again.
    let isCurrent = view.configuredUpdate == updateCount
    waiting.insert(view, of: identity, progress: isCurrent ? .ready : PreparationProgress(next: .configure))
    if !isCurrent { host.setNeedsPreparation() }
  }

  /// Unbinds a view from its element and puts it into its pool.
  private func recycle(_ view: CollectionReusableView) {
    view.attributes = nil
    view.isPrepared = false
    view.removeFromSuperview()
    view.willEnterReusePool()
    let isPooled = pool.enqueue(
      view, of: view.registration, keepingAtMost: maximumVisibleCount + maximumWaitingViews)
    view.isPooled = true
    lifecycle.handle(isPooled ? .pool : .discard, of: view.number)
  }

  /// Ends the display of all views and discards the waiting ones, because all items are replaced.
  package func removeAll() {
    endDisplaying(displayed.removeAll(), areDeleted: true)
    for view in waiting.removeAll() { recycle(view) }
    upcoming.removeAll(keepingCapacity: true)
  }

  /// Updates the identities of elements with their sections, after an update of the items.
  ///
  /// All views are configured again: displayed ones in the coming frame, waiting ones in slack time.
  package func apply(_ map: IndexMap) {
    updateCount += 1
    upcoming.removeAll(keepingCapacity: true)
    for view in waiting.apply(map) { recycle(view) }
    waiting.resetProgress(to: .configure)
    if !waiting.isEmpty { host.setNeedsPreparation() }
    guard displayed.count > 0 else { return }
    needsRefresh = true
    endDisplaying(displayed.apply(map), areDeleted: true)
  }

  // MARK: - Waiting views

  private var maximumWaitingViews: Int { host.maximumWaitingViews(displayed: maximumVisibleCount) }

  /// Returns whether the view of an element may wait at the element's current position.
  private func canWait(_ identity: ElementIdentity) -> Bool {
    host.preparesAhead && waiting.count < maximumWaitingViews && isWithinKeepLimits(identity)
  }

  private func isWithinKeepLimits(_ identity: ElementIdentity) -> Bool {
    let limits = host.keepLimits
    return isVisible(identity, in: limits.aroundViewport) || limits.landing.map { isVisible(identity, in: $0) } ?? false
  }

  /// Returns whether an element is visible in a viewport that covers the given interval.
  private func isVisible(_ identity: ElementIdentity, in interval: ClosedRange<Double>) -> Bool {
    let region = host.region(of: interval)
    return host.solution.attributes(of: identity, in: region)?.frame.intersects(region) ?? false
  }

  /// Evicts waiting views that are too far away or no longer needed, after the content scrolled or its layout changed.
  package func evictDistantViews() {
    guard !waiting.isEmpty else { return }
    let retainsViews = host.preparesAhead
    // Moved out of the storage, because the predicate reads it.
    var views = WaitingElements<CollectionReusableView>()
    swap(&views, &waiting)
    let evicted = views.removeViews { retainsViews && isWithinKeepLimits($0) }
    swap(&views, &waiting)
    for view in evicted { recycle(view) }
  }

  /// Draws all views again in other colors.
  package func paletteDidChange() {
    releaseMemory()
    for position in 0..<displayed.count { displayed.view(at: position)?.setNeedsDisplay() }
    for view in waitingViews { view.setNeedsDisplay() }
  }

  /// Empties the pools when memory is short.
  package func releaseMemory() {
    for view in pool.removeAll() { lifecycle.handle(.discard, of: view.number) }
  }

  // MARK: - Preparing ahead

  /// Adds the upcoming elements that lack a prepared view to the candidates.
  package func listCandidates(
    into candidates: inout [PreparationCandidate], _ situation: VisibilityForecast, order: PreparationOrder,
    runs: inout [Range<Int>]
  ) {
    upcoming.removeAll(keepingCapacity: true)
    appendUpcoming(in: situation.limits.aroundViewport)
    if let landing = situation.landingViewport { appendUpcoming(in: landing) }
    let (upcoming, axis, base) = (upcoming, host.scrollAxis, SupplementaryController.firstNumber)
    guard !upcoming.isEmpty else { return }
    order.listCandidates(
      into: &candidates, situation, scratch: &runs, isAppending: true,
      runs: { $1.append(base..<(base + upcoming.count)) },
      frame: { number in
        let frame = upcoming[number - base].frame
        return (frame.origin[axis], frame.origin[axis] + frame.size[axis])
      },
      needsCell: { _ in true })
  }

  /// Returns whether upcoming elements lack a prepared view, while no scroll animation has a target.
  package func hasUpcomingElements() -> Bool {
    upcoming.removeAll(keepingCapacity: true)
    appendUpcoming(in: host.keepLimits.aroundViewport)
    return !upcoming.isEmpty
  }

  private func appendUpcoming(in interval: ClosedRange<Double>) {
    var found: [ElementAttributes] = []
    host.solution.appendElements(in: host.region(of: interval), to: &found)
    for element in found where lacksReadyView(element.identity) { upcoming.append(element) }
  }

  private func lacksReadyView(_ identity: ElementIdentity) -> Bool {
    guard displayed.index(of: identity) == nil, nextStep(of: identity) != nil,
      !upcoming.contains(where: { $0.identity == identity })
    else { return false }
    return waiting[identity] != nil || canWait(identity)
  }

  /// Returns whether a number of a candidate stands for an element, rather than an item.
  package static func isElement(_ number: Int) -> Bool { number < 0 }

  private func upcomingElement(_ number: Int) -> ElementAttributes? {
    let position = number - SupplementaryController.firstNumber
    return number < 0 && upcoming.indices.contains(position) ? upcoming[position] : nil
  }

  /// Returns the registration of a candidate's last view, or -1 if its kind had none.
  package func registration(ofCandidate number: Int) -> Int {
    upcomingElement(number).flatMap { registrations[$0.identity.kind] } ?? -1
  }

  /// Returns the next step of preparing a candidate's view, or nil if it needs none or may not wait.
  package func nextStep(ofCandidate number: Int) -> PreparationStep? {
    guard let identity = upcomingElement(number)?.identity, displayed.index(of: identity) == nil,
      waiting[identity] != nil || canWait(identity)
    else { return nil }
    return nextStep(of: identity)
  }

  /// Returns the next step of preparing an element's view, or nil if its waiting view can be displayed without work.
  private func nextStep(of identity: ElementIdentity) -> PreparationStep? {
    guard let entry = waiting[identity] else { return .configure }
    if let next = entry.progress.next { return next }
    guard let generation = host.renderResources?.generation else { return nil }
    return entry.view.drawing.isValid(for: generation) || !entry.view.isWorthDrawingAhead ? nil : .draw
  }

  /// Performs the next step of preparing a candidate's view ahead.
  package func prepareStep(ofCandidate number: Int) {
    guard let element = upcomingElement(number) else { return }
    let identity = element.identity
    guard let entry = waiting[identity] else {
      guard canWait(identity) else { return }
      return host.deferringUpdates {
        let view = configureView(of: element, onto: nil)
        finish(view, element)
        waiting.insert(view, of: identity, progress: PreparationProgress(next: .draw))
      }
    }
    switch nextStep(of: identity) {
    case .draw:
      if let resources = host.renderResources { redraw(entry.view, in: resources) }
    case .some: return host.deferringUpdates { reconfigureWaitingView(entry, element) }
    case nil: break
    }
    waiting.setProgress(.ready, of: identity)
  }

  /// Removes and returns the waiting view of an element, ready to be displayed, or nil if there is none.
  private func dequeueWaitingView(of element: ElementAttributes) -> CollectionReusableView? {
    guard let entry = waiting[element.identity] else { return nil }
    if entry.progress.next == .configure { reconfigureWaitingView(entry, element) }
    return waiting.removeView(of: element.identity)?.view
  }

  /// Calls the provider again for a waiting view.
  ///
  /// The provider may return another view, which replaces it.
  private func reconfigureWaitingView(
    _ entry: WaitingElements<CollectionReusableView>.Entry, _ element: ElementAttributes
  ) {
    let view = configureView(of: element, onto: entry.view)
    if view !== entry.view {
      _ = waiting.removeView(of: element.identity)
      recycle(entry.view)
      waiting.insert(view, of: element.identity)
    } else {
      lifecycle.handle(.reconfigure, of: view.number)
    }
    finish(view, element)
    waiting.setProgress(PreparationProgress(next: .draw), of: element.identity)
  }

  private func finish(_ view: CollectionReusableView, _ element: ElementAttributes) {
    host.adoptChild(view)
    SupplementaryController.position(view, element)
    meter.measuring(.size, of: view.registration) {
      view.layoutIfNeeded()
      host.requestPreferredSize(view, element)
    }
    recordPrepared(view, isForced: false)
  }

  /// Records that a view is prepared, once: in slack time, or forced during a commit.
  private func recordPrepared(_ view: CollectionReusableView, isForced: Bool) {
    guard !view.isPrepared else { return }
    view.isPrepared = true
    lifecycle.handle(.prepare(isForced: isForced), of: view.number)
  }

  // MARK: - Scrolling

  /// Moves pinned views with the viewport, after the content scrolled to an offset.
  package func movePinnedViews(to offset: Double, along axis: Axis) {
    for view in pinnedViews.elements { view.updatePosition(to: offset, along: axis) }
  }

  /// Returns how far the content can scroll with the same elements, which move with the content or stay pinned.
  ///
  /// - Parameters:
  ///   - rect: The visible part of the content.
  ///   - reach: The distance in both directions that is examined, in points.
  /// - Returns: The range of offsets, or nil if the displayed elements are not those at the current offset.
  package func steadyOffsets(in rect: Rect, reach: Double) -> ClosedRange<Double>? {
    pinnedViews.removeAll()
    let axis = host.scrollAxis
    var region = rect
    region.origin[axis] -= reach
    region.size[axis] += 2 * reach
    scratch.removeAll(keepingCapacity: true)
    host.solution.appendElements(in: region, to: &scratch)
    guard displayed.count > 0 || !scratch.isEmpty else { return -Double.infinity...Double.infinity }
    guard recordPinnedViews(in: rect) else { return nil }
    let offset = rect.origin[axis]
    return
      (offset - steadyDistance(in: rect, upTo: -reach).magnitude)...(offset + steadyDistance(in: rect, upTo: reach))
  }

  /// Records the pinned views.
  ///
  /// - Returns: Whether all visible elements are displayed at the layout's positions.
  private func recordPinnedViews(in rect: Rect) -> Bool {
    guard hasSameElements(in: rect, after: 0) else { return false }
    let axis = host.scrollAxis
    for position in 0..<displayed.count {
      guard let view = displayed.view(at: position) else { return false }
      let element = displayed.attributes[position]
      guard element.isPinned else { continue }
      pinnedViews.append(PinnedView(view, distance: element.frame.origin[axis] - rect.origin[axis]))
    }
    return true
  }

  /// Returns how far the content can scroll in one direction with the same elements, in points, up to a limit.
  private func steadyDistance(in rect: Rect, upTo reach: Double) -> Double {
    guard !hasSameElements(in: rect, after: reach) else { return reach }
    var (same, other) = (0.0, reach)
    for _ in 0..<SupplementaryController.bisectionCount {
      let middle = (same + other) / 2
      if hasSameElements(in: rect, after: middle) { same = middle } else { other = middle }
    }
    return same
  }

  /// Returns whether the layout has exactly the displayed elements, at the positions they move to, after scrolling by a
  /// distance.
  private func hasSameElements(in rect: Rect, after distance: Double) -> Bool {
    let axis = host.scrollAxis
    var rect = rect
    rect.origin[axis] += distance
    scratch.removeAll(keepingCapacity: true)
    host.solution.appendElements(in: rect, to: &scratch)
    guard scratch.count == displayed.count else { return false }
    for position in scratch.indices {
      let next = scratch[position]
      var last = displayed.attributes[position]
      if last.isPinned { last.frame.origin[axis] += distance }
      let difference = next.frame.origin[axis] - last.frame.origin[axis]
      guard difference.magnitude < SupplementaryController.positionTolerance else { return false }
      last.frame.origin[axis] = next.frame.origin[axis]
      if next != last { return false }
    }
    return true
  }

  // MARK: - Drawing and hit testing

  /// Appends the cached drawings of the views behind or in front of the cells, at their current positions.
  package func render(areBehindCells: Bool, atContentOrigin contentOrigin: Point, in context: DrawContext) {
    guard displayed.count > 0 else { return }
    if !hasDisplayLists { collectDrawings() }
    let layer = areBehindCells ? displayListBehind : displayListInFront
    guard !layer.isEmpty else { return }
    let origin = context.origin - contentOrigin
    let (x, y) = (context.scale.contentPixel(origin.x), context.scale.contentPixel(origin.y))
    if !layer.isComplete(for: context.resources.generation) {
      redrawViews(in: context.resources)
      layer.rebuild(atX: x, y: y)
    }
    layer.append(atX: x, y: y, to: context.list)
  }

  /// Redraws the views whose drawings are out of date.
  private func redrawViews(in resources: RenderResources) {
    for position in 0..<displayed.count {
      guard let view = displayed.view(at: position), !view.drawing.isValid(for: resources.generation) else { continue }
      redraw(view, in: resources)
    }
    // Their code may change what is displayed.
    if !hasDisplayLists { collectDrawings() }
  }

  private func redraw(_ view: CollectionReusableView, in resources: RenderResources) {
    meter.measuring(.draw, of: view.registration) { view.redraw(in: resources) }
  }

  private func collectDrawings() {
    hasDisplayLists = true
    for position in 0..<displayed.count {
      guard let view = displayed.view(at: position) else { continue }
      (displayed.attributes[position].isBehindCells ? displayListBehind : displayListInFront).addDrawing(view.drawing)
    }
  }

  /// Returns the frontmost view at a point, behind or in front of the cells, or nil if there is none.
  ///
  /// - Parameters:
  ///   - areBehindCells: Whether to examine the views behind the cells.
  ///   - point: The point, in the view's coordinates.
  ///   - contentOrigin: The point of the content at the view's origin.
  package func hitTest(areBehindCells: Bool, _ point: Point, atContentOrigin contentOrigin: Point) -> View? {
    for position in (0..<displayed.count).reversed()
    where displayed.attributes[position].isBehindCells == areBehindCells {
      guard let view = displayed.view(at: position) else { continue }
      if let hit = view.hitTest(point, displayedAt: view.frame.origin - contentOrigin) { return hit }
    }
    return nil
  }

  /// Empties the display lists and forgets pinned views, because other views are displayed.
  private func invalidateDisplayLists() {
    hasDisplayLists = false
    displayListBehind.removeAll()
    displayListInFront.removeAll()
    pinnedViews.removeAll()
    host.supplementaryViewsDidChange()
  }
}

/// An unretained reference to a view that is pinned to the viewport.
///
/// It is valid only while the view is displayed, which retains it.
private struct PinnedView: BitwiseCopyable {
  private unowned(unsafe) let view: CollectionReusableView
  /// The distance from the start of the viewport, in points on the scroll axis.
  private let distance: Double

  /// Creates a reference to a view at a distance from the start of the viewport.
  init(_ view: CollectionReusableView, distance: Double) {
    self.view = view
    self.distance = distance
  }

  /// Moves the view with the viewport after the content scrolled to an offset.
  func updatePosition(to offset: Double, along axis: Axis) {
    // In one call, because each call retains the view.
    view.pin(at: offset + distance, along: axis)
  }
}

extension ElementAttributes {
  /// Whether cells are in front of it: true for decorations that are not raised and for views below the cells' z-index.
  var isBehindCells: Bool {
    if case .decoration = identity.kind { return zIndex <= 0 }
    return zIndex < 0
  }
}

extension ElementIdentity {
  /// The section and the index in it, or the index alone if the view belongs to the whole layout.
  var path: IndexPath {
    section.map { IndexPath(item: item, section: $0) } ?? IndexPath(index: item)
  }
}

/// The class of decoration views of a kind, and how they are configured.
private struct DecorationRegistration {
  let type: CollectionReusableView.Type
  let configure: (CollectionReusableView) -> Void

  init(type: CollectionReusableView.Type, configure: @escaping (CollectionReusableView) -> Void) {
    (self.type, self.configure) = (type, configure)
  }

  /// Creates the registration of a kind that the library displays itself, or returns nil for another kind.
  init?(standardViewOfKind kind: String) {
    guard let type = CollectionLayoutListConfiguration.standardView(ofKind: kind) else { return nil }
    self.init(type: type) { _ in }
  }
}
