/** Letters, marks and figures, and nothing that breaks a line or turns the direction of a text. */
export const plainLine = /^[^\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/u
