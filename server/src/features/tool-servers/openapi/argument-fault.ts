/** An argument that cannot be sent. The message is for the model. */
export class ArgumentFault extends Error {}
