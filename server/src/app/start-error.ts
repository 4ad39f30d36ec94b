/** A sentence for whoever starts the program. */
export class StartError extends Error {}
