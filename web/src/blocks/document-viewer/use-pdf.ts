import { useEffect, useState } from 'react'
import type { OpenPdf, PDFDocumentProxy } from './pdf-engine.ts'

type State =
  | { kind: 'opening' }
  | { kind: 'failed'; password: boolean }
  | { kind: 'open'; layWords: OpenPdf['layWords']; pdf: PDFDocumentProxy; first: { width: number; height: number } }

/** A PDF file, opened for drawing until the component goes. */
export function usePdf(url: string): State {
  const [state, setState] = useState<State>({ kind: 'opening' })
  useEffect(() => {
    let gone = false
    let opened: OpenPdf | null = null
    setState({ kind: 'opening' })
    async function open() {
      const engine = await import('./pdf-engine.ts')
      if (gone) return
      opened = engine.openPdf(url)
      const { layWords, ready } = opened
      const pdf = await ready
      const page = await pdf.getPage(1)
      const { width, height } = page.getViewport({ scale: 1 })
      if (!gone) setState({ kind: 'open', layWords, pdf, first: { width, height } })
    }
    open().catch((error: unknown) => {
      if (!gone) setState({ kind: 'failed', password: error instanceof Error && error.name === 'PasswordException' })
    })
    return () => {
      gone = true
      opened?.close()
    }
  }, [url])
  return state
}
