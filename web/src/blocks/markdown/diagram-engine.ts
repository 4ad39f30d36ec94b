/** Mermaid, loaded with the first complete diagram. It gives a picture; nothing of it enters the page itself. */
import purify from 'dompurify'
import mermaid from 'mermaid'

export interface Drawn {
  readonly svg: string
  readonly width: number
  readonly height: number
}

let last: Promise<unknown> = Promise.resolve()
let count = 0

/** Draws one diagram after the other, as Mermaid keeps its settings for all of them. Rejects with Mermaid's reason. */
export function draw(source: string, dark: boolean): Promise<Drawn> {
  const drawn = last.then(() => drawNow(source, dark))
  last = drawn.catch(() => undefined) // The failure is told to whoever asked; the next one draws anyway.
  return drawn
}

async function drawNow(source: string, dark: boolean): Promise<Drawn> {
  if (source.length > 50_000) throw new Error('too long')
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    // What a diagram may not set for itself: its styles stand in the page for as long as it is measured.
    secure: [
      'secure',
      'securityLevel',
      'startOnLoad',
      'maxTextSize',
      'maxEdges',
      'suppressErrorRendering',
      'themeCSS',
      'fontFamily',
      'altFontFamily',
      'htmlLabels',
      'dompurifyConfig',
    ],
    theme: dark ? 'dark' : 'neutral',
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    maxTextSize: 50_000,
    maxEdges: 500,
    suppressErrorRendering: true,
    fontFamily: 'ui-sans-serif, system-ui, sans-serif',
  })
  const { svg } = await mermaid.render(`diagram-${++count}`, source)
  // An image cannot run scripts or load anything anyway; what is saved as a file should not either.
  const clean = purify.sanitize(svg, { USE_PROFILES: { svg: true, svgFilters: true }, ADD_TAGS: ['style'] })
  const box = /viewBox="([-\d.\s]+)"/.exec(clean)?.[1]?.split(/\s+/).map(Number) ?? []
  const width = Math.min(4000, Math.max(80, Math.ceil(box[2] ?? 640)))
  const height = Math.min(4000, Math.max(40, Math.ceil(box[3] ?? 360)))
  return { svg: sized(clean, width, height), width, height }
}

/** As an image, a drawing needs a size of its own. */
function sized(svg: string, width: number, height: number): string {
  const named = svg.includes('xmlns=') ? svg : svg.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"')
  return named.replace(/<svg[^>]*>/, (tag) =>
    tag.replace(/\s(width|height)="[^"]*"/g, '').replace('<svg', `<svg width="${width}" height="${height}"`),
  )
}
