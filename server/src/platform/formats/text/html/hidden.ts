/** What a page holds but does not show: instructions to a model hide there. */

/** Elements whose content is not text of the page. */
const silent = new Set(
  `applet audio canvas datalist embed frame frameset iframe input map meta noembed noframes noscript object
   optgroup option param progress rp rt rtc script select source style svg template textarea title track video`.split(
    /\s+/,
  ),
)

/** Whether a reader of the page does not see this element. `attribute` gives its value, or null or undefined. */
export const isUnseen = (name: string, attribute: (name: string) => string | null | undefined): boolean => {
  if (silent.has(name)) return true
  // Pages hide themselves until their script has run.
  if (name === 'html' || name === 'body') return false
  if (attribute('hidden') != null || attribute('aria-hidden')?.trim().toLowerCase() === 'true') return true
  if (name === 'dialog' && attribute('open') == null) return true
  const style = attribute('style')
  return style != null && style !== '' && isUnseenStyle(style)
}

const isUnseenStyle = (style: string): boolean => {
  const rules = new Map<string, string>()
  for (const rule of style.slice(0, 4_000).toLowerCase().split(';')) {
    const colon = rule.indexOf(':')
    if (colon > 0)
      rules.set(
        rule.slice(0, colon).trim(),
        rule
          .slice(colon + 1)
          .replace('!important', '')
          .trim(),
      )
  }
  const is = (name: string, value: RegExp): boolean => value.test(rules.get(name) ?? '')
  if (is('display', /^none$/) || is('visibility', /^(?:hidden|collapse)$/) || is('content-visibility', /^hidden$/))
    return true
  if (is('opacity', nothing) || is('font-size', tiny) || is('font', /(?:^|\s)0(?:px|pt|em|rem|%)?(?:[\s/]|$)/))
    return true
  if (is('transform', /scale(?:x|y|3d)?\(\s*0(?:\.0*)?\s*[,)]/)) return true
  if (is('clip', /^rect\((?:\s*[01](?:px)?\s*,?){4}\)$/) || is('clip-path', /^(?:inset\((?:50|100)%\)|circle\(0)/))
    return true
  if (is('color', /^transparent$/) || is('-webkit-text-fill-color', /^transparent$/)) return true
  const flat = ['width', 'height', 'max-width', 'max-height'].some((side) => is(side, tiny))
  if (flat && is('overflow', /^(?:hidden|clip)/)) return true
  return ['left', 'top', 'right', 'bottom', 'text-indent', 'margin-left', 'margin-top'].some((side) => is(side, far))
}

const nothing = /^0*\.?0+%?$/
/** Nothing, or a pixel. */
const tiny = /^(?:0*\.?0+[a-z%]*|0*1px|0?\.\d+(?:px|pt))$/
/** Far outside of the page. */
const far = /^-\d{4,}(?:\.\d+)?(?:px|pt|em|rem|%|vw|vh)?$|^-\d{3,}(?:em|rem|vw|vh)$/
