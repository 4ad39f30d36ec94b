/** What the rest of the product derives from this area. */
import { describeArea } from '../description.ts'

export const deliveriesDescription = describeArea({
  name: 'deliveries',
  tag: 'notifications',
  jobs: ['deliveries.sweep'],
})
