// A client with a declarative program imports VitrineDeclarative alone.

/// Collection views, the values that describe their content, windows and reports.
@_exported public import VitrineDiagnostics
