// A client imports CollectionUI alone: it exports the modules whose types its own interface has. They are modules of their
// own because each can be tested without the others, and may import only those above it in this list.
//
// Everything else of a program is a product of its own: a window (VitrineHosting), pictures (VitrineImages), reports and
// recordings (VitrineDiagnostics).

/// `IndexPath`, to which `item` and `section` are added. As UIKit exports Foundation.
@_exported public import FoundationEssentials

/// Points, sizes and rectangles.
@_exported public import VitrineGeometry
/// Clocks, deadlines, and the records of frames.
@_exported public import VitrineFramePacing
/// Colors, text styles, bitmaps and drawing.
@_exported public import VitrineRendering
/// Snapshots and their differences.
@_exported public import VitrineDiffableData
/// Scroll positions as functions of time.
@_exported public import VitrineScrollPhysics
/// Grids, lists, compositional layouts, and the protocol for others.
@_exported public import VitrineCollectionLayout
/// Statistics, selections and other values of collection views.
@_exported public import VitrineCollectionEngine
/// Views, labels, scroll views, windows and their frames.
@_exported public import VitrineViews
