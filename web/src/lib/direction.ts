/** Signs that turn the direction of what follows, without being seen themselves (UAX #9, 2.1 to 2.5). */
const turning = /[\u202a-\u202e\u2066-\u2069]/g

/** A text in which nothing stands elsewhere than it is: every sign that turns the direction is seen as `\ufffd`. */
export const showDirectionSigns = (text: string): string => text.replace(turning, '\ufffd')

/** The same text without those signs, for whoever reads it by letters, such as a model. */
export const withoutDirectionSigns = (text: string): string => text.replace(turning, '')
