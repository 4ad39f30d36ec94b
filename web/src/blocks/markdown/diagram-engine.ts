/**
 * Mermaid, loaded with the first complete diagram. It gives a picture, which is shown as an image: a document of its
 * own without an origin, in which nothing runs, loads or links. But Mermaid measures what it draws in this page, where
 * addresses would load: so they are taken out before, and what came out is checked by a list of what is allowed.
 */
import createPurify from 'dompurify'
import mermaid from 'mermaid'
import { withoutAddresses } from './diagram-source.ts'
import { diagramColours, diagramFont, fontFace } from './diagram-theme.ts'

export interface RenderedDiagram {
  readonly svg: string
  readonly width: number
  readonly height: number
  /** Pictures, links or addresses in styles were left out. */
  readonly lost: boolean
}

/** Longer descriptions are not drawn: their layout would hold the page. */
const maxSource = 50_000

let last: Promise<unknown> = Promise.resolve()
let count = 0

/**
 * Draws one diagram after the other, as Mermaid keeps its settings for all of them: in the colours of the page, or on
 * paper in shades of grey on white. Rejects with Mermaid's reason.
 */
export function drawDiagram(source: string, on: 'page' | 'paper' = 'page'): Promise<RenderedDiagram> {
  const drawn = last.then(() => drawNow(source, on))
  last = drawn.catch(() => undefined) // The failure is told to whoever asked; the next one draws anyway.
  return drawn
}

async function drawNow(written: string, on: 'page' | 'paper'): Promise<RenderedDiagram> {
  if (written.length > maxSource) throw new Error('too long')
  const { source, lost } = withoutAddresses(written)
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
    theme: on === 'page' ? 'base' : 'neutral',
    themeVariables: on === 'page' ? diagramColours() : {},
    // Edges are what tells shapes apart here; shadows would glow on dark pages.
    themeCSS: '.node, .cluster, .actor, .note, .task { filter: none !important }',
    look: 'classic',
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    maxTextSize: maxSource,
    maxEdges: 500,
    suppressErrorRendering: true,
    fontFamily: diagramFont,
  })
  const { svg } = await mermaid.render(`diagram-${++count}`, source)
  const clean = purify.sanitize(svg, {
    USE_PROFILES: { svg: true, svgFilters: true },
    ADD_TAGS: ['style'],
    FORBID_TAGS: [
      'a',
      'image',
      'feImage',
      'use',
      'foreignObject',
      'animate',
      'animateTransform',
      'animateMotion',
      'set',
    ],
  })
  const box = /viewBox="([-\d.\s]+)"/.exec(clean)?.[1]?.split(/\s+/).map(Number) ?? []
  const width = Math.min(4000, Math.max(80, Math.ceil(box[2] ?? 640)))
  const height = Math.min(4000, Math.max(40, Math.ceil(box[3] ?? 360)))
  const paper = on === 'paper' ? ':root{background:#fff}' : ''
  return { svg: withStyle(sized(clean, width, height), paper + (await fontFace())), width, height, lost }
}

// An instance of its own: Mermaid uses the shared one, and other parts of the page do.
const purify = createPurify(window)
purify.addHook('uponSanitizeElement', (node, { tagName }) => {
  if (tagName === 'style') node.textContent = plainCss(node.textContent ?? '')
})
purify.addHook('afterSanitizeAttributes', (element) => {
  for (const { name, value } of [...element.attributes]) {
    const points = name === 'href' || name === 'xlink:href' || name === 'src'
    if (points ? !value.startsWith('#') : loads(value) && !/^(?:id|class|d|transform|points)$/.test(name))
      element.removeAttribute(name)
  }
})

/** Rules as the browser understands them, without those that would load something: `@import`, fonts, addresses. */
function plainCss(text: string): string {
  const sheet = new CSSStyleSheet()
  // What cannot be parsed is left out; `@import` never gets into a sheet that is made this way.
  sheet.replaceSync(text)
  const rules: string[] = []
  for (const rule of sheet.cssRules) {
    if (!(rule instanceof CSSStyleRule || rule instanceof CSSKeyframesRule)) continue
    if (rule instanceof CSSStyleRule) {
      for (const name of [...rule.style]) if (loads(rule.style.getPropertyValue(name))) rule.style.removeProperty(name)
    }
    if (!loads(rule.cssText)) rules.push(rule.cssText)
  }
  return rules.join('\n')
}

/** Whether a value could fetch something; a reference within the drawing cannot. Escapes may spell a call. */
const loads = (value: string): boolean =>
  /\\|@import|image-set|(?:^|[^\w-])(?:src|image|element|cross-fade)\(|url\((?!\s*["']?#)/i.test(value)

/** Our own rules go in after everything was checked: they hold the font and fetch nothing. */
const withStyle = (svg: string, rules: string): string =>
  rules ? svg.replace(/<svg[^>]*>/, (tag) => `${tag}<style>${rules}</style>`) : svg

/** As an image, a drawing needs a size of its own. */
function sized(svg: string, width: number, height: number): string {
  const named = svg.includes('xmlns=') ? svg : svg.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"')
  return named.replace(/<svg[^>]*>/, (tag) =>
    tag.replace(/\s(width|height)="[^"]*"/g, '').replace('<svg', `<svg width="${width}" height="${height}"`),
  )
}
