/** Prints a chat as a whole: on screen there are only the rows near the view. */
import { wordsOf } from '../../../api/errors.ts'
import { toast } from '../../../ui/toaster.tsx'
import { readExportedPage } from './exported-page.ts'

/** Opens the window in which the system prints, with the chat as a page. */
export async function printChat(sessionId: string): Promise<void> {
  try {
    const page = await readExportedPage(sessionId)
    if (!page) return
    const frame = document.createElement('iframe')
    frame.title = ''
    frame.ariaHidden = 'true'
    // Nothing in it may run; printing asks for a window of its own.
    frame.sandbox.add('allow-same-origin', 'allow-modals')
    frame.className = 'fixed size-0 border-0'
    frame.srcdoc = page.html
    frame.onload = () => {
      const { contentWindow } = frame
      // The page lives until the window is closed; phones say so at once, and go on with a copy.
      contentWindow?.addEventListener('afterprint', () => setTimeout(() => frame.remove(), 1000))
      contentWindow?.print()
    }
    document.body.append(frame)
  } catch (error) {
    toast(wordsOf(error), { tone: 'danger' })
  }
}
