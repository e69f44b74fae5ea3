import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/** V8 looks at seven. */
const ENOUGH = 10

/**
 * V8 decides by the first objects of a class how much room all of them have, and looks at those that are there at that moment. When
 * garbage is collected among the first few requests it sees too little, and every request until the end is a hash
 * table, at half as much again for all that is done with it. So the first ones are made here, in one go.
 */
export function warmUpHttpShapes(): void {
  const socket = new Socket()
  const made: ServerResponse[] = []
  while (made.length < ENOUGH) {
    const response = new ServerResponse(new IncomingMessage(socket))
    response.writeHead(200, ['x', 'x']).end('x')
    made.push(response)
  }
}
