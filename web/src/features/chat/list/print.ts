/** Prints a chat as a whole: on screen there are only the rows near the view. */
import { chatRoutes } from '@atrium/contract/chat'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { writtenHere } from '../../../lib/format.ts'
import { toast } from '../../../ui/toaster.tsx'

/** Opens the window in which the system prints, with the chat as a page. */
export async function printChat(sessionId: string): Promise<void> {
  try {
    const page = await call(chatRoutes.export, { params: { sessionId }, query: { format: 'html', ...writtenHere() } })
    const frame = document.createElement('iframe')
    frame.title = ''
    frame.ariaHidden = 'true'
    // Nothing in it may run; printing asks for a window of its own.
    frame.sandbox.add('allow-same-origin', 'allow-modals')
    frame.className = 'fixed size-0 border-0'
    frame.srcdoc = await page.text()
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
