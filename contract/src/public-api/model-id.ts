/** How a model is named in a request. */
import { z } from 'zod'

/** A raw id where only one provider has it, and always `<provider>/<model>`. */
export const modelId = z.string().min(1).max(401)
