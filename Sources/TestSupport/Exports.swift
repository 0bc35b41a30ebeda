// The tests of this repository import VitrineTestSupport alone, which exports what clients test their views with.

/// A window without a screen, on a virtual clock.
@_exported public import VitrineTesting
