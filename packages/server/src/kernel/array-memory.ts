/** Whether the array spans its whole buffer; otherwise the buffer may hold other data. */
export const ownsMemory = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength

/** Frees the memory of bytes that nothing uses any more, instead of leaving it to the garbage collector. */
export function freeMemory(bytes: Uint8Array): void {
  if (ownsMemory(bytes)) bytes.buffer.transfer(0)
}
