/** Replaces the instance key as the environment says, and tells each step before it begins: started by `rotation.ts`. */
import { writeSync } from 'node:fs'
import { readConfig } from '../app/config.ts'
import { rotateInstanceKey } from '../app/recovery/rotate.ts'

await rotateInstanceKey({ config: readConfig(), now: Date.now, onStep: (step) => void writeSync(1, `${step}\n`) })
