/** What the rest of the product derives from this area: its error codes, events, audit actions and jobs. */
import { z } from 'zod'
import { describeArea } from '../description.ts'

export const pushDescription = describeArea({
  name: 'push',
  tag: 'notifications',
  errors: {
    push_device_not_found: [404, 'Device not found.'],
    push_device_limit: [409, 'You can have at most 10 devices. Remove one first.'],
    push_refused: [422, 'This browser’s subscription can’t be used. Turn push off and on again.'],
  },
  events: {
    'push-devices-changed': z.strictObject({}),
  },
  audit: ['push-device.add', 'push-device.remove'],
  jobs: ['push.send'],
})
