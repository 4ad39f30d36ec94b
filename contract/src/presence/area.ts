/** What the rest of the product derives from this area. */
import { describeArea } from '../description.ts'

export const presenceDescription = describeArea({ name: 'presence', tag: 'channels' })
