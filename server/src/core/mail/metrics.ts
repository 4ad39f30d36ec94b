/** What is told of letters. */
import { defineCounter, defineGauge } from '../../platform/metrics/definition.ts'

export const mailMetrics = {
  mail_letters_total: defineCounter(
    'Letters that were handed to the mail server, that it refused for good, and tries that failed',
    {
      labels: { outcome: ['sent', 'refused', 'retried'] },
    },
  ),
  mail_waiting_letters: defineGauge('Letters of the instance that wait to be sent'),
}
