/** How diagrams look: the colours and the font of the page, in the forms that Mermaid and an image can use. */
import latin from '@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2?url'

/** The font of a diagram. An image sees no fonts of the page: `fontFace` puts ours into it. */
export const diagramFont = '"Hanken Grotesk Variable", ui-sans-serif, system-ui, sans-serif'

/** The variables of Mermaid's theme `base`, from the colours that the page has just now. */
export function diagramColours(): Record<string, string> {
  const colour = createColourReader()
  const [ink, line, surface, raised, soft] = ['ink', 'line-strong', 'surface', 'raised', 'accent-soft'].map(colour)
  const [accent, accentLine, sunken, muted, canvas] = ['accent-ink', 'accent-line', 'sunken', 'muted', 'canvas'].map(
    colour,
  )
  const series = ['accent-line', 'info-ink', 'warn-ink', 'ok-ink', 'danger-ink', 'muted', 'accent-strong', 'faint'].map(
    colour,
  )
  const all = {
    darkMode: String(getComputedStyle(document.documentElement).colorScheme === 'dark'),
    background: sunken,
    primaryColor: soft,
    primaryTextColor: ink,
    primaryBorderColor: accentLine,
    secondaryColor: raised,
    secondaryTextColor: ink,
    secondaryBorderColor: line,
    tertiaryColor: surface,
    tertiaryTextColor: ink,
    tertiaryBorderColor: line,
    lineColor: muted,
    textColor: ink,
    titleColor: ink,
    nodeTextColor: ink,
    edgeLabelBackground: sunken,
    clusterBkg: surface,
    clusterBorder: line,
    noteBkgColor: colour('warn-soft'),
    noteTextColor: ink,
    noteBorderColor: colour('warn-ink'),
    actorLineColor: line,
    signalColor: muted,
    signalTextColor: ink,
    labelBoxBkgColor: surface,
    loopTextColor: ink,
    activationBkgColor: canvas,
    activationBorderColor: line,
    sectionBkgColor: surface,
    altSectionBkgColor: canvas,
    gridColor: line,
    taskBkgColor: soft,
    taskBorderColor: accentLine,
    taskTextColor: ink,
    taskTextDarkColor: ink,
    taskTextLightColor: ink,
    taskTextOutsideColor: ink,
    todayLineColor: colour('danger-ink'),
    pieTitleTextColor: ink,
    pieSectionTextColor: canvas,
    pieLegendTextColor: ink,
    pieStrokeColor: surface,
    pieOuterStrokeColor: line,
    pieOpacity: '1',
    classText: ink,
    relationColor: muted,
    attributeBackgroundColorOdd: surface,
    attributeBackgroundColorEven: raised,
    errorTextColor: accent,
    useGradient: 'false',
    dropShadow: 'none',
  }
  const written: Record<string, string> = {}
  for (const [name, value] of Object.entries(all)) if (value !== undefined) written[name] = value
  series.forEach((value, place) => {
    written[`pie${place + 1}`] = value
    written[`git${place}`] = value
    written[`gitBranchLabel${place}`] = canvas ?? value
  })
  return written
}

/** Reads a custom property of the page as `#rrggbb`; Mermaid computes with colours and knows no oklch. */
function createColourReader(): (name: string) => string {
  const style = getComputedStyle(document.documentElement)
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  return (name) => {
    if (!context) return '#808080'
    context.fillStyle = style.getPropertyValue(`--${name}`)
    context.fillRect(0, 0, 1, 1)
    const [r = 0, g = 0, b = 0] = context.getImageData(0, 0, 1, 1).data
    return `#${[r, g, b].map((part) => part.toString(16).padStart(2, '0')).join('')}`
  }
}

let face: Promise<string> | undefined

/** A rule of CSS with our font in it. Without it, a diagram is shown in the font of the system. */
export function fontFace(): Promise<string> {
  face ??= fetch(latin)
    .then((answer) => answer.bytes())
    .then(
      (bytes) =>
        `@font-face{font-family:"Hanken Grotesk Variable";font-weight:100 900;src:url(data:font/woff2;base64,${base64(bytes)}) format("woff2")}`,
    )
    .catch(() => {
      face = undefined
      return ''
    })
  return face
}

const base64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
