/** KaTeX, loaded when the first formula is complete. */
import katex from 'katex'
import 'katex/dist/katex.min.css'

/** Draws into an element. Gives the reason when it cannot. */
export function drawFormula(text: string, into: HTMLElement, display: boolean): string | null {
  try {
    // Elements rather than HTML text, so that no style attribute has to pass the page's policy.
    katex.render(text, into, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      maxSize: 20,
      maxExpand: 500,
      strict: 'ignore',
    })
    return null
  } catch (error) {
    into.replaceChildren()
    return error instanceof Error ? error.message.replace(/^KaTeX parse error: /, '') : String(error)
  }
}
