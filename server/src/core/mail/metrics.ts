/** What is told of letters. */
import { defineCounter, defineGauge } from '../../platform/metrics/definition.ts'

export const mailMetrics = {
  mail_letters_total: defineCounter('E-mails sent, refused permanently by the mail server, or to be retried', {
    labels: { outcome: ['sent', 'refused', 'retried'] },
  }),
  mail_waiting_letters: defineGauge('E-mails of the instance waiting to be sent'),
}
