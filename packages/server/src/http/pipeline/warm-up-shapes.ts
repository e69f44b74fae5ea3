import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/** V8 samples seven instances. */
const ENOUGH = 10

/**
 * V8 sizes the objects of a class by the first instances that are alive when it decides. If a garbage collection runs
 * during the first few requests, it reserves too few slots, and every later request and response becomes a
 * dictionary-mode object, which takes half as long again to process. Creating the first instances here in one go
 * prevents that.
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
