/** Whether mail can be handed in: signs in to the SMTP server, and sends nothing. */
import { type DiagnosticCheck, reportFailure, reportPass, reportWarning } from '../../platform/diagnostics/checks.ts'
import type { MailConfig } from './config.ts'
import { MailFailure, sendLetter } from './smtp.ts'

export const mailCheck = (current: () => Promise<MailConfig>): DiagnosticCheck => ({
  id: 'mail',
  async run(signal) {
    const config = await current()
    if (!config.enabled) return null
    if (!config.available) return reportWarning('Mail is on, but the server, the sender or BASE_URL is missing.')
    try {
      await sendLetter(config, null, { signal })
      return reportPass(`The mail server ${config.host} accepts Atrium’s sign-in.`)
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error
      return reportFailure(`Couldn’t send mail through ${config.host} (${error.step}): ${error.message}`)
    }
  },
})
