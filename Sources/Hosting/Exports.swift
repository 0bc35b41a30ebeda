// A client that opens a window imports VitrineHosting, which exports what it shows there.

/// Collection views, and the views and values that they need.
@_exported public import CollectionUI
