import FramePacing
import Rendering

/// The page's look: one column on a grid of 8, calm colours, dark or light as the reader's desktop is.
enum ReportPageStyle {
  /// The style sheet.
  static var styleSheet: String {
    let colors = FrameChart.phases.map { phase in
      let color = OverlayPalette.color(of: phase)
      return ".\(phase.name) { fill: \(css(color)); --mark: \(css(color)); }"
    }
    return base + "\n" + colors.joined(separator: "\n")
  }

  private static func css(_ color: Color) -> String { "rgb(\(color.red) \(color.green) \(color.blue))" }

  private static let base = """
    :root { color-scheme: light dark; --back: #f7f7f8; --card: #ffffff; --text: #1b1c20; --faint: #6a6c76;
      --line: #e1e2e6; --good: #1f8a4c; --warning: #a86a00; --critical: #c9302c; }
    @media (prefers-color-scheme: dark) { :root { --back: #111215; --card: #191a1e; --text: #e9eaee; --faint: #8b8d98;
      --line: #2a2c32; --good: #7bd88f; --warning: #ffd166; --critical: #ff6b6b; } }
    body { margin: 0; background: var(--back); color: var(--text); font: 15px/24px Inter, system-ui, sans-serif; }
    main { max-width: 960px; margin: 0 auto; padding: 48px 24px; }
    h1 { font-size: 24px; line-height: 32px; font-weight: 600; margin: 0 0 24px; }
    h2 { font-size: 15px; line-height: 24px; font-weight: 600; margin: 32px 0 8px; }
    svg { display: block; width: 100%; height: auto; background: var(--card); border-radius: 8px; }
    svg text { font-size: 11px; fill: var(--faint); }
    line { stroke: var(--line); } line.deadline { stroke: var(--warning); stroke-dasharray: 4 3; }
    rect.hitch { fill: var(--critical); }
    .tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(144px, 1fr)); gap: 8px; }
    .tile { background: var(--card); border-radius: 8px; padding: 16px; }
    .tile span { display: block; color: var(--faint); font-size: 13px; line-height: 16px; min-height: 32px; }
    .tile b { font-size: 24px; line-height: 32px; font-weight: 600; font-variant-numeric: tabular-nums; }
    .tile i { font-style: normal; color: var(--faint); margin-left: 4px; }
    .good b, em.good { color: var(--good); } .warning b, em.warning { color: var(--warning); }
    .critical b, em.critical { color: var(--critical); } em { font-style: normal; margin-left: 8px; }
    .legend { list-style: none; display: flex; flex-wrap: wrap; gap: 0 16px; padding: 0; margin: 8px 0; font-size: 13px;
      color: var(--faint); }
    .legend li::before { content: ""; display: inline-block; width: 8px; height: 8px; border-radius: 2px;
      margin-right: 6px; background: var(--mark, var(--line)); }
    .legend .deadline { --mark: var(--warning); } .legend .hitch { --mark: var(--critical); }
    table { width: 100%; border-collapse: collapse; }
    th, td { text-align: left; vertical-align: top; padding: 4px 0; border-bottom: 1px solid var(--line); }
    th { width: 40%; font-weight: 400; color: var(--faint); } td { font-variant-numeric: tabular-nums; white-space: pre-wrap; }
    """
}
