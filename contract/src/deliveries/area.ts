/** What the rest of the product derives from this area. */
import { describeArea } from '../description.ts'

export const deliveriesDescription = describeArea({
  name: 'deliveries',
  tag: 'notifications',
  errors: {
    unsubscribe_link_not_found: [404, 'This link doesn’t work. Turn e-mail off in the notification settings instead.'],
  },
  jobs: ['deliveries.digest', 'deliveries.mail', 'deliveries.sweep'],
})
